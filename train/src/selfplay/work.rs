//! What workers have done, for progress and metrics.

use std::ops::AddAssign;
use std::sync::{Mutex, PoisonError};

use gryphon_mcts::{
    CacheStatistics, Evaluation, Evaluator, EvaluatorError, Query, RootAction, SearchResult,
};

/// Sums over the searches of self-play.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Work {
    /// Positions searched.
    pub positions: u64,
    /// Times that the evaluator was asked.
    pub batches: u64,
    /// Positions that it was asked about, in all batches.
    pub evaluations: u64,
    /// How often the evaluation caches were asked, and how often they knew.
    pub cache: CacheStatistics,
    /// Divergence of the improved policy from the prior, in nats, summed over positions.
    pub surprise: f64,
}

impl AddAssign for Work {
    fn add_assign(&mut self, more: Self) {
        self.positions += more.positions;
        self.batches += more.batches;
        self.evaluations += more.evaluations;
        self.cache.asked += more.cache.asked;
        self.cache.found += more.cache.found;
        self.surprise += more.surprise;
    }
}

/// What all workers together have done so far.
#[derive(Debug, Default)]
pub struct SharedWork(Mutex<Work>);

impl SharedWork {
    pub(super) fn add(&self, work: Work) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) += work;
    }

    /// The sum so far.
    #[must_use]
    pub fn so_far(&self) -> Work {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An evaluator whose batches are counted.
pub(super) struct Counted<'a, E> {
    pub(super) evaluator: &'a mut E,
    pub(super) work: &'a mut Work,
}

impl<E: Evaluator> Evaluator for Counted<'_, E> {
    fn evaluate(&mut self, queries: &[Query<'_>]) -> Result<Vec<Evaluation>, EvaluatorError> {
        self.work.batches += 1;
        self.work.evaluations += queries.len() as u64;
        self.evaluator.evaluate(queries)
    }
}

/// Divergence of the improved policy from the prior, in nats, not negative.
pub(super) fn surprise(found: &SearchResult) -> f64 {
    found.actions.iter().map(of_action).sum::<f64>().max(0.0)
}

fn of_action(root: &RootAction) -> f64 {
    if root.improved <= 0.0 {
        return 0.0;
    }
    // A prior can be too small for its type, but is never nothing.
    let [improved, prior] = [root.improved, root.prior.max(f32::MIN_POSITIVE)].map(f64::from);
    improved * (improved / prior).ln()
}

#[cfg(test)]
mod tests {
    use gryphon_env::Action;
    use gryphon_mcts::ValueWhite;

    use super::*;

    fn found(policies: &[(f32, f32)]) -> SearchResult {
        let action = Action::new_roll(gryphon_env::Face(1));
        let root = |&(prior, improved)| RootAction { action, prior, visits: 0, q: None, improved };
        let actions = policies.iter().map(root).collect();
        SearchResult { action, value: ValueWhite::DRAW, actions, simulations: 0 }
    }

    #[test]
    fn surprise_is_how_far_search_went_from_the_prior() {
        assert_eq!(surprise(&found(&[(0.25, 0.25), (0.75, 0.75)])), 0.0);
        let expected = 0.5 * 2f64.ln() + 0.5 * (2.0 / 3.0f64).ln();
        assert!((surprise(&found(&[(0.25, 0.5), (0.75, 0.5)])) - expected).abs() < 1e-12);
        assert!((surprise(&found(&[(0.5, 1.0), (0.5, 0.0)])) - 2f64.ln()).abs() < 1e-12);
        assert!(surprise(&found(&[(1.0, 0.5), (0.0, 0.5)])).is_finite());
    }
}
