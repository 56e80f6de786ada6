//! What changes in a game: units, rights, clocks.

use crate::bits::Bits;
use crate::variant::Rules;
use crate::{Color, PieceKind, Square};

/// A position without its rules, for boards of up to `64 * N` squares and `K` kinds.
#[derive(Clone, Debug)]
pub(crate) struct State<const N: usize, const K: usize> {
    pub(crate) kinds: [Bits<N>; K],
    pub(crate) colors: [Bits<N>; 2],
    /// Squares on which the side to move may capture en passant; in an unfinished turn, where it
    /// may not any more, squares that the enemy's last turn left.
    pub(crate) en_passant: Bits<N>,
    /// Squares that the side to move's own pawns passed over in its unfinished turn.
    pub(crate) own_en_passant: Bits<N>,
    /// Squares of units moved in the unfinished turn, or exchanged in the set-up.
    pub(crate) moved: Bits<N>,
    /// Hash of everything but the die, clocks and turn number.
    pub(crate) key: u64,
    pub(crate) halfmove: u16,
    pub(crate) fullmove: u16,
    pub(crate) side: Color,
    pub(crate) rights: u8,
    /// The rolled face, 0 before the roll.
    pub(crate) face: u8,
    pub(crate) is_setup: bool,
    /// 0 for an empty square, else 1 + 2 * kind + color.
    units: [[u8; 64]; N],
}

const fn code(kind: PieceKind, color: Color) -> u8 {
    kind.0 * 2 + color as u8
}

impl<const N: usize, const K: usize> State<N, K> {
    pub(crate) const EMPTY: Self = Self {
        kinds: [Bits::EMPTY; K],
        colors: [Bits::EMPTY; 2],
        en_passant: Bits::EMPTY,
        own_en_passant: Bits::EMPTY,
        moved: Bits::EMPTY,
        key: 0,
        halfmove: 0,
        fullmove: 1,
        side: Color::White,
        rights: 0,
        face: 0,
        is_setup: false,
        units: [[0; 64]; N],
    };

    #[inline]
    pub(crate) fn occupied(&self) -> Bits<N> {
        self.colors[0] | self.colors[1]
    }

    #[inline]
    pub(crate) const fn own(&self) -> Bits<N> {
        self.colors[self.side as usize]
    }

    #[inline]
    pub(crate) const fn enemy(&self) -> Bits<N> {
        self.colors[self.side.opponent() as usize]
    }

    #[inline]
    pub(crate) fn piece_at(&self, square: Square) -> Option<(PieceKind, Color)> {
        let code = self.units[square.index() >> 6][square.index() & 63].checked_sub(1)?;
        Some((PieceKind(code >> 1), if code & 1 == 0 { Color::White } else { Color::Black }))
    }

    #[inline]
    pub(crate) const fn is_empty_at(&self, square: Square) -> bool {
        self.units[square.index() >> 6][square.index() & 63] == 0
    }

    pub(crate) fn count(&self, color: Color, kind: PieceKind) -> u32 {
        (self.kinds[kind.index()] & self.colors[color.index()]).len()
    }

    /// Units of a set of kinds, of both sides.
    #[inline]
    pub(crate) fn of_kinds(&self, mut set: u32) -> Bits<N> {
        let mut res = Bits::EMPTY;
        while set != 0 {
            res |= self.kinds[set.trailing_zeros() as usize];
            set &= set - 1;
        }
        res
    }

    #[inline]
    pub(crate) fn put(
        &mut self,
        rules: &Rules<N, K>,
        square: Square,
        kind: PieceKind,
        color: Color,
    ) {
        let code = code(kind, color);
        self.units[square.index() >> 6][square.index() & 63] = code + 1;
        self.flip(rules, square, code);
    }

    #[inline]
    pub(crate) fn take(
        &mut self,
        rules: &Rules<N, K>,
        square: Square,
        kind: PieceKind,
        color: Color,
    ) {
        self.units[square.index() >> 6][square.index() & 63] = 0;
        self.flip(rules, square, code(kind, color));
    }

    #[inline]
    fn flip(&mut self, rules: &Rules<N, K>, square: Square, code: u8) {
        self.kinds[usize::from(code >> 1)].toggle(square);
        self.colors[usize::from(code & 1)].toggle(square);
        self.key ^= rules.keys.unit(usize::from(code), square);
    }

    /// The hash of everything but the die, clocks and turn number, from scratch.
    pub(crate) fn computed_key(&self, rules: &Rules<N, K>) -> u64 {
        let mut key = rules.keys.rights(self.rights);
        for square in self.occupied() {
            if let Some((kind, color)) = self.piece_at(square) {
                key ^= rules.keys.unit(usize::from(code(kind, color)), square);
            }
        }
        for square in self.en_passant | self.own_en_passant {
            key ^= rules.keys.en_passant(square);
        }
        for square in self.moved {
            key ^= rules.keys.moved(square);
        }
        if self.side == Color::Black {
            key ^= rules.keys.black;
        }
        if self.is_setup {
            key ^= rules.keys.setup;
        }
        key
    }

    /// Whether the side to move may combine several moves in this turn.
    #[inline]
    pub(crate) const fn is_several(&self, rules: &Rules<N, K>) -> bool {
        self.fullmove <= rules.n_several_turns
    }
}
