//! Values, with their point of view in the type.

use gryphon_env::{Color, Outcome};

/// Expected game score in `[-1, 1]`, seen by White. What trees and files store.
#[derive(Copy, Clone, Debug, PartialEq, PartialOrd)]
pub struct ValueWhite(f32);

/// Expected game score in `[-1, 1]`, seen by the side to move. What networks speak.
#[derive(Copy, Clone, Debug, PartialEq, PartialOrd)]
pub struct ValueMover(f32);

impl ValueWhite {
    /// A balanced game.
    pub const DRAW: Self = Self(0.0);

    /// White wins for certain.
    pub const WIN: Self = Self(1.0);

    /// Black wins for certain.
    pub const LOSS: Self = Self(-1.0);

    /// Clamps `score` into `[-1, 1]`; not a number becomes 0.
    #[must_use]
    pub fn new(score: f32) -> Self {
        Self(clamp(score))
    }

    /// The value of a finished game.
    #[must_use]
    pub const fn of_outcome(outcome: Outcome) -> Self {
        match outcome.winner() {
            Some(Color::White) => Self(1.0),
            Some(Color::Black) => Self(-1.0),
            None => Self::DRAW,
        }
    }

    /// The number, from White's side.
    #[must_use]
    pub const fn get(self) -> f32 {
        self.0
    }

    /// The same value seen by `color`.
    #[must_use]
    pub fn to_mover(self, color: Color) -> ValueMover {
        match color {
            Color::White => ValueMover(self.0),
            Color::Black => ValueMover(-self.0),
        }
    }
}

impl ValueMover {
    /// Clamps `score` into `[-1, 1]`; not a number becomes 0.
    #[must_use]
    pub fn new(score: f32) -> Self {
        Self(clamp(score))
    }

    /// The number, from the mover's side.
    #[must_use]
    pub const fn get(self) -> f32 {
        self.0
    }

    /// The same value seen by White, when `color` is to move.
    #[must_use]
    pub fn to_white(self, color: Color) -> ValueWhite {
        match color {
            Color::White => ValueWhite(self.0),
            Color::Black => ValueWhite(-self.0),
        }
    }
}

fn clamp(score: f32) -> f32 {
    if score.is_nan() { 0.0 } else { score.clamp(-1.0, 1.0) }
}

/// Probabilities of win, draw and loss for the side to move; they sum to 1.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Wdl {
    /// The mover wins.
    pub win: f32,
    /// Nobody wins.
    pub draw: f32,
    /// The mover loses.
    pub loss: f32,
}

impl Wdl {
    /// A certain draw.
    pub const DRAW: Self = Self { win: 0.0, draw: 1.0, loss: 0.0 };

    /// The probabilities that give `value` with as much draw as can be.
    #[must_use]
    pub fn of_value(value: ValueMover) -> Self {
        let value = value.get();
        Self { win: value.max(0.0), draw: 1.0 - value.abs(), loss: (-value).max(0.0) }
    }

    /// Win minus loss.
    #[must_use]
    pub fn value(self) -> ValueMover {
        ValueMover::new(self.win - self.loss)
    }
}
