//! Dense action indices, derived from the variant.

mod derive;

use crate::{Action, ActionKind, BoardSize, ByColor, Color, PieceKind, Square};

/// Index of an action, as a network's policy sees it: from the mover's side of the board.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct ActionIndex(pub u16);

/// The parts of an action from the mover's side of the board: ranks are mirrored for Black.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
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

/// Why a variant has no action space.
#[derive(Debug, Eq, PartialEq, thiserror::Error)]
pub(crate) enum ActionSpaceError {
    /// More actions than indices.
    #[error(
        "the units of this variant have {found} different actions, expected at most {MAX_ACTIONS}"
    )]
    TooMany {
        /// How many there are.
        found: usize,
    },
    /// Castling or a king's leap in a variant that claims mirror symmetry.
    #[error(
        "expected `false`: castling and leaps begin on one square, whose mirror image has none"
    )]
    FirstMoves,
    /// An action without its mirror image in a variant that claims mirror symmetry.
    #[error(
        "a mirror-symmetric variant must have the mirror image of every action, but {from} to {to} has none"
    )]
    NotSymmetric {
        /// Name of the action's first square.
        from: String,
        /// Name of its second square.
        to: String,
    },
}

impl ActionSpaceError {
    /// The key of the variant file that is to blame.
    pub(crate) const fn key(&self) -> &'static str {
        match self {
            Self::TooMany { .. } => "piece",
            Self::FirstMoves | Self::NotSymmetric { .. } => "mirror",
        }
    }
}

/// All actions some unit could take on an empty board, plus swaps and `end`, with dense indices.
/// Rolls are chance events and have no index.
///
/// The order is: moves by from, to and promotion (none first, then the order of the kinds), then
/// swaps by first and second square, then `end`.
#[derive(Debug)]
pub struct ActionSpace {
    size: BoardSize,
    parts: Vec<ActionParts>,
    /// For either mover and every square on the real board.
    moves: ByColor<Vec<MoveRow>>,
    tables: Tables,
    /// For every square its index on the mover's board.
    seen_by: ByColor<Vec<u8>>,
    mirrored: Option<Vec<ActionIndex>>,
}

/// For every square on the real board, the index of the move there without promotion. As long as
/// there are squares, so that looking one up needs no test.
pub(crate) type MoveRow = [u16; 256];

/// For every pair of squares of the mover's board, `first * n_squares + second`, the indices that
/// other actions between them have.
#[derive(Debug)]
struct Tables {
    /// Of the first promotion; the others follow. Empty if there are none.
    promotions: Vec<u16>,
    /// Of the swap. Empty if there are none.
    swaps: Vec<u16>,
}

/// Marks a pair of squares without an action.
const NONE: u16 = u16::MAX;

const MAX_ACTIONS: usize = NONE as usize;

impl ActionSpace {
    /// The space of `parts`, in any order and with any number of repetitions, on a board of `size`.
    ///
    /// # Errors
    /// If there are more actions than indices, or if `is_mirror_symmetric` is claimed in vain.
    pub(crate) fn try_new(
        size: BoardSize,
        mut parts: Vec<ActionParts>,
        is_mirror_symmetric: bool,
    ) -> Result<Self, ActionSpaceError> {
        parts.sort_unstable();
        parts.dedup();
        if parts.len() > MAX_ACTIONS {
            return Err(ActionSpaceError::TooMany { found: parts.len() });
        }
        let tables = Tables::new(size, &parts);
        let seen = |color| -> Vec<u8> {
            size.squares()
                .map(|square| derive::seen_by(size, square, color).index() as u8)
                .collect()
        };
        let seen_by = ByColor { white: seen(Color::White), black: seen(Color::Black) };
        let moves = ByColor {
            white: move_rows(size, &parts, &seen_by.white),
            black: move_rows(size, &parts, &seen_by.black),
        };
        let mut space = Self { size, parts, moves, tables, seen_by, mirrored: None };
        if is_mirror_symmetric {
            let images = space.parts.iter().map(|&part| space.mirror_image(part));
            space.mirrored = Some(images.collect::<Result<_, _>>()?);
        }
        Ok(space)
    }

    /// Number of indices.
    #[expect(clippy::len_without_is_empty, reason = "an action space is never empty")]
    #[must_use]
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// The index of `action` as seen by `mover`; `None` for rolls and for actions no unit could take.
    #[inline]
    #[must_use]
    pub fn index(&self, action: Action, mover: Color) -> Option<ActionIndex> {
        let (tables, seen) = (&self.tables, &self.seen_by[mover]);
        let at = |table: &[u16], first: Square, second: Square| {
            let (first, second) = (seen.get(first.index())?, seen.get(second.index())?);
            let place = pair(self.size, Square(*first), Square(*second));
            table.get(place).copied().filter(|&index| index != NONE)
        };
        let index = match action.kind() {
            ActionKind::Move { from, to, promotion: None } => {
                let index = self.moves[mover].get(from.index())?[to.index()];
                (index != NONE).then_some(index)
            }
            ActionKind::Move { from, to, promotion: Some(kind) } => {
                at(&tables.promotions, from, to).and_then(|first| self.promotion_index(first, kind))
            }
            ActionKind::Swap { first, second } => at(&tables.swaps, first, second),
            ActionKind::End if self.parts.last() == Some(&ActionParts::End) => {
                Some((self.parts.len() - 1) as u16)
            }
            ActionKind::End | ActionKind::Roll(_) => None,
        };
        index.map(ActionIndex)
    }

    /// The indices of moves without promotion from every square of the real board.
    #[inline]
    pub(crate) fn move_rows(&self, mover: Color) -> &[MoveRow] {
        &self.moves[mover]
    }

    /// The action that `index` stands for when `mover` acts; `None` beyond the last index.
    #[must_use]
    pub fn action(&self, index: ActionIndex, mover: Color) -> Option<Action> {
        let action = match *self.parts.get(usize::from(index.0))? {
            ActionParts::Move { from, to, promotion } => {
                let (from, to) = (self.seen_by(from, mover), self.seen_by(to, mover));
                match promotion {
                    Some(kind) => Action::new_promotion(from, to, kind),
                    None => Action::new_move(from, to),
                }
            }
            ActionParts::Swap { first, second } => {
                Action::new_swap(self.seen_by(first, mover), self.seen_by(second, mover))
            }
            ActionParts::End => Action::END,
        };
        Some(action)
    }

    /// Parts of every index, in order.
    #[must_use]
    pub fn parts(&self) -> &[ActionParts] {
        &self.parts
    }

    /// For every index, the index of the action mirrored left to right; `None` unless the variant
    /// is mirror-symmetric.
    #[must_use]
    pub fn mirrored(&self) -> Option<&[ActionIndex]> {
        self.mirrored.as_deref()
    }

    /// The index of the promotion to `kind`, where `first` is that of the first promotion between
    /// the same squares.
    fn promotion_index(&self, first: u16, kind: PieceKind) -> Option<u16> {
        let promotions = &self.parts[usize::from(first)..];
        let is_other = |part: &&ActionParts| match part {
            ActionParts::Move { promotion: Some(other), .. } => *other < kind,
            ActionParts::Move { .. } | ActionParts::Swap { .. } | ActionParts::End => false,
        };
        let index = first + promotions.iter().take_while(is_other).count() as u16;
        let same_squares = |part: &ActionParts| match (*part, self.parts[usize::from(first)]) {
            (
                ActionParts::Move { from, to, promotion },
                ActionParts::Move { from: from_first, to: to_first, .. },
            ) => promotion == Some(kind) && (from, to) == (from_first, to_first),
            _ => false,
        };
        self.parts.get(usize::from(index)).is_some_and(same_squares).then_some(index)
    }

    fn mirror_image(&self, part: ActionParts) -> Result<ActionIndex, ActionSpaceError> {
        let flip = |square| self.size.flip_file(square);
        let (image, from, to) = match part {
            ActionParts::Move { from, to, promotion } => {
                let image = match promotion {
                    Some(kind) => Action::new_promotion(flip(from), flip(to), kind),
                    None => Action::new_move(flip(from), flip(to)),
                };
                (image, from, to)
            }
            ActionParts::Swap { first, second } => {
                (Action::new_swap(flip(first), flip(second)), first, second)
            }
            ActionParts::End => return Ok(ActionIndex((self.parts.len() - 1) as u16)),
        };
        self.index(image, Color::White).ok_or_else(|| ActionSpaceError::NotSymmetric {
            from: self.size.square_name(from),
            to: self.size.square_name(to),
        })
    }

    fn seen_by(&self, square: Square, mover: Color) -> Square {
        Square(self.seen_by[mover][square.index()])
    }
}

impl Tables {
    /// The tables of sorted `parts`.
    fn new(size: BoardSize, parts: &[ActionParts]) -> Self {
        let n_pairs = size.n_squares() * size.n_squares();
        let mut tables = Self { promotions: Vec::new(), swaps: Vec::new() };
        let at = |first, second| pair(size, first, second);
        for (index, &part) in parts.iter().enumerate() {
            let (table, place) = match part {
                ActionParts::Move { from, to, promotion: Some(_) } => {
                    (&mut tables.promotions, at(from, to))
                }
                ActionParts::Swap { first, second } => (&mut tables.swaps, at(first, second)),
                ActionParts::Move { promotion: None, .. } | ActionParts::End => continue,
            };
            table.resize(n_pairs, NONE);
            // Of several promotions the first stays.
            table[place] = table[place].min(index as u16);
        }
        tables
    }
}

/// The rows of all squares, where `seen` gives every square's index on the mover's board.
fn move_rows(size: BoardSize, parts: &[ActionParts], seen: &[u8]) -> Vec<MoveRow> {
    let mut rows = vec![[NONE; 256]; size.n_squares()];
    for (index, part) in parts.iter().enumerate() {
        if let ActionParts::Move { from, to, promotion: None } = part {
            // Seen from either side twice, a square is itself again.
            rows[usize::from(seen[from.index()])][usize::from(seen[to.index()])] = index as u16;
        }
    }
    rows
}

#[inline]
fn pair(size: BoardSize, first: Square, second: Square) -> usize {
    first.index() * size.n_squares() + second.index()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: BoardSize = BoardSize::new(3, 2).unwrap();

    fn step(from: u8, to: u8, promotion: Option<u8>) -> ActionParts {
        ActionParts::Move {
            from: Square(from),
            to: Square(to),
            promotion: promotion.map(PieceKind),
        }
    }

    fn space(parts: Vec<ActionParts>) -> ActionSpace {
        ActionSpace::try_new(SIZE, parts, false).unwrap()
    }

    #[test]
    fn indices_are_sorted_dense_and_reversible() {
        let swap = ActionParts::Swap { first: Square(0), second: Square(4) };
        let parts = vec![
            ActionParts::End,
            swap,
            step(0, 4, Some(2)),
            step(0, 4, Some(0)),
            step(0, 4, None),
            step(0, 4, None),
            step(0, 1, Some(3)),
        ];
        let space = space(parts);
        assert_eq!(
            space.parts(),
            [
                step(0, 1, Some(3)),
                step(0, 4, None),
                step(0, 4, Some(0)),
                step(0, 4, Some(2)),
                swap,
                ActionParts::End
            ]
        );
        for mover in Color::ALL {
            for index in (0..6).map(ActionIndex) {
                let action = space.action(index, mover).unwrap();
                assert_eq!(space.index(action, mover), Some(index));
            }
        }
        assert_eq!(space.action(ActionIndex(6), Color::White), None);
    }

    #[test]
    fn unknown_actions_have_no_index() {
        let space = space(vec![step(0, 1, None), step(1, 2, Some(1)), step(2, 0, Some(1))]);
        let (a, b, c) = (Square(0), Square(1), Square(2));
        let index = |action| space.index(action, Color::White);
        assert_eq!(index(Action::new_move(a, c)), None);
        assert_eq!(index(Action::new_move(b, c)), None);
        assert_eq!(index(Action::new_promotion(a, b, PieceKind(1))), None);
        assert_eq!(index(Action::new_promotion(b, c, PieceKind(0))), None);
        assert_eq!(index(Action::new_promotion(b, c, PieceKind(2))), None);
        assert_eq!(index(Action::new_swap(a, b)), None);
        assert_eq!(index(Action::END), None);
        assert_eq!(index(Action::new_roll(crate::Face(1))), None);
        assert_eq!(index(Action::new_promotion(b, c, PieceKind(1))), Some(ActionIndex(1)));
    }

    #[test]
    fn black_sees_ranks_mirrored() {
        let space = space(vec![step(0, 4, None)]);
        let seen_by_black = Action::new_move(Square(3), Square(1));
        assert_eq!(space.index(seen_by_black, Color::Black), Some(ActionIndex(0)));
        assert_eq!(space.index(seen_by_black, Color::White), None);
        assert_eq!(space.action(ActionIndex(0), Color::Black), Some(seen_by_black));
    }

    #[test]
    fn mirror_images_are_found_or_missed() {
        let parts = vec![step(0, 4, None), step(2, 4, None), ActionParts::End];
        let space = ActionSpace::try_new(SIZE, parts, true).unwrap();
        assert_eq!(space.mirrored().unwrap(), [1, 0, 2].map(ActionIndex));
        let error = ActionSpace::try_new(SIZE, vec![step(0, 4, None)], true).unwrap_err();
        assert!(error.to_string().contains("but a1 to b2 has none"));
    }
}
