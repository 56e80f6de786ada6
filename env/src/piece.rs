//! Piece kinds and the units on a board.

use crate::Color;

/// A kind of piece: an index into the variant's list of kinds.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
#[repr(transparent)]
pub struct PieceKind(pub(crate) u8);

impl PieceKind {
    /// The position of the kind in [`Variant::kinds`](crate::Variant::kinds).
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A unit on the board.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct Piece {
    /// What it is.
    pub kind: PieceKind,
    /// Whose it is.
    pub color: Color,
}
