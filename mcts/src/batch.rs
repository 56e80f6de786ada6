//! Many searches, one evaluator.

use crate::{Evaluator, EvaluatorError, Search, Step};

/// Runs every search to its end, one leaf each per batch.
///
/// # Errors
/// The evaluator's, or one saying that it gave too few answers. The searches stay usable: the same
/// leaves wait.
pub fn run_batch(
    searches: &mut [Search],
    evaluator: &mut impl Evaluator,
) -> Result<(), EvaluatorError> {
    let mut waiting = Vec::with_capacity(searches.len());
    loop {
        waiting.clear();
        let mut queries = Vec::with_capacity(searches.len());
        for (index, search) in searches.iter_mut().enumerate() {
            if let Step::Evaluate(leaf) = search.gather() {
                waiting.push(index);
                queries.push(leaf.query());
            }
        }
        if waiting.is_empty() {
            return Ok(());
        }
        let evaluations = evaluator.evaluate(&queries)?;
        if evaluations.len() != waiting.len() {
            let (found, expected) = (evaluations.len(), waiting.len());
            return Err(EvaluatorError(format!("{found} answers to {expected} queries")));
        }
        for (&index, evaluation) in waiting.iter().zip(&evaluations) {
            searches[index].apply(evaluation);
        }
    }
}
