//! What planes are drawn on: numbers or bytes, packed bits, or a buffer that is drawn on again.

use super::layout::ObservationLayout;
use crate::Square;
use crate::bits::Bits;

/// Takes what the planes of one position show, seen from the mover's side. All planes are zero at
/// first; every constant plane is given its count.
pub(crate) trait Canvas {
    /// Marks the square with index `at` on the mover's board.
    fn mark(&mut self, plane: usize, at: usize);
    /// Marks what `place` says of every square of the real board: a plane and the square's index on
    /// the mover's board.
    #[inline]
    fn mark_each<const N: usize>(
        &mut self,
        squares: Bits<N>,
        place: impl Fn(Square) -> (usize, usize),
    ) {
        squares.for_each(|square| {
            let (plane, at) = place(square);
            self.mark(plane, at);
        });
    }

    /// Sets a constant plane to `count`, or to what its counts are divided by if that is less.
    fn set_count(&mut self, plane: usize, count: u32);
}

/// A number of a plane.
pub(crate) trait Element: Copy + Default + Send + 'static {
    /// A marked square.
    const MARK: Self;
    /// `count` of a constant plane whose counts are divided by `whole`.
    fn share(count: u16, whole: u16) -> Self;
}

impl Element for f32 {
    const MARK: Self = 1.0;

    fn share(count: u16, whole: u16) -> Self {
        Self::from(count) / Self::from(whole)
    }
}

impl Element for u8 {
    const MARK: Self = 1;

    fn share(count: u16, whole: u16) -> Self {
        let (count, whole) = (u32::from(count), u32::from(whole));
        let scale = whole.min(u32::from(Self::MAX));
        ((count * scale + whole / 2) / whole) as Self
    }
}

/// What a constant plane shows.
#[derive(Copy, Clone)]
struct Constant {
    /// Its number among the constant planes.
    number: usize,
    /// At most `whole`.
    count: u16,
    whole: u16,
}

impl Constant {
    #[inline]
    fn share<E: Element>(self) -> E {
        E::share(self.count, self.whole)
    }
}

impl ObservationLayout {
    #[inline]
    fn constant(&self, plane: usize, count: u32) -> Constant {
        let number = usize::from(self.numbered[plane]);
        let whole = self.wholes[number];
        Constant { number, count: count.min(u32::from(whole)) as u16, whole }
    }
}

/// Planes `[C, H, W]` in a buffer of unknown content.
pub(super) struct PlainCanvas<'a, E> {
    layout: &'a ObservationLayout,
    out: &'a mut [E],
}

impl<'a, E: Element> PlainCanvas<'a, E> {
    pub(super) fn blank(layout: &'a ObservationLayout, out: &'a mut [E]) -> Self {
        out.fill(E::default());
        Self { layout, out }
    }
}

impl<E: Element> Canvas for PlainCanvas<'_, E> {
    #[inline]
    fn mark(&mut self, plane: usize, at: usize) {
        self.out[plane * self.layout.size.n_squares() + at] = E::MARK;
    }

    #[inline]
    fn set_count(&mut self, plane: usize, count: u32) {
        if count != 0 {
            let size = self.layout.size.n_squares();
            let share = self.layout.constant(plane, count).share();
            self.out[plane * size..][..size].fill(share);
        }
    }
}

/// What a buffer of planes shows, so that the next observation need not clear all of it.
#[derive(Debug)]
pub(crate) struct Drawn<'a> {
    /// Offsets of the marks.
    pub(crate) marks: &'a mut Vec<u16>,
    /// Counts of the constant planes, `[K]`.
    pub(crate) counts: &'a mut [u16],
}

/// Offsets fit: units of 26 kinds, their counts, 32 faces and a dozen other planes at most.
const _: () = assert!((4 * 26 + 32 + 12) * 256 <= u16::MAX as usize + 1);

/// Removes the marks from a buffer of planes.
#[inline]
pub(crate) fn erase<E: Element>(out: &mut [E], marks: &mut Vec<u16>) {
    for &mark in &*marks {
        out[usize::from(mark)] = E::default();
    }
    marks.clear();
}

/// Planes `[C, H, W]` in a buffer whose content is known.
pub(crate) struct KnownCanvas<'a, E> {
    layout: &'a ObservationLayout,
    out: &'a mut [E],
    drawn: Drawn<'a>,
}

impl<'a, E> KnownCanvas<'a, E> {
    /// Takes `out`, which shows no marks, but the counts of `drawn`.
    pub(crate) const fn erased(
        layout: &'a ObservationLayout,
        out: &'a mut [E],
        drawn: Drawn<'a>,
    ) -> Self {
        Self { layout, out, drawn }
    }
}

impl<E: Element> Canvas for KnownCanvas<'_, E> {
    #[inline]
    fn mark(&mut self, plane: usize, at: usize) {
        let offset = plane * self.layout.size.n_squares() + at;
        self.out[offset] = E::MARK;
        self.drawn.marks.push(offset as u16);
    }

    #[inline]
    fn mark_each<const N: usize>(
        &mut self,
        squares: Bits<N>,
        place: impl Fn(Square) -> (usize, usize),
    ) {
        let (size, marks) = (self.layout.size.n_squares(), &mut *self.drawn.marks);
        let first = marks.len();
        squares.list(marks, |square| {
            let (plane, at) = place(square);
            (plane * size + at) as u16
        });
        for &offset in &marks[first..] {
            self.out[usize::from(offset)] = E::MARK;
        }
    }

    #[inline]
    fn set_count(&mut self, plane: usize, count: u32) {
        let constant = self.layout.constant(plane, count);
        let shown = &mut self.drawn.counts[constant.number];
        if *shown != constant.count {
            *shown = constant.count;
            let size = self.layout.size.n_squares();
            self.out[plane * size..][..size].fill(constant.share());
        }
    }
}

/// Planes of squares as bits, `[P, B]`, and the numbers of the constant planes, `[K]`.
pub(crate) struct PackedCanvas<'a> {
    layout: &'a ObservationLayout,
    squares: &'a mut [u8],
    constants: &'a mut [f32],
}

impl<'a> PackedCanvas<'a> {
    pub(crate) fn blank(
        layout: &'a ObservationLayout,
        squares: &'a mut [u8],
        constants: &'a mut [f32],
    ) -> Self {
        squares.fill(0);
        Self { layout, squares, constants }
    }
}

impl Canvas for PackedCanvas<'_> {
    #[inline]
    fn mark(&mut self, plane: usize, at: usize) {
        let number = usize::from(self.layout.numbered[plane]);
        self.squares[number * self.layout.packed_len() + at / 8] |= 1 << (at % 8);
    }

    #[inline]
    fn set_count(&mut self, plane: usize, count: u32) {
        let constant = self.layout.constant(plane, count);
        self.constants[constant.number] = constant.share();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counts_up_to_255_and_rounded_beyond() {
        for whole in [1, 7, 100, 255] {
            for count in 0..=whole {
                assert_eq!(u16::from(u8::share(count, whole)), count);
                assert_eq!(
                    f32::from(u8::share(count, whole)) / f32::from(whole),
                    f32::share(count, whole)
                );
            }
        }
        assert_eq!(
            [0, 1, 2, 500, 999, 1000].map(|count| u8::share(count, 1000)),
            [0, 0, 1, 128, 255, 255]
        );
    }
}
