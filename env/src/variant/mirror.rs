//! Whether rules stay the same when left and right are exchanged.

use super::rules::{Castling, Right, Rules};
use crate::bits::Bits;
use crate::{Color, Square};

impl<const N: usize, const K: usize> Rules<N, K> {
    /// What tells left from right in these rules, if anything does.
    pub(crate) fn mirror_flaw(&self) -> Option<&'static str> {
        let mirror = |square: Square| self.size.flip_file(square);
        let mirrored = |squares: Bits<N>| squares.into_iter().map(mirror).collect::<Bits<N>>();
        let has_partner = |right: &Right| {
            self.rights.iter().any(|other| {
                (other.color, other.kind, other.is_leap) == (right.color, right.kind, right.is_leap)
                    && other.square == mirror(right.square)
            })
        };
        if !self.rights.iter().all(has_partner) {
            return Some("first-move rights have no counterpart on the other side");
        }
        for color in Color::ALL {
            let side = &self.sides[color];
            let moves_alike = side.moves.iter().all(|moves| {
                self.size.squares().all(|from| {
                    moves.move_reach(mirror(from)) == mirrored(moves.move_reach(from))
                        && moves.capture_reach(mirror(from)) == mirrored(moves.capture_reach(from))
                })
            });
            if !moves_alike {
                return Some("a piece moves differently to the left and to the right");
            }
            if !side.choices.iter().all(|files| files.iter().eq(files.iter().rev())) {
                return Some("promotion differs between left and right files");
            }
            if mirrored(side.exchange.0) != side.exchange.0
                || mirrored(side.exchange.1) != side.exchange.1
            {
                return Some("exchanges have no counterpart on the other side");
            }
            let has_twin = |castling: &Castling<N>| {
                side.castlings.iter().any(|other| other.king_to == mirror(castling.king_to))
            };
            if !side.castlings.iter().all(has_twin) {
                return Some("castling differs between left and right");
            }
        }
        None
    }
}
