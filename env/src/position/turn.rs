//! What surrounds the units of a position: rights, the turn's phase, chance, hashes.

use crate::{Action, Color, Square};

/// Hash of a position.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct ZobristKey(pub u64);

/// One result of a chance event.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ChanceOutcome {
    /// The roll.
    pub action: Action,
    /// Its probability; those of a position sum to 1.
    pub probability: f32,
}

/// A right to a first move, held as long as neither unit concerned has moved.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct FirstMoveRight {
    /// Whose it is.
    pub color: Color,
    /// Where the unit that holds it stands: a castling partner, or a king that may leap.
    pub square: Square,
    /// What the king may do.
    pub kind: FirstMove,
}

/// What a first-move right allows.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum FirstMove {
    /// Castling with the unit on the right's square.
    Castling,
    /// The leap of the king on the right's square.
    Leap,
}

/// Where a turn stands.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum Phase {
    /// Units may be exchanged before the game.
    Setup,
    /// A turn of one action.
    Normal,
    /// One of the opening turns, in which several units may move.
    MultiMove {
        /// Units moved so far in this turn.
        moved: u8,
        /// How many may move in all.
        limit: u8,
    },
}
