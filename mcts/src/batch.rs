//! Many searches, one evaluator.

use std::borrow::BorrowMut;
use std::collections::HashMap;

use crate::cache::EvaluationKey;
use crate::{EvaluationCache, Evaluator, EvaluatorError, Query, Search, Step};

/// Runs every search to its end, all waiting leaves in one batch. What `cache` remembers is not asked
/// again, and what two searches want to know at the same time is asked once.
///
/// # Errors
/// The evaluator's, or one saying that it gave too few answers. The searches stay usable: the same
/// leaves wait.
pub fn run_batch<S: BorrowMut<Search>>(
    searches: &mut [S],
    evaluator: &mut impl Evaluator,
    cache: &mut EvaluationCache,
) -> Result<(), EvaluatorError> {
    run_until(searches, evaluator, cache, |_| false)
}

/// Like [`run_batch`], but asks `is_over` after every batch whether all searches should stop with what
/// they have: this is where a clock or a command comes in. At least one batch is run, so that every
/// search has a result.
///
/// # Errors
/// As [`run_batch`].
pub fn run_until<S: BorrowMut<Search>>(
    searches: &mut [S],
    evaluator: &mut impl Evaluator,
    cache: &mut EvaluationCache,
    mut is_over: impl FnMut(&[S]) -> bool,
) -> Result<(), EvaluatorError> {
    let mut batch = Batch::default();
    while batch.run(searches, evaluator, cache)? {
        if is_over(searches) {
            searches.iter_mut().for_each(|search| search.borrow_mut().stop());
        }
    }
    Ok(())
}

/// Memory used again for every batch.
#[derive(Default)]
struct Batch {
    /// For every waiting leaf the place of its answer.
    places: Vec<usize>,
    /// The place of each key's answer; empty without a cache.
    known: HashMap<EvaluationKey, usize>,
}

impl Batch {
    /// Evaluates one batch; `false` if no leaf was waiting.
    fn run<S: BorrowMut<Search>>(
        &mut self,
        searches: &mut [S],
        evaluator: &mut impl Evaluator,
        cache: &mut EvaluationCache,
    ) -> Result<bool, EvaluatorError> {
        let mut is_waiting = false;
        for search in searches.iter_mut() {
            is_waiting |= search.borrow_mut().gather(cache) == Step::Evaluate;
        }
        if !is_waiting {
            return Ok(false);
        }
        self.places.clear();
        self.known.clear();
        let mut queries: Vec<Query<'_>> = Vec::with_capacity(searches.len());
        for query in searches.iter().flat_map(|search| search.borrow().queries()) {
            let place = if cache.is_off() {
                queries.len()
            } else {
                *self.known.entry(EvaluationKey::of(&query)).or_insert(queries.len())
            };
            self.places.push(place);
            if place == queries.len() {
                queries.push(query);
            }
        }
        let evaluations = evaluator.evaluate(&queries)?;
        if evaluations.len() != queries.len() {
            let (found, expected) = (evaluations.len(), queries.len());
            return Err(EvaluatorError(format!("{found} answers to {expected} queries")));
        }
        if !cache.is_off() {
            for (query, evaluation) in queries.iter().zip(&evaluations) {
                cache.insert(EvaluationKey::of(query), evaluation);
            }
        }
        let mut places = self.places.iter();
        for search in searches {
            let search = search.borrow_mut();
            let n_leaves = search.queries().len();
            if n_leaves > 0 {
                search.apply(places.by_ref().take(n_leaves).map(|&place| &evaluations[place]));
            }
        }
        Ok(true)
    }
}
