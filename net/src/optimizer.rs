//! AdamW, and what goes with a training step.

use serde::{Deserialize, Serialize};
use tch::{Kind, Tensor};

use crate::NetError;
use crate::tensors::{NamedTensor, copy_into};

/// Settings of [`AdamW`].
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdamWConfig {
    /// Decay of the mean gradient, in `[0, 1)`. 0.9 in the paper.
    pub beta1: f64,
    /// Decay of the mean squared gradient, in `[0, 1)`. 0.999 in the paper.
    pub beta2: f64,
    /// Added to the root of the squared gradient, positive. 1e-8 in the paper.
    pub epsilon: f64,
    /// Share of a weight that is taken away a step, times the learning rate. Biases and
    /// normalizations are spared.
    pub weight_decay: f64,
}

/// Adam with decoupled weight decay (Loshchilov and Hutter 2019), with a state that can be saved.
#[derive(Debug)]
pub struct AdamW {
    config: AdamWConfig,
    steps: u64,
    means: Vec<NamedTensor>,
    squares: Vec<NamedTensor>,
}

/// All that an optimizer remembers.
#[derive(Debug)]
pub struct OptimizerState {
    /// Steps made.
    pub steps: u64,
    /// Mean gradients, then mean squared gradients, each in the parameters' order.
    pub tensors: Vec<NamedTensor>,
}

impl AdamW {
    /// An optimizer of `parameters` that has made no step.
    #[must_use]
    pub fn new(parameters: &[NamedTensor], config: AdamWConfig) -> Self {
        let zeros = |prefix: &str| {
            let zero = |named: &NamedTensor| {
                let tensor = named.tensor.detach().zeros_like();
                NamedTensor::new(format!("{prefix}.{}", named.name), tensor)
            };
            parameters.iter().map(zero).collect()
        };
        Self { config, steps: 0, means: zeros("mean"), squares: zeros("square") }
    }

    /// Steps made.
    #[must_use]
    pub const fn steps(&self) -> u64 {
        self.steps
    }

    /// Changes `parameters` by their gradients, which stay as they are.
    ///
    /// # Errors
    /// If a parameter has no gradient, or the list is not the one the optimizer was made for.
    pub fn step(&mut self, parameters: &[NamedTensor], rate: f64) -> Result<(), NetError> {
        let _guard = tch::no_grad_guard();
        let gradients = gradients(parameters)?;
        if gradients.len() != self.means.len() {
            return Err(NetError::Weights {
                name: "optimizer".to_owned(),
                found: format!("is given {} parameters", gradients.len()),
                expected: self.means.len().to_string(),
            });
        }
        self.steps += 1;
        let AdamWConfig { beta1, beta2, epsilon, weight_decay } = self.config;
        let exponent = self.steps as f64;
        let mean_correction = 1.0 - beta1.powf(exponent);
        let square_correction = 1.0 - beta2.powf(exponent);
        for (index, (named, gradient)) in parameters.iter().zip(&gradients).enumerate() {
            let mut weight = named.tensor.shallow_clone();
            if weight.dim() > 1 {
                let _ = weight.f_mul_scalar_(1.0 - rate * weight_decay)?;
            }
            let mean = &mut self.means[index].tensor;
            let _ = mean.f_lerp_(gradient, 1.0 - beta1)?;
            let square = &mut self.squares[index].tensor;
            let _ = square.f_mul_scalar_(beta2)?;
            let _ = square.f_add_(&gradient.f_square()?.f_mul_scalar_(1.0 - beta2)?)?;
            let root = square.f_sqrt()?.f_div_scalar_(square_correction.sqrt())?;
            let change = mean.f_div(&root.f_add_scalar(epsilon)?)?;
            let _ = weight.f_sub_(&change.f_mul_scalar(rate / mean_correction)?)?;
        }
        Ok(())
    }

    /// A copy of the state.
    #[must_use]
    pub fn state(&self) -> OptimizerState {
        let copied = |named: &NamedTensor| named.copied_to(named.tensor.device());
        let tensors = self.means.iter().chain(&self.squares).map(copied).collect();
        OptimizerState { steps: self.steps, tensors }
    }

    /// Goes on from `state`.
    ///
    /// # Errors
    /// If names, order or shapes differ, or a number is not finite; nothing is changed then.
    pub fn restore(&mut self, state: &OptimizerState) -> Result<(), NetError> {
        let mine: Vec<NamedTensor> = self
            .means
            .iter()
            .chain(&self.squares)
            .map(|named| NamedTensor::new(named.name.clone(), named.tensor.shallow_clone()))
            .collect();
        copy_into(&state.tensors, &mine)?;
        self.steps = state.steps;
        Ok(())
    }
}

/// Forgets the gradients of `parameters`.
pub fn zero_gradients(parameters: &[NamedTensor]) {
    for named in parameters {
        named.tensor.shallow_clone().zero_grad();
    }
}

/// Scales all gradients down together so that their global norm is at most `max_norm`, and returns
/// the norm they had.
///
/// # Errors
/// If a parameter has no gradient, or the norm is not finite; the gradients are then unchanged.
pub fn clip_gradients(parameters: &[NamedTensor], max_norm: f64) -> Result<f64, NetError> {
    let _guard = tch::no_grad_guard();
    let gradients = gradients(parameters)?;
    let norms: Result<Vec<Tensor>, _> = gradients.iter().map(Tensor::f_norm).collect();
    let norm = Tensor::f_stack(&norms?, 0)?.f_to_kind(Kind::Float)?.f_norm()?;
    let norm = norm.f_double_value(&[])?;
    if !norm.is_finite() {
        return Err(NetError::NotFinite { what: "the norm of the gradients".to_owned() });
    }
    if norm > max_norm {
        for mut gradient in gradients {
            let _ = gradient.f_mul_scalar_(max_norm / norm)?;
        }
    }
    Ok(norm)
}

fn gradients(parameters: &[NamedTensor]) -> Result<Vec<Tensor>, NetError> {
    let gradient = |named: &NamedTensor| {
        let gradient = named.tensor.grad();
        if gradient.defined() {
            return Ok(gradient);
        }
        Err(NetError::Weights {
            name: named.name.clone(),
            found: "has no gradient".to_owned(),
            expected: "a backward pass before the step".to_owned(),
        })
    };
    parameters.iter().map(gradient).collect()
}

#[cfg(test)]
mod tests;
