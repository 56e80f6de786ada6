//! How far the answers of one engine are from those of another.

use gryphon_mcts::{Evaluation, Evaluator, EvaluatorError, Query};

/// Positions evaluated at a time.
const BATCH: usize = 64;

/// Mean distances between the answers of two evaluators to the same positions.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Agreement {
    /// Kullback–Leibler divergence of the policies over legal actions, in nats.
    pub policy_kl: f64,
    /// Difference of the values, which run from -1 to 1.
    pub value_error: f64,
}

impl Agreement {
    /// Policies of a network that may play instead of another diverge by less than this.
    pub const POLICY_KL: f64 = 0.01;
    /// Values of a network that may play instead of another differ by less than this.
    pub const VALUE_ERROR: f64 = 0.02;

    /// Compares the answers of `tested` with those of `reference` to `queries`, of which there is at
    /// least one.
    ///
    /// # Errors
    /// If an evaluator fails, or there are no queries.
    pub fn measure(
        reference: &mut impl Evaluator,
        tested: &mut impl Evaluator,
        queries: &[Query<'_>],
    ) -> Result<Self, EvaluatorError> {
        if queries.is_empty() {
            return Err(EvaluatorError("no positions to compare evaluators on".to_owned()));
        }
        let (mut policy_kl, mut value_error) = (0.0, 0.0);
        for batch in queries.chunks(BATCH) {
            let pairs = reference.evaluate(batch)?.into_iter().zip(tested.evaluate(batch)?);
            for (wanted, found) in pairs {
                policy_kl += divergence(&wanted.logits, &found.logits);
                value_error += (value(&wanted) - value(&found)).abs();
            }
        }
        let n = queries.len() as f64;
        Ok(Self { policy_kl: policy_kl / n, value_error: value_error / n })
    }

    /// Whether the tested one may play instead of the reference.
    #[must_use]
    pub fn is_close(&self) -> bool {
        self.policy_kl < Self::POLICY_KL && self.value_error < Self::VALUE_ERROR
    }
}

fn value(evaluation: &Evaluation) -> f64 {
    f64::from(evaluation.wdl.win) - f64::from(evaluation.wdl.loss)
}

/// Of the policies that the logits stand for: how badly `found` stands in for `wanted`, in nats.
fn divergence(wanted: &[f32], found: &[f32]) -> f64 {
    let (wanted, found) = (log_softmax(wanted), log_softmax(found));
    wanted.zip(found).map(|(wanted, found)| wanted.exp() * (wanted - found)).sum()
}

fn log_softmax(logits: &[f32]) -> impl Iterator<Item = f64> {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let shifted = move |&logit: &f32| f64::from(logit) - f64::from(largest);
    let sum: f64 = logits.iter().map(|logit| shifted(logit).exp()).sum();
    logits.iter().map(move |logit| shifted(logit) - sum.ln())
}

#[cfg(test)]
mod tests {
    use gryphon_env::Variant;
    use gryphon_mcts::Wdl;

    use super::*;

    /// Gives the same answer to every query.
    struct Constant(Evaluation);

    impl Evaluator for Constant {
        fn evaluate(&mut self, queries: &[Query<'_>]) -> Result<Vec<Evaluation>, EvaluatorError> {
            Ok(vec![self.0.clone(); queries.len()])
        }
    }

    fn answer(logits: [f32; 2], [win, loss]: [f32; 2]) -> Constant {
        let wdl = Wdl { win, draw: 1.0 - win - loss, loss };
        Constant(Evaluation { logits: logits.to_vec(), wdl })
    }

    fn agreement(reference: Constant, tested: Constant) -> Agreement {
        let position = Variant::named("chess").unwrap().start();
        let mut legal = Vec::new();
        position.legal_actions(&mut legal);
        legal.truncate(2);
        let context = Default::default();
        let queries = [Query { position: &position, context, legal: &legal }; 65];
        let (mut reference, mut tested) = (reference, tested);
        Agreement::measure(&mut reference, &mut tested, &queries).unwrap()
    }

    #[test]
    fn equal_answers_agree_whatever_is_added_to_their_logits() {
        let found = agreement(answer([1.0, 2.0], [0.5, 0.2]), answer([-4.0, -3.0], [0.5, 0.2]));
        assert!(found.policy_kl.abs() < 1e-9 && found.value_error.abs() < 1e-9, "{found:?}");
        assert!(found.is_close());
    }

    #[test]
    fn the_distances_are_those_of_their_definitions() {
        // Policies (1/2, 1/2) and (1/4, 3/4).
        let found = agreement(answer([0.0, 0.0], [0.6, 0.1]), answer([0.0, 3f32.ln()], [0.5, 0.2]));
        let expected = 0.5 * (0.5f64 / 0.25).ln() + 0.5 * (0.5f64 / 0.75).ln();
        assert!((found.policy_kl - expected).abs() < 1e-6, "{found:?}, not {expected}");
        assert!((found.value_error - 0.2).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn one_distance_too_large_is_enough_to_be_refused() {
        let close = Agreement { policy_kl: 0.0099, value_error: 0.0199 };
        assert!(close.is_close());
        assert!(!Agreement { policy_kl: 0.01, ..close }.is_close());
        assert!(!Agreement { value_error: 0.02, ..close }.is_close());
        assert!(!Agreement { policy_kl: f64::NAN, ..close }.is_close());
        assert!(!Agreement { value_error: f64::NAN, ..close }.is_close());
    }

    #[test]
    fn nothing_to_compare_on_is_an_error() {
        let [mut a, mut b] = [answer([0.0; 2], [0.0; 2]), answer([0.0; 2], [0.0; 2])];
        let error = Agreement::measure(&mut a, &mut b, &[]).unwrap_err();
        assert!(error.to_string().contains("no positions"), "{error}");
    }
}
