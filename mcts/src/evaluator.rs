//! What guides a search: priors and a value for a position.

use gryphon_env::{Action, ObservationContext, Position};

use crate::Wdl;

/// A position to be evaluated. It is not over, and a side (not the die) acts in it.
#[derive(Copy, Clone, Debug)]
pub struct Query<'a> {
    /// The position.
    pub position: &'a Position,
    /// What its observation needs besides.
    pub context: ObservationContext,
    /// Its legal actions, never empty.
    pub legal: &'a [Action],
}

/// The answer to a [`Query`].
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// Logits of the legal actions, in the query's order. Finite; any additive constant.
    pub logits: Vec<f32>,
    /// Expected result, seen by the side to move.
    pub wdl: Wdl,
}

/// Why an evaluator could not answer.
#[derive(Debug, thiserror::Error)]
#[error("evaluator: {0}")]
pub struct EvaluatorError(pub String);

/// Evaluates batches of positions.
pub trait Evaluator {
    /// One [`Evaluation`] a query, in order. The same batch gives the same answers, which depend on
    /// nothing but what an [`EvaluationKey`](crate::EvaluationKey) tells apart: the planes of an
    /// observation, not the full past.
    ///
    /// # Errors
    /// If the network cannot run or gives numbers that are not finite.
    fn evaluate(&mut self, queries: &[Query<'_>]) -> Result<Vec<Evaluation>, EvaluatorError>;
}

/// Knows nothing: equal priors, a drawn value.
#[derive(Copy, Clone, Debug, Default)]
pub struct UniformEvaluator;

impl Evaluator for UniformEvaluator {
    fn evaluate(&mut self, queries: &[Query<'_>]) -> Result<Vec<Evaluation>, EvaluatorError> {
        let answer =
            |query: &Query<'_>| Evaluation { logits: vec![0.0; query.legal.len()], wdl: Wdl::DRAW };
        Ok(queries.iter().map(answer).collect())
    }
}
