//! Losses of policy and value.

use gryphon_net::NetOutput;
use tch::{Kind, TchError, Tensor};

use super::Batch;

/// Mean losses of a batch, each a tensor of one number through which gradients flow, and how often the
/// policy is right.
#[derive(Debug)]
pub struct Losses {
    /// Cross-entropy of the policy over legal actions, in nats.
    pub policy: Tensor,
    /// Cross-entropy of win, draw and loss, in nats.
    pub value: Tensor,
    /// Share of samples whose most probable legal action is the target's; without a gradient.
    pub top_action: Tensor,
}

/// Stands for minus infinity in logits of illegal actions: far below any real logit, and finite,
/// so that 0 times it is 0.
const MASKED: f64 = -1e9;

/// The losses of `output` on `batch`. Logits of illegal actions get no gradient.
///
/// # Errors
/// If shapes differ.
pub fn losses(output: &NetOutput, batch: &Batch) -> Result<Losses, TchError> {
    let illegal = batch.legal.f_logical_not()?;
    let logits = output.policy_logits.f_masked_fill(&illegal, MASKED)?;
    let top = |of: &Tensor| of.f_argmax(-1, false);
    let is_right = top(&logits)?.f_eq_tensor(&top(&batch.policy)?)?;
    Ok(Losses {
        top_action: is_right.f_to_kind(Kind::Float)?.f_mean(Kind::Float)?,
        policy: cross_entropy(&logits, &batch.policy)?,
        value: cross_entropy(&output.wdl_logits, &batch.wdl)?,
    })
}

/// Mean over rows of `-sum(target * log_softmax(logits))`.
fn cross_entropy(logits: &Tensor, target: &Tensor) -> Result<Tensor, TchError> {
    let log_probs = logits.f_log_softmax(-1, Kind::Float)?;
    let row = [-1i64];
    (log_probs * target)
        .f_sum_dim_intlist(&row[..], false, Kind::Float)?
        .f_neg()?
        .f_mean(Kind::Float)
}

#[cfg(test)]
mod tests {
    use tch::Device;

    use super::*;

    fn batch() -> Batch {
        Batch {
            planes: Tensor::zeros([2, 1, 1, 1], (Kind::Float, Device::Cpu)),
            policy: Tensor::from_slice(&[0.5f32, 0.5, 0.0, 0.0, 1.0, 0.0]).view([2, 3]),
            legal: Tensor::from_slice(&[true, true, false, false, true, true]).view([2, 3]),
            wdl: Tensor::from_slice(&[1.0f32, 0.0, 0.0, 0.0, 0.5, 0.5]).view([2, 3]),
        }
    }

    fn output(policy: &[f32]) -> NetOutput {
        NetOutput {
            policy_logits: Tensor::from_slice(policy).view([2, 3]).set_requires_grad(true),
            wdl_logits: Tensor::zeros([2, 3], (Kind::Float, Device::Cpu)).set_requires_grad(true),
        }
    }

    #[test]
    fn equal_logits_cost_the_logarithm_of_the_number_of_legal_actions() {
        let found = losses(&output(&[0.0; 6]), &batch()).unwrap();
        assert!((found.policy.double_value(&[]) - 2f64.ln()).abs() < 1e-6);
        assert!((found.value.double_value(&[]) - 3f64.ln()).abs() < 1e-6);
    }

    #[test]
    fn illegal_actions_get_no_gradient() {
        let output = output(&[0.3, -0.2, 5.0, 9.0, 0.1, 0.4]);
        let found = losses(&output, &batch()).unwrap();
        (found.policy + found.value).backward();
        let gradient = Vec::<f32>::try_from(output.policy_logits.grad().flatten(0, 1)).unwrap();
        assert_eq!((gradient[2], gradient[3]), (0.0, 0.0));
        assert!(gradient[0] != 0.0 && gradient[4] != 0.0, "{gradient:?}");
    }

    #[test]
    fn the_most_probable_legal_action_is_compared_with_the_target() {
        let right =
            |policy| losses(&output(policy), &batch()).unwrap().top_action.double_value(&[]);
        assert_eq!(right(&[0.3, -0.2, 5.0, 9.0, 0.5, 0.4]), 1.0);
        assert_eq!(right(&[0.3, -0.2, 5.0, 9.0, 0.1, 0.4]), 0.5);
    }

    #[test]
    fn an_illegal_logit_does_not_change_the_loss() {
        let low = losses(&output(&[0.3, -0.2, -50.0, -9.0, 0.1, 0.4]), &batch()).unwrap();
        let high = losses(&output(&[0.3, -0.2, 50.0, 9.0, 0.1, 0.4]), &batch()).unwrap();
        assert_eq!(low.policy.double_value(&[]), high.policy.double_value(&[]));
    }
}
