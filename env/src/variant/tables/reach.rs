//! What units can reach on some board, whatever stands in their way now.

use super::{KindMoves, NO_RAY};
use crate::Square;
use crate::bits::Bits;

impl<const N: usize> KindMoves<N> {
    /// Squares on which a ray from `from` captures on some board.
    pub(crate) fn ray_captures(&self, from: Square) -> Bits<N> {
        let n_squares = self.leaps.len();
        let codes = &self.ray_at[from.index() * n_squares..][..n_squares];
        let is_reached = |(to, &code): (usize, &u8)| (code != NO_RAY).then_some(Square(to as u8));
        codes.iter().enumerate().filter_map(is_reached).collect()
    }

    /// Squares that a unit on `from` reaches on some board, by move or capture.
    pub(crate) fn reach(&self, from: Square) -> Bits<N> {
        self.move_reach(from) | self.capture_reach(from)
    }

    /// Squares that a unit on `from` can move to on some board.
    pub(crate) fn move_reach(&self, from: Square) -> Bits<N> {
        let quiet = self.odd_leaps.get(from.index()).map_or(Bits::EMPTY, |leaps| leaps.quiet);
        let rays = &self.rays[from.index() * self.stride..][..self.stride];
        let rays = &rays[..self.groups[2].start];
        let odd = self.odd_rays[from.index()].iter().filter(|ray| ray.moves);
        let slides = rays.iter().copied().chain(odd.map(|ray| ray.stops));
        slides.fold(self.leaps[from.index()] | quiet, |all, ray| all | ray)
    }

    /// Squares that a unit on `from` can capture on, en passant included, on some board.
    pub(crate) fn capture_reach(&self, from: Square) -> Bits<N> {
        self.leap_captures(from) | self.ray_captures(from) | self.en_passant(from)
    }
}
