//! Many games at once, for NumPy.

mod step;

use std::num::NonZeroU32;
use std::sync::{Mutex, MutexGuard, PoisonError};

use gryphon_env::{
    ActionIndex, AutoReset, Batch, BatchConfig, BatchEnv, BatchError, BatchParts, Game, GameNumber,
    ObservationFormat, Packed, PlyCap, Position, RandomPolicy, RunSeed, Variant,
};
use ndarray::{Array4, Axis};
use numpy::{IntoPyArray, PyArray1, PyArray4, PyArrayMethods};
use pyo3::prelude::*;

pub(crate) use self::step::PyStep;
use self::step::ToNumPy;
use crate::arguments::{seed, shown, text, whole_number};
use crate::errors::{ActionError, GameOverError, GryphonError, argument_error};
use crate::position::PyPosition;
use crate::variant::{PyVariant, shared, variant_argument};

/// How observations are stored.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
enum Planes {
    Bytes,
    Numbers,
    Bits,
}

impl Planes {
    const ALL: [Self; 3] = [Self::Bytes, Self::Numbers, Self::Bits];

    const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "uint8",
            Self::Numbers => "float32",
            Self::Bits => "bits",
        }
    }
}

/// `N` games that advance together, seen by the sides that act.
///
/// `planes` is how observations are stored. `uint8`: `[N, C, H, W]`, a plane's numbers times its
/// entry of `full_scales`. `float32`: `[N, C, H, W]` in `[0, 1]`. `bits`: one bit a square, see
/// `unpack`.
///
/// With `auto_reset` the step that ends a game begins the next one: `rewards`, `terminated` and
/// `truncated` tell of the game that ended, `observations`, `mask` and `actor` of the new one.
/// Without, an ended game has an empty mask until `reset_ended` or `reset_games`.
///
/// Dice are rolled by the environment. The same seed and actions give the same games on any number
/// of threads. Every array is fresh, and the interpreter is free while games advance. After a
/// `fork`, an environment with more than one thread belongs to the parent alone: start processes
/// with `spawn`, or make environments behind the fork.
#[pyclass(frozen, module = "gryphonzero", name = "BatchEnv")]
pub(crate) struct PyBatchEnv {
    variant: &'static Variant,
    config: BatchConfig,
    planes: Planes,
    /// The process that has the threads.
    process: u32,
    state: Mutex<State>,
}

struct State {
    env: BatchEnv,
    seed: RunSeed,
    policy: RandomPolicy,
    actions: Vec<ActionIndex>,
}

impl State {
    /// Does `change` and shows all games in fresh buffers.
    fn apply<F: ObservationFormat>(&mut self, change: Change) -> Result<BatchParts<F>, BatchError> {
        let mut batch = Batch::<F>::new(&self.env);
        match change {
            Change::None => self.env.observe(&mut batch)?,
            Change::Step(actions) => self.env.step(&actions, &mut batch)?,
            Change::Reset(seed) => {
                self.seed = seed.unwrap_or(RunSeed(self.seed.0.wrapping_add(1)));
                self.policy = RandomPolicy::new(self.seed);
                self.env.reset(self.seed, &mut batch)?;
            }
            Change::ResetEnded => {
                self.env.reset_ended(&mut batch)?;
                self.env.observe(&mut batch)?;
            }
            Change::ResetGames(positions) => {
                self.env.reset_games(&positions, &mut batch)?;
                self.env.observe(&mut batch)?;
            }
        }
        Ok(batch.into_parts())
    }
}

#[pymethods]
impl PyBatchEnv {
    #[new]
    #[pyo3(signature = (
        variant, n_games, *, seed = None, planes = None, auto_reset = true, max_plies = None,
        n_threads = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn py_new(
        py: Python<'_>,
        variant: &Bound<'_, PyAny>,
        n_games: &Bound<'_, PyAny>,
        seed: Option<&Bound<'_, PyAny>>,
        planes: Option<&Bound<'_, PyAny>>,
        auto_reset: bool,
        max_plies: Option<&Bound<'_, PyAny>>,
        n_threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let variant = variant_argument(variant)?;
        let seed = seed.map_or(Ok(RunSeed(0)), self::seed)?;
        let n_games = whole_number(n_games, "n_games", 1..=BatchConfig::MAX_GAMES as u64)?;
        let n_threads = n_threads.map_or(Ok(1), |object| {
            whole_number(object, "n_threads", 1..=BatchConfig::MAX_THREADS as u64)
        })?;
        let planes = planes.map_or(Ok(Planes::Bytes), planes_argument)?;
        let ply_cap = match max_plies {
            None => variant.max_plies(),
            Some(object) => {
                let least = if variant.faces().is_empty() { 1 } else { 2 };
                let cap = whole_number(object, "max_plies", least..=u64::from(u32::MAX))?;
                PlyCap(NonZeroU32::new(cap as u32).unwrap_or(NonZeroU32::MIN))
            }
        };
        let config = BatchConfig {
            n_games: n_games as usize,
            n_threads: n_threads as usize,
            auto_reset: if auto_reset { AutoReset::SameStep } else { AutoReset::Off },
            ply_cap,
        };
        let env = py
            .detach(|| BatchEnv::try_new(variant, config, seed))
            .map_err(|error| batch_error(&error))?;
        let state = State { env, seed, policy: RandomPolicy::new(seed), actions: Vec::new() };
        let process = std::process::id();
        Ok(Self { variant, config, planes, process, state: Mutex::new(state) })
    }

    /// The rules of the games.
    #[getter]
    fn variant(&self, py: Python<'_>) -> PyResult<Py<PyVariant>> {
        shared(py, self.variant)
    }

    /// Number of games `N`.
    #[getter]
    const fn n_games(&self) -> usize {
        self.config.n_games
    }

    /// Number of action indices `A`.
    #[getter]
    fn n_actions(&self) -> usize {
        self.variant.action_space().len()
    }

    /// Shape `(C, H, W)` of one observation as numbers.
    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        PyVariant::new(self.variant).observation_shape()
    }

    /// How observations are stored: `uint8`, `float32` or `bits`.
    #[getter]
    const fn planes(&self) -> &'static str {
        self.planes.name()
    }

    /// What the bytes of `uint8` planes are to be divided by, uint8 `[C]`: 1 for squares, else what
    /// the plane's counts are divided by.
    #[getter]
    fn full_scales<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        self.variant.observation().full_scales().into_pyarray(py)
    }

    /// Begins all games anew; the dice go by `seed`, or else by the last seed plus 1.
    #[pyo3(signature = (seed = None))]
    fn reset(&self, py: Python<'_>, seed: Option<&Bound<'_, PyAny>>) -> PyResult<PyStep> {
        self.change(py, Change::Reset(seed.map(self::seed).transpose()?))
    }

    /// Plays one action in every game: indices, any integers `[N]`.
    fn step(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<PyStep> {
        self.change(py, Change::Step(self.actions_argument(actions)?))
    }

    /// The games as they stand; rewards and ends are those of the last step.
    fn observe(&self, py: Python<'_>) -> PyResult<PyStep> {
        self.change(py, Change::None)
    }

    /// Begins anew the games that have ended, and shows all.
    fn reset_ended(&self, py: Python<'_>) -> PyResult<PyStep> {
        self.change(py, Change::ResetEnded)
    }

    /// Begins chosen games anew, each at a position of its own, whose past is forgotten, and shows
    /// all. `positions` maps numbers of games to positions.
    fn reset_games(&self, py: Python<'_>, positions: &Bound<'_, PyAny>) -> PyResult<PyStep> {
        let expected = "a dict of game numbers and Positions";
        let wrong = || argument_error("positions", &shown(positions), expected);
        let items = positions.call_method0("items").map_err(|_| wrong())?;
        let mut chosen = Vec::new();
        for item in items.try_iter().map_err(|_| wrong())? {
            let (number, position): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
                item?.extract().map_err(|_| wrong())?;
            let last = self.config.n_games as u64 - 1;
            let number = whole_number(&number, "positions", 0..=last)?;
            let position = position.cast::<PyPosition>().map_err(|_| {
                argument_error(&format!("positions[{number}]"), &shown(&position), "a Position")
            })?;
            position.get().check_not_over()?;
            let start = position.get().game().position().clone();
            chosen.push((GameNumber(number as usize), start));
        }
        self.change(py, Change::ResetGames(chosen))
    }

    /// The planes of a step that was shown as bits, as numbers: float32 `[N, C, H, W]` in `[0, 1]`.
    ///
    /// Square `s`, counted from the first rank's first file as the side to move sees it, is bit
    /// `s % 8` of byte `s // 8` of its plane: `numpy.unpackbits(…, bitorder="little")`.
    fn unpack<'py>(
        &self,
        py: Python<'py>,
        step: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyArray4<f32>>> {
        let wrong = || argument_error("step", &shown(step), "a Step with planes as bits");
        let (squares, constants) =
            step.cast::<PyStep>().ok().and_then(|step| step.get().bits(py)).ok_or_else(wrong)?;
        let (squares, constants) = (squares.readonly(), constants.readonly());
        let (squares, constants) = (squares.as_array(), constants.as_array());
        let layout = self.variant.observation();
        let packed = (layout.n_planes_of_squares(), layout.packed_len());
        let n_games = squares.shape()[0];
        if squares.shape()[1..] != [packed.0, packed.1]
            || constants.shape() != [n_games, layout.n_constants()]
        {
            let expected = format!("one of `{}`", self.variant.name());
            return Err(argument_error("step", "a Step of another variant", &expected));
        }
        let (c, h, w) = self.observation_shape();
        let mut planes = Array4::zeros((n_games, c, h, w));
        for (game, mut out) in planes.outer_iter_mut().enumerate() {
            let (squares, constants) = (squares.index_axis(Axis(0), game), constants.row(game));
            if let (Some(squares), Some(constants), Some(out)) =
                (squares.as_slice(), constants.as_slice(), out.as_slice_mut())
            {
                layout.unpack(squares, constants, out);
            }
        }
        Ok(planes.into_pyarray(py))
    }

    /// One legal action for every game, all equally likely, int64 `[N]`. They follow from the seed
    /// of the environment, or of the last `reset`.
    fn random_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let chosen = py.detach(|| {
            let mut state = self.state();
            let State { env, policy, actions, .. } = &mut *state;
            policy.choose(env, actions)?;
            Ok(actions.iter().map(|index| i64::from(index.0)).collect::<Vec<_>>())
        });
        Ok(chosen.map_err(|error| batch_error(&error))?.into_pyarray(py))
    }

    /// The position of game number `game`, without its past.
    fn position(&self, py: Python<'_>, game: &Bound<'_, PyAny>) -> PyResult<PyPosition> {
        let last = self.config.n_games as u64 - 1;
        let game = whole_number(game, "game", 0..=last)?;
        let position = py.detach(|| {
            let state = self.state();
            state.env.position(GameNumber(game as usize)).cloned()
        });
        let position = position.unwrap_or_else(|| self.variant.start());
        Ok(PyPosition::new(Game::new(position)))
    }

    fn __len__(&self) -> usize {
        self.config.n_games
    }

    fn __repr__(&self) -> String {
        format!(
            "<gryphonzero.BatchEnv of {} games of {}, planes as {}>",
            self.config.n_games,
            self.variant.name(),
            self.planes.name()
        )
    }
}

/// What is done to the games before they are shown.
enum Change {
    None,
    Step(Vec<ActionIndex>),
    Reset(Option<RunSeed>),
    ResetEnded,
    ResetGames(Vec<(GameNumber, Position)>),
}

impl PyBatchEnv {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, py: Python<'_>, change: Change) -> PyResult<PyStep> {
        if self.config.n_threads > 1 && self.process != std::process::id() {
            return Err(GryphonError::new_err(
                "this environment's threads stayed behind when the process forked, expected a \
                 process started with `spawn`, or an environment made behind the fork",
            ));
        }
        match self.planes {
            Planes::Bytes => self.change_as::<u8>(py, change),
            Planes::Numbers => self.change_as::<f32>(py, change),
            Planes::Bits => self.change_as::<Packed>(py, change),
        }
    }

    fn change_as<F: ToNumPy>(&self, py: Python<'_>, change: Change) -> PyResult<PyStep> {
        let parts = py.detach(|| self.state().apply::<F>(change));
        Ok(PyStep::new::<F>(py, parts.map_err(|error| batch_error(&error))?))
    }

    /// The indices in an array or sequence of integers.
    fn actions_argument(&self, object: &Bound<'_, PyAny>) -> PyResult<Vec<ActionIndex>> {
        let numpy = object.py().import("numpy")?;
        let array = numpy
            .call_method1("asarray", (object,))
            .map_err(|_| argument_error("actions", &shown(object), "an array of integers"))?;
        let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
        let shape: Vec<usize> = array.getattr("shape")?.extract()?;
        if !["i", "u"].contains(&kind.as_str()) || shape != [self.config.n_games] {
            let found = format!("dtype {} and shape {shape:?}", array.getattr("dtype")?);
            let expected = format!("integers of shape [{}]", self.config.n_games);
            return Err(argument_error("actions", &found, &expected));
        }
        let array = array.call_method1("astype", ("int64",))?;
        let array = array.cast_into::<PyArray1<i64>>()?;
        let last = self.variant.action_space().len() - 1;
        let numbers = array.readonly();
        let indices = numbers.as_array().into_iter().enumerate().map(|(game, &number)| {
            match u16::try_from(number) {
                Ok(index) if usize::from(index) <= last => Ok(ActionIndex(index)),
                _ => Err(ActionError::new_err(format!(
                    "game {game}: found action {number}, expected an index from 0 to {last}"
                ))),
            }
        });
        indices.collect()
    }
}

fn planes_argument(object: &Bound<'_, PyAny>) -> PyResult<Planes> {
    let name = text(object, "planes").ok();
    let known = Planes::ALL.into_iter().find(|planes| name.as_deref() == Some(planes.name()));
    known.ok_or_else(|| argument_error("planes", &shown(object), "`uint8`, `float32` or `bits`"))
}

fn batch_error(error: &BatchError) -> PyErr {
    let message = error.to_string();
    match error {
        BatchError::GameEnded { .. } | BatchError::PositionIsOver { .. } => {
            GameOverError::new_err(message)
        }
        BatchError::ActionOutOfRange { .. } | BatchError::IllegalAction { .. } => {
            ActionError::new_err(message)
        }
        _ => GryphonError::new_err(message),
    }
}
