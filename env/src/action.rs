//! Actions: what a side or the die can do in a position.

use crate::{PieceKind, Square};

/// The face of a rolled die, from 1.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct Face(pub u8);

/// One action, packed into 32 bits. Its text form belongs to a variant:
/// [`Variant::action_text`](crate::Variant::action_text).
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
#[repr(transparent)]
pub struct Action(u32);

/// What an [`Action`] does.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum ActionKind {
    /// A unit moves; castling is the king's own from and to.
    Move {
        /// Where the unit stands.
        from: Square,
        /// Where it goes.
        to: Square,
        /// What it becomes by the player's choice.
        promotion: Option<PieceKind>,
    },
    /// Two units of one side change places before the game.
    Swap {
        /// The first unit's square, as the variant's text form orders them.
        first: Square,
        /// The second unit's square.
        second: Square,
    },
    /// Ends a turn of several moves, or the side's set-up.
    End,
    /// The die shows a face.
    Roll(Face),
}

const TAG_SHIFT: u32 = 24;
const TAG_MOVE: u32 = 0;
const TAG_SWAP: u32 = 1;
const TAG_END: u32 = 2;
const TAG_ROLL: u32 = 3;

impl Action {
    /// Ends a turn of several moves, or the side's set-up.
    pub const END: Self = Self(TAG_END << TAG_SHIFT);

    /// A move without promotion.
    #[must_use]
    pub const fn new_move(from: Square, to: Square) -> Self {
        Self(from.0 as u32 | (to.0 as u32) << 8)
    }

    /// A move with promotion to `kind`.
    #[must_use]
    pub const fn new_promotion(from: Square, to: Square, kind: PieceKind) -> Self {
        Self(from.0 as u32 | (to.0 as u32) << 8 | (kind.0 as u32 + 1) << 16)
    }

    /// An exchange of two units before the game.
    #[must_use]
    pub const fn new_swap(first: Square, second: Square) -> Self {
        Self(TAG_SWAP << TAG_SHIFT | first.0 as u32 | (second.0 as u32) << 8)
    }

    /// A roll of the die.
    #[must_use]
    pub const fn new_roll(face: Face) -> Self {
        Self(TAG_ROLL << TAG_SHIFT | face.0 as u32)
    }

    /// What the action does.
    #[must_use]
    pub const fn kind(self) -> ActionKind {
        let first = Square(self.0 as u8);
        let second = Square((self.0 >> 8) as u8);
        match self.0 >> TAG_SHIFT {
            TAG_MOVE => ActionKind::Move { from: first, to: second, promotion: self.promotion() },
            TAG_SWAP => ActionKind::Swap { first, second },
            TAG_END => ActionKind::End,
            _ => ActionKind::Roll(Face(self.0 as u8)),
        }
    }

    const fn promotion(self) -> Option<PieceKind> {
        match (self.0 >> 16) as u8 {
            0 => None,
            kind => Some(PieceKind(kind - 1)),
        }
    }

    /// The packed form. Its layout may change between releases: not for files.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_survives_packing() {
        let (a, b) = (Square(143), Square(255));
        let moved = ActionKind::Move { from: a, to: b, promotion: None };
        assert_eq!(Action::new_move(a, b).kind(), moved);
        let promoted = ActionKind::Move { from: b, to: a, promotion: Some(PieceKind(0)) };
        assert_eq!(Action::new_promotion(b, a, PieceKind(0)).kind(), promoted);
        assert_eq!(Action::new_swap(a, b).kind(), ActionKind::Swap { first: a, second: b });
        assert_eq!(Action::END.kind(), ActionKind::End);
        assert_eq!(Action::new_roll(Face(8)).kind(), ActionKind::Roll(Face(8)));
    }
}
