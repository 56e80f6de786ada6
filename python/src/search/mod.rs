//! Tree search with an evaluator written in Python.

mod evaluator;

use std::num::NonZeroU32;

use gryphon_env::{Game, RunSeed, Stream};
use gryphon_mcts::{
    EvaluationCache, GumbelConfig, RootPolicy, Search, SearchConfig, SearchResult, run_batch,
};
use gryphon_play::PlayerSpec;
use ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;

use self::evaluator::PythonEvaluator;
use crate::arguments::{real_number, seed, shown, whole_number};
use crate::errors::{EvaluationError, argument_error};
use crate::position::PyPosition;

/// Most simulations of one call, all positions together: each takes up to a kilobyte.
const MAX_TOTAL: u64 = 10_000_000;

/// What a search found, one row for each of `B` positions.
#[pyclass(frozen, get_all, module = "gryphonzero", name = "SearchResult")]
pub(crate) struct PySearchResult {
    /// Index of the action to play, int64 `[B]`.
    actions: Py<PyArray1<i64>>,
    /// Value of the position after the search, in `[-1, 1]`, seen by the side to move,
    /// float32 `[B]`.
    values: Py<PyArray1<f32>>,
    /// The improved policy: the training target. Sums to 1, 0 for illegal actions,
    /// float32 `[B, A]`.
    policies: Py<PyArray2<f32>>,
    /// Simulations through each action, int32 `[B, A]`.
    visits: Py<PyArray2<i32>>,
}

#[pymethods]
impl PySearchResult {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<gryphonzero.SearchResult of {} positions>", self.actions.bind(py).len()?))
    }
}

/// Settings of a search, checked.
struct Settings {
    config: SearchConfig,
    seed: RunSeed,
}

/// Searches `positions` together, one leaf of each in a batch.
///
/// `evaluate` is called with planes, float32 `[M, C, H, W]`, `M <= B`, and answers with a pair:
/// logits, float `[M, A]`, of which those of legal actions count, and values, float `[M]`, in
/// `[-1, 1]`, seen by the side to move. Priors are the softmax of the logits of the legal actions;
/// who has probabilities gives their logarithms. The interpreter is free between the calls.
///
/// The search is Gumbel AlphaZero's: `considered` actions enter sequential halving. `noise` is 1 to
/// explore in self-play, 0 to play as well as possible. `c_scale` is how much the search's values
/// weigh against the logits: 0.1 while learning, 1 for an evaluator to be trusted. The same
/// arguments, `seed` included, give the same result.
#[pyfunction]
#[pyo3(signature = (
    positions, evaluate, simulations, *, seed = None, noise = None, considered = None, c_scale = None
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn search(
    py: Python<'_>,
    positions: &Bound<'_, PyAny>,
    evaluate: &Bound<'_, PyAny>,
    simulations: &Bound<'_, PyAny>,
    seed: Option<&Bound<'_, PyAny>>,
    noise: Option<&Bound<'_, PyAny>>,
    considered: Option<&Bound<'_, PyAny>>,
    c_scale: Option<&Bound<'_, PyAny>>,
) -> PyResult<PySearchResult> {
    let games = games_argument(positions)?;
    if !evaluate.is_callable() {
        let expected = "a function of planes [M, C, H, W] that gives logits [M, A] and values [M]";
        return Err(argument_error("evaluate", &shown(evaluate), expected));
    }
    let most = u64::from(PlayerSpec::MAX_SIMULATIONS).min(MAX_TOTAL / games.len().max(1) as u64);
    let simulations = whole_number(simulations, "simulations", 1..=most.max(1))?;
    let number = |object: Option<&Bound<'_, PyAny>>, name, default, range| {
        object.map_or(Ok(default), |object| real_number(object, name, range))
    };
    let considered =
        considered.map_or(Ok(16), |object| whole_number(object, "considered", 1..=1_000_000))?;
    let gumbel = GumbelConfig {
        considered: at_least_1(considered),
        noise_scale: number(noise, "noise", 0.0, 0.0..=100.0)?,
        c_visit: 50.0,
        c_scale: number(c_scale, "c_scale", 0.1, 0.0..=1000.0)?,
    };
    let settings = Settings {
        config: SearchConfig::new(at_least_1(simulations), RootPolicy::Gumbel(gumbel)),
        seed: seed.map_or(Ok(RunSeed(0)), self::seed)?,
    };
    let Some(first) = games.first() else {
        let expected = "at least one Position";
        return Err(argument_error("positions", "none", expected));
    };
    let variant = first.position().variant();
    let mut evaluator = PythonEvaluator::new(evaluate.clone().unbind(), variant);
    let results = py.detach(|| run(&games, &settings, &mut evaluator));
    match (evaluator.into_failure(), results) {
        (Some(failure), _) => Err(failure),
        (None, Ok(results)) => Ok(arrays(py, &games, &results)),
        (None, Err(error)) => Err(EvaluationError::new_err(error.to_string())),
    }
}

fn at_least_1(number: u64) -> NonZeroU32 {
    u32::try_from(number).ok().and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MIN)
}

/// The games of a sequence of positions in which a side acts, all of one variant.
fn games_argument(positions: &Bound<'_, PyAny>) -> PyResult<Vec<Game>> {
    let expected = "a sequence of Position objects";
    let wrong = || argument_error("positions", &shown(positions), expected);
    let mut games: Vec<Game> = Vec::new();
    for (row, object) in positions.try_iter().map_err(|_| wrong())?.enumerate() {
        let object = object?;
        let position = object.cast::<PyPosition>().map_err(|_| {
            argument_error(&format!("positions[{row}]"), &shown(&object), "a Position")
        })?;
        let position = position.get();
        position.check_side_acts()?;
        if let Some(first) = games.first()
            && !std::ptr::eq(first.position().variant(), position.variant())
        {
            return Err(argument_error(
                &format!("positions[{row}]"),
                &format!("a position of `{}`", position.variant().name()),
                &format!("one of `{}` as the first", first.position().variant().name()),
            ));
        }
        games.push(position.game().clone());
    }
    Ok(games)
}

fn run(
    games: &[Game],
    settings: &Settings,
    evaluator: &mut PythonEvaluator,
) -> Result<Vec<SearchResult>, gryphon_mcts::EvaluatorError> {
    let stream = |row: usize| settings.seed.stream(Stream::Playout(row as u64));
    let mut searches: Vec<Search> = games
        .iter()
        .enumerate()
        .map(|(row, game)| Search::new(game, settings.config, stream(row)))
        .collect();
    // A function in Python may answer differently each time: nothing is remembered for it.
    run_batch(&mut searches, evaluator, &mut EvaluationCache::off())?;
    Ok(searches.iter().map(Search::result).collect())
}

/// The results as arrays over the action space.
fn arrays(py: Python<'_>, games: &[Game], results: &[SearchResult]) -> PySearchResult {
    let n_actions = games.first().map_or(0, |it| it.position().variant().action_space().len());
    let mut policies = Array2::<f32>::zeros((games.len(), n_actions));
    let mut visits = Array2::<i32>::zeros((games.len(), n_actions));
    let mut actions = Vec::with_capacity(games.len());
    let mut values = Vec::with_capacity(games.len());
    for (row, (game, result)) in games.iter().zip(results).enumerate() {
        let position = game.position();
        let (space, mover) = (position.variant().action_space(), position.side_to_move());
        let index = |action| {
            let index = space.index(action, mover);
            usize::from(index.expect("every action of a side has an index").0)
        };
        for action in &result.actions {
            policies[(row, index(action.action))] = action.improved;
            visits[(row, index(action.action))] = i32::try_from(action.visits).unwrap_or(i32::MAX);
        }
        actions.push(index(result.action) as i64);
        values.push(result.value.to_mover(mover).get());
    }
    PySearchResult {
        actions: actions.into_pyarray(py).unbind(),
        values: values.into_pyarray(py).unbind(),
        policies: policies.into_pyarray(py).unbind(),
        visits: visits.into_pyarray(py).unbind(),
    }
}
