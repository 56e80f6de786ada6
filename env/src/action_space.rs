//! Dense action indices, derived from the variant.

use crate::{Action, Color, PieceKind, Square};

/// Index of an action, as a network's policy sees it: from the mover's side of the board.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct ActionIndex(pub u16);

/// The parts of an action from the mover's side of the board: ranks are mirrored for Black.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum ActionParts {
    /// A unit moves.
    Move {
        /// Where it stands.
        from: Square,
        /// Where it goes.
        to: Square,
        /// What the player lets it become.
        promotion: Option<PieceKind>,
    },
    /// Two units change places.
    Swap {
        /// The first unit's square.
        first: Square,
        /// The second unit's square.
        second: Square,
    },
    /// The turn or the set-up ends.
    End,
}

/// All actions some unit could take on an empty board, plus swaps and `end`, with dense indices.
/// Rolls are chance events and have no index.
#[derive(Debug)]
pub struct ActionSpace {}

impl ActionSpace {
    /// Number of indices.
    #[expect(clippy::len_without_is_empty, reason = "an action space is never empty")]
    #[must_use]
    pub fn len(&self) -> usize {
        todo!()
    }

    /// The index of `action` as seen by `mover`; `None` for rolls and for actions no unit could take.
    #[must_use]
    pub fn index(&self, action: Action, mover: Color) -> Option<ActionIndex> {
        let _ = (action, mover);
        todo!()
    }

    /// The action that `index` stands for when `mover` acts; `None` beyond the last index.
    #[must_use]
    pub fn action(&self, index: ActionIndex, mover: Color) -> Option<Action> {
        let _ = (index, mover);
        todo!()
    }

    /// Parts of every index, in order.
    #[must_use]
    pub fn parts(&self) -> &[ActionParts] {
        todo!()
    }

    /// For every index, the index of the action mirrored left to right; `None` unless the variant
    /// is mirror-symmetric.
    #[must_use]
    pub fn mirrored(&self) -> Option<&[ActionIndex]> {
        todo!()
    }
}
