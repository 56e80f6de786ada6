//! Writing the planes of one position as numbers, as bytes, or packed.

use super::canvas::{Element, PackedCanvas, PlainCanvas};
use super::layout::ObservationLayout;
use super::{ObservationContext, PlaneContent};
use crate::{Color, Position};

impl ObservationLayout {
    /// Writes the observation of `position` into `out`, `[C, H, W]` row-major, values in `[0, 1]`.
    ///
    /// # Panics
    /// If `out.len()` is not `C * H * W`.
    pub fn encode(&self, position: &Position, context: ObservationContext, out: &mut [f32]) {
        self.encode_plain(position, context, out);
    }

    /// Writes what `viewer` sees of `position` into `out`, as [`ObservationLayout::encode`] does for
    /// the side to move. For the other side `own` and `enemy` change places and ranks are mirrored;
    /// planes about the turn show the turn of the side to move all the same.
    ///
    /// # Panics
    /// If `out.len()` is not `C * H * W`.
    pub fn encode_seen_by(
        &self,
        viewer: Color,
        position: &Position,
        context: ObservationContext,
        out: &mut [f32],
    ) {
        self.check_plain(out);
        self.draw_seen_by(viewer, position, context, &mut PlainCanvas::blank(self, out));
    }

    /// Writes the observation of `position` into `out`, `[C, H, W]` row-major, in bytes: a plane's
    /// numbers times its [`PlaneSpec::full_scale`](super::PlaneSpec::full_scale), so that squares
    /// are 0 or 1 and constants are counts.
    ///
    /// # Panics
    /// If `out.len()` is not `C * H * W`.
    pub fn encode_bytes(&self, position: &Position, context: ObservationContext, out: &mut [u8]) {
        self.encode_plain(position, context, out);
    }

    /// Writes the observation of `position` packed: planes of squares as bits into `squares`,
    /// `[P, B]` with `B` of [`ObservationLayout::packed_len`], square `s` being bit `s % 8` of byte
    /// `s / 8`, and the numbers of the constant planes into `constants`, `[K]`, values in `[0, 1]`.
    ///
    /// # Panics
    /// If `squares.len()` is not `P * B` or `constants.len()` not `K`.
    pub fn encode_packed(
        &self,
        position: &Position,
        context: ObservationContext,
        squares: &mut [u8],
        constants: &mut [f32],
    ) {
        self.check_packed(squares, constants);
        self.draw(position, context, &mut PackedCanvas::blank(self, squares, constants));
    }

    /// Writes a packed observation into `out` as [`ObservationLayout::encode`] would have.
    ///
    /// # Panics
    /// If a length is not that of the layout.
    pub fn unpack(&self, squares: &[u8], constants: &[f32], out: &mut [f32]) {
        self.check_packed(squares, constants);
        self.check_plain(out);
        for (index, plane) in out.chunks_exact_mut(self.size.n_squares()).enumerate() {
            let number = usize::from(self.numbered[index]);
            match self.planes()[index].content {
                PlaneContent::Squares => {
                    let bits = &squares[number * self.packed_len()..][..self.packed_len()];
                    for (square, out) in plane.iter_mut().enumerate() {
                        *out = f32::from(bits[square / 8] >> (square % 8) & 1);
                    }
                }
                PlaneContent::Constant { .. } => plane.fill(constants[number]),
            }
        }
    }

    fn encode_plain<E: Element>(
        &self,
        position: &Position,
        context: ObservationContext,
        out: &mut [E],
    ) {
        self.check_plain(out);
        self.draw(position, context, &mut PlainCanvas::blank(self, out));
    }

    fn check_plain<E>(&self, out: &[E]) {
        let expected = self.n_planes() * self.size.n_squares();
        assert_eq!(out.len(), expected, "an observation of this variant has {expected} numbers");
    }

    fn check_packed(&self, squares: &[u8], constants: &[f32]) {
        let expected = (self.n_of_squares * self.packed_len(), self.wholes.len());
        assert_eq!(
            (squares.len(), constants.len()),
            expected,
            "a packed observation of this variant has {} bytes and {} numbers",
            expected.0,
            expected.1
        );
    }
}
