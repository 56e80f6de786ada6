//! Which actions a variant's rules make possible.

use super::{ActionParts, ActionSpace, ActionSpaceError};
use crate::variant::{Spec, Tables};
use crate::{BoardSize, Color, Square};

impl ActionSpace {
    /// The space of a variant: what any unit of either side could do on some board, swaps, and `end`
    /// if turns or set-ups end by choice.
    ///
    /// # Errors
    /// If there are more actions than indices, or if mirror symmetry is claimed in vain.
    pub(crate) fn of_rules(tables: &Tables, spec: &Spec) -> Result<Self, ActionSpaceError> {
        if spec.mirror && (spec.castling.is_some() || spec.leap.is_some()) {
            return Err(ActionSpaceError::FirstMoves);
        }
        let mut parts = Vec::new();
        for color in Color::ALL {
            let seen = |square| seen_by(spec.size, square, color);
            parts.extend(tables.possible_moves(color).into_iter().map(|possible| {
                let (from, to) = (seen(possible.from), seen(possible.to));
                ActionParts::Move { from, to, promotion: possible.promotion }
            }));
            parts.extend(tables.possible_swaps(color).into_iter().map(|(first, second)| {
                ActionParts::Swap { first: seen(first), second: seen(second) }
            }));
        }
        if spec.turns.is_some() || spec.exchange.is_some() {
            parts.push(ActionParts::End);
        }
        Self::try_new(spec.size, parts, spec.mirror)
    }
}

/// `square` on the board as `color` sees it; and back.
pub(super) const fn seen_by(size: BoardSize, square: Square, color: Color) -> Square {
    match color {
        Color::White => square,
        Color::Black => size.flip_rank(square),
    }
}
