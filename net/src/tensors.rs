//! Named tensors: what parameters, buffers and optimizer state are made of.

use tch::{Device, Kind, Tensor};

use crate::NetError;

/// A tensor with the name it has in files.
#[derive(Debug)]
pub struct NamedTensor {
    /// Dotted path: `trunk.3.conv1.weight`.
    pub name: String,
    /// The tensor. Cloning the handle does not copy the numbers.
    pub tensor: Tensor,
}

impl NamedTensor {
    /// A tensor called `name`.
    #[must_use]
    pub fn new(name: impl Into<String>, tensor: Tensor) -> Self {
        Self { name: name.into(), tensor }
    }

    /// A copy of the numbers, on `device`, without gradient.
    #[must_use]
    pub fn copied_to(&self, device: Device) -> Self {
        Self::new(self.name.clone(), detached_copy(&self.tensor, device))
    }
}

/// A copy of the numbers of `tensor` on `device`, without gradient.
pub(crate) fn detached_copy(tensor: &Tensor, device: Device) -> Tensor {
    tensor.detach().to_device_(device, tensor.kind(), false, true)
}

/// A network's weights, parameters and buffers alike: a copy, or the content of a file.
#[derive(Debug)]
pub struct Weights(pub(crate) Vec<NamedTensor>);

impl Weights {
    /// A set of tensors. Whether they fit a network is found when they are loaded into it.
    #[must_use]
    pub const fn new(tensors: Vec<NamedTensor>) -> Self {
        Self(tensors)
    }

    /// The tensors, in the network's order.
    #[must_use]
    pub fn tensors(&self) -> &[NamedTensor] {
        &self.0
    }

    /// Moves `self` towards `newer`: `decay * self + (1 - decay) * newer` for every tensor. This is
    /// the exponential moving average of weights when called after every step.
    ///
    /// # Errors
    /// If `newer` has other names or shapes.
    pub fn average(&mut self, newer: &Self, decay: f64) -> Result<(), NetError> {
        let _guard = tch::no_grad_guard();
        check_same(&newer.0, &self.0)?;
        for (mine, theirs) in self.0.iter_mut().zip(&newer.0) {
            let target = theirs.tensor.to_device(mine.tensor.device());
            let _ = mine.tensor.f_lerp_(&target, 1.0 - decay)?;
        }
        Ok(())
    }

    /// Whether every number is finite.
    ///
    /// # Errors
    /// If not; the error names the first such tensor.
    pub fn check_finite(&self) -> Result<(), NetError> {
        check_finite(&self.0)
    }

    /// A copy of all numbers.
    #[must_use]
    pub fn copied(&self) -> Self {
        Self(self.0.iter().map(|named| named.copied_to(named.tensor.device())).collect())
    }
}

/// Copies the numbers of `source` into `target`, tensor by tensor.
///
/// # Errors
/// If names, order or shapes differ, or a number is not finite; `target` is then unchanged.
pub(crate) fn copy_into(source: &[NamedTensor], target: &[NamedTensor]) -> Result<(), NetError> {
    let _guard = tch::no_grad_guard();
    check_same(source, target)?;
    check_finite(source)?;
    for (from, to) in source.iter().zip(target) {
        to.tensor.shallow_clone().f_copy_(&from.tensor)?;
    }
    Ok(())
}

/// Whether `found` has the names, order, shapes and kinds of `expected`.
pub(crate) fn check_same(found: &[NamedTensor], expected: &[NamedTensor]) -> Result<(), NetError> {
    for (index, want) in expected.iter().enumerate() {
        let wrong = |found: String| NetError::Weights {
            name: want.name.clone(),
            found,
            expected: describe(&want.tensor),
        };
        let Some(have) = found.get(index).filter(|have| have.name == want.name) else {
            return Err(wrong("is missing".to_owned()));
        };
        if have.tensor.size() != want.tensor.size() || have.tensor.kind() != want.tensor.kind() {
            return Err(wrong(format!("is {}", describe(&have.tensor))));
        }
    }
    if let Some(extra) = found.get(expected.len()) {
        return Err(NetError::Weights {
            name: extra.name.clone(),
            found: "is extra".to_owned(),
            expected: "no such tensor".to_owned(),
        });
    }
    Ok(())
}

/// Whether every number of every tensor is finite.
pub(crate) fn check_finite(tensors: &[NamedTensor]) -> Result<(), NetError> {
    for named in tensors {
        if !is_finite(&named.tensor)? {
            return Err(NetError::NotFinite { what: format!("tensor `{}`", named.name) });
        }
    }
    Ok(())
}

pub(crate) fn is_finite(tensor: &Tensor) -> Result<bool, NetError> {
    Ok(tensor.f_isfinite()?.f_all()?.f_int64_value(&[])? != 0)
}

/// Kind and shape in words: `fp32 [64, 3]`.
pub(crate) fn describe(tensor: &Tensor) -> String {
    let kind = match tensor.kind() {
        Kind::Float => "fp32".to_owned(),
        other => format!("{other:?}").to_lowercase(),
    };
    format!("{kind} {:?}", tensor.size())
}
