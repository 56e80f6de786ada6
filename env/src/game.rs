//! A game: a position and the past that rules ask about.

use std::num::NonZeroU32;

use crate::past::Past;
use crate::{Action, DrawReason, ObservationContext, Outcome, Position, ZobristKey};

/// The number of plies after which a game is cut. Every action counts, a roll of the die too.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct PlyCap(pub NonZeroU32);

/// How often the current position occurred before in the game.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq, Ord, PartialOrd)]
pub struct Repetitions(pub u8);

impl Repetitions {
    /// Earlier occurrences that make the current one the third.
    pub const DRAW: Self = Self(2);

    /// The draw that these earlier occurrences make, if they do.
    pub(crate) fn outcome(self) -> Option<Outcome> {
        (self >= Self::DRAW).then_some(Outcome::Draw { reason: DrawReason::Repetition })
    }
}

/// Whether a game goes on.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Status {
    /// Somebody, or chance, acts next.
    Ongoing,
    /// The rules ended it.
    Finished(Outcome),
    /// The ply cap cut it; it has no result.
    Truncated,
}

/// A position together with its past: repetition, the last action, the number of plies.
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    position: Position,
    actions: Vec<Action>,
    past: Past,
}

impl Game {
    /// A game that begins at `position`, with no past.
    #[must_use]
    pub fn new(position: Position) -> Self {
        Self { start: position.clone(), position, actions: Vec::new(), past: Past::default() }
    }

    /// The position the game began at.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The current position.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// All actions so far.
    #[must_use]
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// Keys of the earlier positions that can still be repeated, oldest first.
    #[must_use]
    pub fn keys(&self) -> &[ZobristKey] {
        self.past.keys()
    }

    /// Plays a legal action.
    ///
    /// # Panics
    /// May panic, or leave a position that no rule covers, if `action` is not legal here.
    pub fn play(&mut self, action: Action) {
        self.past.play(&mut self.position, action);
        self.actions.push(action);
    }

    /// How often the current position occurred before.
    #[must_use]
    pub fn repetitions(&self) -> Repetitions {
        self.past.repetitions(&self.position)
    }

    /// The result by the rules, repetition included.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome().or_else(|| self.repetitions().outcome())
    }

    /// Whether the game goes on under `cap`.
    #[must_use]
    pub fn status(&self, cap: PlyCap) -> Status {
        if let Some(outcome) = self.outcome() {
            Status::Finished(outcome)
        } else if self.actions.len() >= cap.0.get() as usize {
            Status::Truncated
        } else {
            Status::Ongoing
        }
    }

    /// What the observation needs beside the position.
    #[must_use]
    pub fn observation_context(&self) -> ObservationContext {
        ObservationContext { repetitions: self.repetitions(), last_action: self.past.last_action() }
    }
}
