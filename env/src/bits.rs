//! Sets of squares, one bit a square, in as many words as the board needs.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::Square;

/// A set of squares of a board with at most `64 * N` squares.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct Bits<const N: usize>([u64; N]);

impl<const N: usize> Bits<N> {
    pub(crate) const EMPTY: Self = Self([0; N]);
    pub(crate) const ALL: Self = Self([u64::MAX; N]);

    #[inline]
    pub(crate) const fn of(square: Square) -> Self {
        let mut words = [0; N];
        words[square.index() >> 6] = 1 << (square.index() & 63);
        Self(words)
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline]
    pub(crate) fn any(self) -> bool {
        !self.is_empty()
    }

    #[inline]
    pub(crate) const fn contains(self, square: Square) -> bool {
        self.0[square.index() >> 6] >> (square.index() & 63) & 1 != 0
    }

    #[inline]
    pub(crate) fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether there are at least two squares.
    #[inline]
    pub(crate) fn is_several(self) -> bool {
        self.without_first().any()
    }

    /// The square with the lowest index.
    #[inline]
    pub(crate) fn first(self) -> Option<Square> {
        for (index, &word) in self.0.iter().enumerate() {
            if word != 0 {
                return Some(Square((index as u32 * 64 + word.trailing_zeros()) as u8));
            }
        }
        None
    }

    /// All squares but the one with the lowest index.
    #[inline]
    pub(crate) fn without_first(self) -> Self {
        let mut words = self.0;
        let mut borrow = 1;
        for word in &mut words {
            let old = *word;
            *word = old & old.wrapping_sub(borrow);
            borrow &= u64::from(old == 0);
        }
        Self(words)
    }

    /// Calls `visit` with every square, in ascending order; faster than the iterator.
    #[inline]
    pub(crate) fn for_each(self, mut visit: impl FnMut(Square)) {
        for (index, &word) in self.0.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                visit(Square((index as u32 * 64 + rest.trailing_zeros()) as u8));
                rest &= rest - 1;
            }
        }
    }

    /// Appends what `make` turns every square into, in ascending order. Four at a time, the last
    /// ones in vain: a processor guesses the number of fours far better than that of squares.
    #[inline]
    pub(crate) fn list<T: Copy>(self, list: &mut Vec<T>, mut make: impl FnMut(Square) -> T) {
        for (index, &word) in self.0.iter().enumerate() {
            if N > 1 && word == 0 {
                continue;
            }
            let end = list.len() + word.count_ones() as usize;
            let mut rest = word;
            let mut next = || {
                let square = Square((index as u32 * 64 + (rest.trailing_zeros() & 63)) as u8);
                rest &= rest.wrapping_sub(1);
                make(square)
            };
            loop {
                list.extend_from_slice(&[next(), next(), next(), next()]);
                if list.len() >= end {
                    break;
                }
            }
            list.truncate(end);
        }
    }

    #[inline]
    pub(crate) fn insert(&mut self, square: Square) {
        self.0[square.index() >> 6] |= 1 << (square.index() & 63);
    }

    #[inline]
    pub(crate) fn remove(&mut self, square: Square) {
        self.0[square.index() >> 6] &= !(1 << (square.index() & 63));
    }

    #[inline]
    pub(crate) fn toggle(&mut self, square: Square) {
        self.0[square.index() >> 6] ^= 1 << (square.index() & 63);
    }

    #[inline]
    pub(crate) fn and_not(self, other: Self) -> Self {
        self & !other
    }

    /// All squares up to and including the lowest of `self`; all squares if there is none.
    #[inline]
    pub(crate) fn up_to_first(self) -> Self {
        let mut words = self.0;
        let mut open = 1;
        for word in &mut words {
            let old = *word;
            *word = old ^ old.wrapping_sub(open);
            open &= u64::from(old == 0);
        }
        Self(words)
    }

    /// All squares from the highest of `self` on; all squares if there is none.
    #[inline]
    pub(crate) fn since_last(self) -> Self {
        let mut words = self.0;
        let mut open = u64::MAX;
        for word in words.iter_mut().rev() {
            let old = *word;
            *word = (u64::MAX << (63 - (old | 1).leading_zeros())) & open;
            open &= u64::from(old != 0).wrapping_sub(1);
        }
        Self(words)
    }

    /// The same squares, all indices raised by `delta`, which lies between -63 and 63. Squares
    /// that would leave the board's words are lost.
    #[inline]
    pub(crate) fn shifted(self, delta: i8) -> Self {
        let mut words = self.0;
        let n = u32::from(delta.unsigned_abs());
        if delta >= 0 {
            let mut carry = 0;
            for word in &mut words {
                let old = *word;
                *word = old << n | carry;
                carry = old >> 1 >> (63 - n);
            }
        } else {
            let mut carry = 0;
            for word in words.iter_mut().rev() {
                let old = *word;
                *word = old >> n | carry;
                carry = old << 1 << (63 - n);
            }
        }
        Self(words)
    }

    /// The words, from that of the lowest squares on.
    #[inline]
    pub(crate) const fn words(self) -> [u64; N] {
        self.0
    }

    #[inline]
    pub(crate) const fn from_words(words: [u64; N]) -> Self {
        Self(words)
    }

    /// The squares seen from the other end: the first bit becomes the last.
    #[inline]
    pub(crate) fn mirrored(self) -> Self {
        let mut words = self.0;
        words.reverse();
        words.iter_mut().for_each(|word| *word = word.reverse_bits());
        Self(words)
    }

    /// The same squares in the widest form.
    pub(crate) fn widened(self) -> Bits<4> {
        self.into_iter().collect()
    }

    /// All squares with a lower index than `square`.
    pub(crate) fn below(square: Square) -> Self {
        let mut words = [0; N];
        for (index, word) in words.iter_mut().enumerate() {
            *word = match square.index().saturating_sub(index * 64) {
                n @ 0..64 => (1 << n) - 1,
                _ => u64::MAX,
            };
        }
        Self(words)
    }
}

impl<const N: usize> FromIterator<Square> for Bits<N> {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        let mut res = Self::EMPTY;
        squares.into_iter().for_each(|square| res.insert(square));
        res
    }
}

/// Squares of a [`Bits`], in ascending order.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Squares<const N: usize> {
    words: [u64; N],
    index: usize,
}

impl<const N: usize> IntoIterator for Bits<N> {
    type Item = Square;
    type IntoIter = Squares<N>;

    #[inline]
    fn into_iter(self) -> Squares<N> {
        Squares { words: self.0, index: 0 }
    }
}

impl<const N: usize> Iterator for Squares<N> {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        while self.index < N {
            let word = self.words[self.index];
            if word != 0 {
                self.words[self.index] = word & (word - 1);
                return Some(Square((self.index as u32 * 64 + word.trailing_zeros()) as u8));
            }
            self.index += 1;
        }
        None
    }
}

impl<const N: usize> BitAnd for Bits<N> {
    type Output = Self;

    #[inline]
    fn bitand(mut self, other: Self) -> Self {
        self &= other;
        self
    }
}

impl<const N: usize> BitOr for Bits<N> {
    type Output = Self;

    #[inline]
    fn bitor(mut self, other: Self) -> Self {
        self |= other;
        self
    }
}

impl<const N: usize> BitXor for Bits<N> {
    type Output = Self;

    #[inline]
    fn bitxor(mut self, other: Self) -> Self {
        self ^= other;
        self
    }
}

impl<const N: usize> BitAndAssign for Bits<N> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= other);
    }
}

impl<const N: usize> BitOrAssign for Bits<N> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
    }
}

impl<const N: usize> BitXorAssign for Bits<N> {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word ^= other);
    }
}

impl<const N: usize> Not for Bits<N> {
    type Output = Self;

    #[inline]
    fn not(mut self) -> Self {
        self.0.iter_mut().for_each(|word| *word = !*word);
        self
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn set(squares: &[u8]) -> Bits<3> {
        squares.iter().map(|&index| Square(index)).collect()
    }

    proptest! {
        #[test]
        fn masks_agree_with_membership(squares in proptest::collection::btree_set(0u8..192, 0..6), at in 0u8..192) {
            let squares: Vec<u8> = squares.into_iter().collect();
            let bits = set(&squares);
            let found: Vec<u8> = bits.into_iter().map(|square| square.0).collect();
            prop_assert_eq!(&found, &squares);
            let mut listed = Vec::new();
            bits.list(&mut listed, |square| square.0);
            prop_assert_eq!(&listed, &squares);
            prop_assert_eq!(bits.len() as usize, squares.len());
            prop_assert_eq!(bits.first().map(|square| square.0), squares.first().copied());
            prop_assert_eq!(bits.without_first(), set(squares.get(1..).unwrap_or(&[])));
            prop_assert_eq!(bits.is_several(), squares.len() > 1);
            prop_assert_eq!(bits.up_to_first().contains(Square(at)), squares.first().is_none_or(|&first| at <= first));
            prop_assert_eq!(bits.mirrored().contains(Square(191 - at)), squares.contains(&at));
            prop_assert_eq!(bits.since_last().contains(Square(at)), squares.last().is_none_or(|&last| at >= last));
            for delta in [-63, -13, 0, 1, 12, 63] {
                let moved = |&square: &u8| u8::try_from(i16::from(square) + i16::from(delta)).ok();
                let moved: Vec<u8> = squares.iter().filter_map(moved).filter(|&at| at < 192).collect();
                prop_assert_eq!(bits.shifted(delta), set(&moved));
            }
            let other = squares.first().copied().unwrap_or(7);
            prop_assert_eq!(Bits::<3>::below(Square(other)).contains(Square(at)), at < other);
        }
    }
}
