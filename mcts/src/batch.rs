//! Many searches, one evaluator.

use crate::{Evaluator, EvaluatorError, Search};

/// Runs every search to its end, one leaf each per batch.
///
/// # Errors
/// The evaluator's.
pub fn run_batch(
    searches: &mut [Search],
    evaluator: &mut impl Evaluator,
) -> Result<(), EvaluatorError> {
    let _ = (searches, evaluator);
    todo!()
}
