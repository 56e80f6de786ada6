//! How observations are stored: as numbers, as bytes, or packed.

use ndarray::{Array2, Array3, Array4};

use super::divide::{Divide, Table};
use crate::observation::{Drawn, Element, KnownCanvas, PackedCanvas, erase};
use crate::{ObservationContext, Position, Variant};

/// A way to store observations: `u8`, `f32` or [`Packed`].
pub trait ObservationFormat: sealed::Format {}

/// Numbers in `[0, 1]`, `[N, C, H, W]`, as [`ObservationLayout::encode`](crate::ObservationLayout::encode)
/// writes them.
impl ObservationFormat for f32 {}

/// Bytes, `[N, C, H, W]`, as
/// [`ObservationLayout::encode_bytes`](crate::ObservationLayout::encode_bytes) writes them.
impl ObservationFormat for u8 {}

/// One bit a square, as [`ObservationLayout::encode_packed`](crate::ObservationLayout::encode_packed)
/// writes them. See [`PackedPlanes`].
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Packed {}

impl ObservationFormat for Packed {}

/// Packed observations; [`ObservationLayout::unpack`](crate::ObservationLayout::unpack) turns one of
/// them into numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct PackedPlanes {
    /// `[N, P, B]`: the planes of squares, in order. Square `s` is bit `s % 8` of byte `s / 8`.
    pub squares: Array3<u8>,
    /// `[N, K]`: the numbers of the constant planes, in order, in `[0, 1]`.
    pub constants: Array2<f32>,
}

pub(super) mod sealed {
    use super::{Divide, Variant};

    /// What a format knows about its buffers.
    pub trait Format: 'static {
        /// The observations of a batch.
        type Array: Send;
        /// What the buffers show.
        type Known: Send;
        /// The buffers of some of the games.
        type Rows<'a>: super::Draw + Divide + Send;

        /// Observations that are all zero.
        fn zeros(variant: &Variant, n_games: usize) -> (Self::Array, Self::Known);
        /// The buffers of all games.
        fn rows<'a>(array: &'a mut Self::Array, known: &'a mut Self::Known) -> Self::Rows<'a>;
    }
}

/// Draws observations into the buffers of some games.
pub trait Draw {
    /// Prepares the buffers of one of the games for its next observation.
    fn erase(&mut self, game: usize);
    /// Draws the observation of one of the games into its buffers, which were erased.
    fn draw(&mut self, game: usize, position: &Position, context: ObservationContext);
}

const STANDARD: &str = "arrays are made in standard layout";

/// What a buffer of plain planes shows.
#[derive(Debug)]
pub struct KnownPlanes {
    marks: Vec<Vec<u16>>,
    /// `[N, K]`.
    counts: Vec<u16>,
}

/// Plain planes of some games.
#[derive(Debug)]
pub struct PlainRows<'a, E> {
    planes: Table<'a, E>,
    marks: &'a mut [Vec<u16>],
    counts: Table<'a, u16>,
}

impl<E: Element> sealed::Format for E {
    type Array = Array4<E>;
    type Known = KnownPlanes;
    type Rows<'a> = PlainRows<'a, E>;

    fn zeros(variant: &Variant, n_games: usize) -> (Array4<E>, KnownPlanes) {
        let (layout, size) = (variant.observation(), variant.size());
        let (ranks, files) = (usize::from(size.ranks()), usize::from(size.files()));
        let array = Array4::from_elem((n_games, layout.n_planes(), ranks, files), E::default());
        // Few squares but those with units are marked in most positions.
        let marks = (0..n_games).map(|_| Vec::with_capacity(size.n_squares() / 2)).collect();
        let counts = vec![0; n_games * layout.n_constants()];
        (array, KnownPlanes { marks, counts })
    }

    fn rows<'a>(array: &'a mut Array4<E>, known: &'a mut KnownPlanes) -> PlainRows<'a, E> {
        let n_games = known.marks.len();
        PlainRows {
            planes: Table::new(array.as_slice_mut().expect(STANDARD), n_games),
            marks: &mut known.marks,
            counts: Table::new(&mut known.counts, n_games),
        }
    }
}

impl<E: Element> Draw for PlainRows<'_, E> {
    #[inline]
    fn erase(&mut self, game: usize) {
        erase(self.planes.row(game), &mut self.marks[game]);
    }

    #[inline]
    fn draw(&mut self, game: usize, position: &Position, context: ObservationContext) {
        let layout = position.variant().observation();
        let drawn = Drawn { marks: &mut self.marks[game], counts: self.counts.row(game) };
        let mut canvas = KnownCanvas::erased(layout, self.planes.row(game), drawn);
        layout.draw(position, context, &mut canvas);
    }
}

impl<E: Element> Divide for PlainRows<'_, E> {
    fn divide(self, n_games: usize) -> (Self, Self) {
        let (planes, planes_rest) = self.planes.divide(n_games);
        let (marks, marks_rest) = self.marks.divide(n_games);
        let (counts, counts_rest) = self.counts.divide(n_games);
        let rest = Self { planes: planes_rest, marks: marks_rest, counts: counts_rest };
        (Self { planes, marks, counts }, rest)
    }
}

/// Packed planes of some games.
#[derive(Debug)]
pub struct PackedRows<'a> {
    squares: Table<'a, u8>,
    constants: Table<'a, f32>,
}

impl sealed::Format for Packed {
    type Array = PackedPlanes;
    type Known = ();
    type Rows<'a> = PackedRows<'a>;

    fn zeros(variant: &Variant, n_games: usize) -> (PackedPlanes, ()) {
        let layout = variant.observation();
        let squares = Array3::zeros((n_games, layout.n_planes_of_squares(), layout.packed_len()));
        let constants = Array2::zeros((n_games, layout.n_constants()));
        (PackedPlanes { squares, constants }, ())
    }

    fn rows<'a>(array: &'a mut PackedPlanes, (): &'a mut ()) -> PackedRows<'a> {
        let n_games = array.squares.shape()[0];
        PackedRows {
            squares: Table::new(array.squares.as_slice_mut().expect(STANDARD), n_games),
            constants: Table::new(array.constants.as_slice_mut().expect(STANDARD), n_games),
        }
    }
}

impl Draw for PackedRows<'_> {
    fn erase(&mut self, _: usize) {}

    #[inline]
    fn draw(&mut self, game: usize, position: &Position, context: ObservationContext) {
        let layout = position.variant().observation();
        let (squares, constants) = (self.squares.row(game), self.constants.row(game));
        layout.draw(position, context, &mut PackedCanvas::blank(layout, squares, constants));
    }
}

impl Divide for PackedRows<'_> {
    fn divide(self, n_games: usize) -> (Self, Self) {
        let (squares, squares_rest) = self.squares.divide(n_games);
        let (constants, constants_rest) = self.constants.divide(n_games);
        let rest = Self { squares: squares_rest, constants: constants_rest };
        (Self { squares, constants }, rest)
    }
}
