//! Positions as Python objects.

use std::hash::{DefaultHasher, Hash, Hasher};

use gryphon_env::{
    Action, ActionIndex, Actor, ChanceOutcome, Color, Game, Outcome, Position, RunSeed, Stream,
    Variant,
};
use gryphon_play::{roll_die, svg_board};
use ndarray::Array3;
use numpy::{IntoPyArray, PyArray1, PyArray3};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::Reduced;
use crate::arguments::{color, shown, text, whole_number};
use crate::errors::{GameOverError, action_error, argument_error, fen_error};
use crate::outcome::PyOutcome;
use crate::variant::{PyVariant, variant_argument};

/// Variant, start FEN and actions of a game: what makes its position again.
type Replay = (Py<PyVariant>, String, Vec<String>);

/// A position together with the game that led to it, since repetition asks for the past.
///
/// Positions never change: `play` returns the next one. Two positions are equal if variant and FEN
/// are; the past is not compared.
///
/// Actions have two forms. The text names squares: `e2e4`, `a7a8q`, `end`, `roll:3`. The index is
/// the action's place in the variant's action space `0 … A-1`, seen by the side that acts: for
/// Black ranks are mirrored. Rolls of the die are chance events and have no index.
#[pyclass(frozen, module = "gryphonzero", name = "Position")]
#[derive(Clone)]
pub(crate) struct PyPosition {
    game: Game,
    /// Empty once the game is over, and before a roll.
    legal: Vec<Action>,
    outcome: Option<Outcome>,
}

impl PyPosition {
    /// The current position of `game`.
    pub(crate) fn new(game: Game) -> Self {
        let mut legal = Vec::new();
        let by_rule = game.position().legal_actions_and_outcome(&mut legal);
        let outcome = by_rule.or_else(|| game.outcome());
        if outcome.is_some() {
            legal.clear();
        }
        Self { game, legal, outcome }
    }

    pub(crate) const fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) const fn variant(&self) -> &'static Variant {
        self.game.position().variant()
    }

    const fn position(&self) -> &Position {
        self.game.position()
    }

    fn after(&self, action: Action) -> Self {
        let mut game = self.game.clone();
        game.play(action);
        Self::new(game)
    }

    /// An error unless a side acts here.
    pub(crate) fn check_side_acts(&self) -> PyResult<()> {
        self.check_not_over()?;
        match self.position().actor() {
            Actor::Player(_) => Ok(()),
            Actor::Chance => Err(action_error(&format!(
                "in `{}` the die is rolled next: play a roll such as `roll:1`, or use `roll`",
                self.position().fen()
            ))),
        }
    }

    /// An error if the game is over.
    pub(crate) fn check_not_over(&self) -> PyResult<()> {
        self.outcome.map_or(Ok(()), |outcome| Err(self.over(outcome)))
    }

    fn over(&self, outcome: Outcome) -> PyErr {
        GameOverError::new_err(format!(
            "the game is over ({outcome}) in `{}`, expected a position in which it goes on",
            self.position().fen()
        ))
    }

    /// The legal action that `object` names.
    fn action_argument(&self, object: &Bound<'_, PyAny>) -> PyResult<Action> {
        self.check_not_over()?;
        if object.is_instance_of::<PyString>() {
            let text = text(object, "action")?;
            return self.position().parse_action(&text).map_err(|error| action_error(&error));
        }
        self.check_side_acts()?;
        let space = self.variant().action_space();
        let last = space.len() as u64 - 1;
        let index = whole_number(object, "action", 0..=last).map_err(|_| {
            action_error(&format!(
                "action {}: expected the text of an action, or an index from 0 to {last}",
                shown(object)
            ))
        })?;
        let action = space.action(ActionIndex(index as u16), self.position().side_to_move());
        action.filter(|action| self.legal.contains(action)).ok_or_else(|| {
            let text = action.map_or_else(String::new, |it| self.variant().action_text(it));
            action_error(&format!(
                "action {index} (`{text}`) is not legal in `{}`, expected one of the {} legal \
                 actions",
                self.position().fen(),
                self.legal.len()
            ))
        })
    }

    fn index_of(&self, action: Action) -> usize {
        let index = self.variant().action_space().index(action, self.position().side_to_move());
        usize::from(index.expect("every action of a side has an index").0)
    }

    fn texts(&self) -> impl Iterator<Item = String> {
        self.legal.iter().map(|&action| self.variant().action_text(action))
    }
}

/// What random choices at the current ply of a game are drawn from: every ply has a stream of its
/// own, so that a choice depends on nothing but seed and game.
pub(crate) fn stream_of_ply(game: &Game) -> Stream {
    Stream::Playout(game.actions().len() as u64)
}

#[pymethods]
impl PyPosition {
    /// The start position of `variant`, or the position of `fen`, after `actions` (texts or
    /// indices).
    #[new]
    #[pyo3(signature = (variant, fen = None, actions = None))]
    fn py_new(
        variant: &Bound<'_, PyAny>,
        fen: Option<&Bound<'_, PyAny>>,
        actions: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let variant = variant_argument(variant)?;
        let start = match fen {
            Some(fen) => Position::from_fen(variant, &text(fen, "fen")?)
                .map_err(|error| fen_error(&error))?,
            None => variant.start(),
        };
        let mut position = Self::new(Game::new(start));
        if let Some(actions) = actions {
            let expected = || argument_error("actions", &shown(actions), "a sequence of actions");
            if actions.is_instance_of::<PyString>() {
                return Err(expected());
            }
            for action in actions.try_iter().map_err(|_| expected())? {
                position = position.after(position.action_argument(&action?)?);
            }
        }
        Ok(position)
    }

    /// The rules it is played by.
    #[getter(variant)]
    fn py_variant(&self, py: Python<'_>) -> PyResult<Py<PyVariant>> {
        crate::variant::shared(py, self.variant())
    }

    /// The position as text; `Position(variant, fen)` reads it back, without its past.
    #[getter]
    fn fen(&self) -> String {
        self.position().fen()
    }

    /// FEN of the position the game began at.
    #[getter]
    fn start_fen(&self) -> String {
        self.game.start().fen()
    }

    /// Texts of all actions since then, rolls included.
    #[getter]
    fn actions(&self) -> Vec<String> {
        let texts = self.game.actions().iter().map(|&it| self.variant().action_text(it));
        texts.collect()
    }

    /// Number of actions since then, rolls included.
    #[getter]
    fn ply(&self) -> usize {
        self.game.actions().len()
    }

    /// Who acts next: `white`, `black`, or `chance` if the die is about to be rolled.
    #[getter]
    fn actor(&self) -> String {
        match self.position().actor() {
            Actor::Player(color) => color.to_string(),
            Actor::Chance => "chance".to_owned(),
        }
    }

    /// Whose turn it is, `white` or `black`, also while the die is about to be rolled.
    #[getter]
    fn side_to_move(&self) -> String {
        self.position().side_to_move().to_string()
    }

    /// Whether a king of the side to move is attacked.
    #[getter]
    fn is_check(&self) -> bool {
        self.position().is_check()
    }

    /// Whether the game is over by the rules.
    #[getter]
    fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    /// How the game ended; `None` while it goes on.
    #[getter]
    fn outcome(&self) -> Option<PyOutcome> {
        self.outcome.map(PyOutcome::new)
    }

    /// How often the position occurred before in the game; a third occurrence is a draw.
    #[getter]
    fn repetitions(&self) -> u8 {
        self.game.repetitions().0
    }

    /// Texts of the legal actions, in a fixed order. Empty after the end and before a roll.
    fn legal_actions(&self) -> Vec<String> {
        self.texts().collect()
    }

    /// Indices of the legal actions, int64, in the order of `legal_actions`.
    fn legal_indices<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let indices: Vec<i64> =
            self.legal.iter().map(|&action| self.index_of(action) as i64).collect();
        indices.into_pyarray(py)
    }

    /// 1 at the indices of the legal actions, 0 elsewhere: int8 `[A]`, a fresh array.
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let mut mask = vec![0; self.variant().action_space().len()];
        for &action in &self.legal {
            mask[self.index_of(action)] = 1;
        }
        mask.into_pyarray(py)
    }

    /// Index of a legal action given as text.
    fn action_index(&self, action: &Bound<'_, PyAny>) -> PyResult<usize> {
        let action = self.action_argument(action)?;
        self.check_side_acts()?;
        Ok(self.index_of(action))
    }

    /// Text of a legal action given as index.
    fn action_text(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        Ok(self.variant().action_text(self.action_argument(action)?))
    }

    /// The rolls that are possible next, as (text, probability); empty unless the die acts.
    fn chance_outcomes(&self) -> Vec<(String, f32)> {
        if self.outcome.is_some() {
            return Vec::new();
        }
        let mut outcomes: Vec<ChanceOutcome> = Vec::new();
        self.position().chance_outcomes(&mut outcomes);
        let named = |it: &ChanceOutcome| (self.variant().action_text(it.action), it.probability);
        outcomes.iter().map(named).collect()
    }

    /// The position after a legal action, given as text or index.
    fn play(&self, action: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(self.after(self.action_argument(action)?))
    }

    /// The position after the roll that `seed` gives at this ply; the same position unless the die
    /// acts.
    #[pyo3(signature = (seed = None))]
    fn roll(&self, seed: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let seed = seed.map_or(Ok(RunSeed(0)), crate::arguments::seed)?;
        if self.outcome.is_some() {
            return Ok(self.clone());
        }
        let mut rng = seed.stream(stream_of_ply(&self.game));
        let roll = roll_die(self.position(), &mut rng);
        Ok(roll.map_or_else(|| self.clone(), |roll| self.after(roll)))
    }

    /// Planes `[C, H, W]`, float32 in `[0, 1]`, a fresh array, seen by `side` (`white` or `black`),
    /// the side to move unless another is given.
    #[pyo3(signature = (side = None))]
    fn observation<'py>(
        &self,
        py: Python<'py>,
        side: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let side = side.map_or(Ok(self.position().side_to_move()), |it| color(it, "side"))?;
        let mut planes = Array3::zeros(PyVariant::new(self.variant()).observation_shape());
        if let Some(out) = planes.as_slice_mut() {
            let context = self.game.observation_context();
            self.variant().observation().encode_seen_by(side, self.position(), context, out);
        }
        Ok(planes.into_pyarray(py))
    }

    /// The board as a self-contained SVG picture, seen from `view` (`white` or `black`).
    #[pyo3(signature = (view = None))]
    fn svg(&self, view: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        let view = view.map_or(Ok(Color::White), |view| color(view, "view"))?;
        Ok(svg_board(&self.game, view))
    }

    fn _repr_svg_(&self) -> String {
        svg_board(&self.game, Color::White)
    }

    fn __str__(&self) -> String {
        self.position().board_text().trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        format!("Position({:?}, {:?})", self.variant().name(), self.fen())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            std::ptr::eq(self.variant(), other.variant()) && self.fen() == other.fen()
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.variant().hash(), self.position().key()).hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, memo: &Bound<'_, PyAny>) -> Self {
        let _ = memo;
        self.clone()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, Replay>> {
        let variant = crate::variant::shared(py, self.variant())?;
        Ok((py.get_type::<Self>().into_any(), (variant, self.start_fen(), self.actions())))
    }
}
