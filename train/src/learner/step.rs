//! One step of learning, and what must be saved to go on with the next.

use gryphon_net::{
    AdamW, AdamWConfig, Mode, NetError, Network, OptimizerState, Weights, clip_gradients,
    set_single_threaded, warmup, zero_gradients,
};
use tch::TchError;

use super::{Batch, losses};

/// Settings of the learner.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct LearnerSettings {
    /// Step size after the warm-up, positive.
    pub learning_rate: f64,
    /// Steps over which the step size rises.
    pub warmup_steps: u64,
    /// Decoupled weight decay.
    pub weight_decay: f64,
    /// Largest norm of the gradient.
    pub clip_norm: f64,
    /// Weight of the value loss against the policy loss.
    pub value_weight: f64,
    /// Share of the old average kept by a step; `None` for no averaging.
    pub ema_decay: Option<f64>,
}

/// Why a step was not made.
#[derive(Debug, thiserror::Error)]
pub enum LearnerError {
    /// The network or its optimizer refused.
    #[error(transparent)]
    Net(#[from] NetError),
    /// libtorch refused.
    #[error("libtorch: {0}")]
    Torch(#[from] TchError),
    /// The loss is not a number any more.
    #[error(
        "step {step}: the loss is {loss}, expected a finite number; lower \
         `learner.learning_rate` or `learner.clip_norm`"
    )]
    NotFinite {
        /// Number of the step.
        step: u64,
        /// What was computed.
        loss: f64,
    },
}

/// What one step did.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct StepReport {
    /// Policy loss before the step, in nats.
    pub policy_loss: f64,
    /// Value loss before the step, in nats.
    pub value_loss: f64,
    /// The sum that is minimized.
    pub total_loss: f64,
    /// Share of samples whose most probable action was the target's before the step.
    pub top_action: f64,
    /// Norm of the gradient before clipping.
    pub gradient_norm: f64,
    /// Step size used.
    pub learning_rate: f64,
}

/// A network with its optimizer and the average of its weights.
#[derive(Debug)]
pub struct Learner {
    network: Network,
    optimizer: AdamW,
    averaged: Option<Weights>,
    settings: LearnerSettings,
}

/// All that a learner must have to go on.
#[derive(Debug)]
pub struct LearnerState {
    /// The weights being trained.
    pub weights: Weights,
    /// The optimizer's.
    pub optimizer: OptimizerState,
    /// The averaged weights, if averaging is on.
    pub averaged: Option<Weights>,
}

impl Learner {
    /// A learner that begins with `network` as it is.
    #[must_use]
    pub fn new(network: Network, settings: LearnerSettings) -> Self {
        let config = AdamWConfig {
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-8,
            weight_decay: settings.weight_decay,
        };
        let optimizer = AdamW::new(network.parameters(), config);
        let averaged = settings.ema_decay.map(|_| network.weights());
        Self { network, optimizer, averaged, settings }
    }

    /// Steps made.
    #[must_use]
    pub const fn steps(&self) -> u64 {
        self.optimizer.steps()
    }

    /// The network being trained.
    #[must_use]
    pub const fn network(&self) -> &Network {
        &self.network
    }

    /// The weights that play: the average, or the trained ones where averaging is off.
    #[must_use]
    pub fn playing_weights(&self) -> Weights {
        self.averaged.as_ref().map_or_else(|| self.network.weights(), Weights::copied)
    }

    /// A copy of everything that is needed to go on.
    #[must_use]
    pub fn state(&self) -> LearnerState {
        LearnerState {
            weights: self.network.weights(),
            optimizer: self.optimizer.state(),
            averaged: self.averaged.as_ref().map(Weights::copied),
        }
    }

    /// Goes on from `state`.
    ///
    /// # Errors
    /// If it is not the state of such a network.
    pub fn restore(&mut self, state: &LearnerState) -> Result<(), LearnerError> {
        self.network.load_weights(&state.weights)?;
        self.optimizer.restore(&state.optimizer)?;
        self.averaged = state.averaged.as_ref().map(Weights::copied);
        Ok(())
    }

    /// Learns from `batch`.
    ///
    /// # Errors
    /// If the loss or the gradient is not finite, or libtorch fails. The learner is then of no more
    /// use: running statistics may have taken in the bad batch.
    pub fn step(&mut self, batch: &Batch) -> Result<StepReport, LearnerError> {
        set_single_threaded();
        let step = self.steps();
        let output = self.network.forward(&batch.planes, Mode::Train)?;
        let found = losses(&output, batch)?;
        let total = &found.policy + &found.value * self.settings.value_weight;
        let [policy_loss, value_loss, top_action, total_loss] =
            [&found.policy, &found.value, &found.top_action, &total]
                .map(|tensor| tensor.double_value(&[]));
        if !total_loss.is_finite() {
            return Err(LearnerError::NotFinite { step, loss: total_loss });
        }
        zero_gradients(self.network.parameters());
        total.f_backward()?;
        let gradient_norm = clip_gradients(self.network.parameters(), self.settings.clip_norm)?;
        let learning_rate = warmup(self.settings.learning_rate, step, self.settings.warmup_steps);
        self.optimizer.step(self.network.parameters(), learning_rate)?;
        if let (Some(averaged), Some(decay)) = (&mut self.averaged, self.settings.ema_decay) {
            averaged.average(&self.network.weights(), warm_decay(decay, step))?;
        }
        Ok(StepReport {
            policy_loss,
            value_loss,
            total_loss,
            top_action,
            gradient_norm,
            learning_rate,
        })
    }
}

/// The share of the old average that step `step` keeps: less at first, so that the initial weights
/// and statistics are soon forgotten.
fn warm_decay(decay: f64, step: u64) -> f64 {
    let n = step as f64;
    decay.min((1.0 + n) / (10.0 + n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_forget_their_start() {
        let kept: f64 = (0..20).map(|step| warm_decay(0.99, step)).product();
        assert!(kept < 1e-6, "{kept}");
        assert_eq!(warm_decay(0.99, 10_000), 0.99);
    }
}
