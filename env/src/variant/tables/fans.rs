//! The rays of a kind from every square, for quick use.

use super::lanes::Lanes;
use super::{Leaps, Ray};
use crate::Square;
use crate::bits::Bits;

/// Rays of one sort from every square, in lanes.
#[derive(Clone, Debug)]
pub(super) struct Fans<const N: usize> {
    /// Blocks of lanes a square.
    n_rising: usize,
    n_falling: usize,
    rising: Vec<Lanes<N>>,
    /// On the mirrored board.
    falling: Vec<Lanes<N>>,
}

/// All units of a position, as rays want them.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Obstacles<const N: usize> {
    pub(crate) squares: Bits<N>,
    mirrored: Bits<N>,
}

impl<const N: usize> Obstacles<N> {
    #[inline]
    pub(crate) fn new(squares: Bits<N>) -> Self {
        Self { squares, mirrored: squares.mirrored() }
    }

    /// All but the unit on `square`.
    #[inline]
    pub(crate) fn without(mut self, square: Square) -> Self {
        self.squares.remove(square);
        self.mirrored.remove(square.mirrored::<N>());
        self
    }
}

/// Squares found along rays: on the board, and on the mirrored one.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Reached<const N: usize> {
    pub(crate) direct: Bits<N>,
    pub(crate) mirrored: Bits<N>,
}

impl<const N: usize> Reached<N> {
    pub(crate) const EMPTY: Self = Self { direct: Bits::EMPTY, mirrored: Bits::EMPTY };

    #[inline]
    pub(crate) fn squares(self) -> Bits<N> {
        self.direct | self.mirrored.mirrored()
    }
}

impl<const N: usize> Fans<N> {
    /// Those rays of every square that `is_wanted` chooses.
    pub(super) fn new(moves: &[(Leaps<N>, Vec<Ray>)], is_wanted: impl Fn(&Ray) -> bool) -> Self {
        let chosen = |rises| {
            let of_square = |rays: &Vec<Ray>| -> Vec<Bits<N>> {
                let rays = rays.iter().filter(|ray| ray.rises() == rises && is_wanted(ray));
                let squares = rays.map(|ray| ray.squares.iter().copied().collect());
                squares.map(|ray: Bits<N>| if rises { ray } else { ray.mirrored() }).collect()
            };
            Lanes::table(moves.iter().map(|(_, rays)| of_square(rays)).collect())
        };
        let ((n_rising, rising), (n_falling, falling)) = (chosen(true), chosen(false));
        Self { n_rising, n_falling, rising, falling }
    }

    #[inline]
    pub(super) const fn is_empty(&self) -> bool {
        self.n_rising | self.n_falling == 0
    }

    /// Adds all squares up to the first unit, the unit's included.
    #[inline]
    pub(super) fn add(&self, from: Square, obstacles: &Obstacles<N>, reached: &mut Reached<N>) {
        self.add_along(from, obstacles, reached, |lanes, units| lanes.reached(units));
    }

    /// Adds all squares behind the first unit up to the second, the second's included.
    #[inline]
    pub(super) fn add_hopped(
        &self,
        from: Square,
        obstacles: &Obstacles<N>,
        reached: &mut Reached<N>,
    ) {
        self.add_along(from, obstacles, reached, |lanes, units| lanes.hopped(units));
    }

    #[inline]
    pub(super) fn reached(&self, from: Square, obstacles: &Obstacles<N>) -> Reached<N> {
        let mut reached = Reached::EMPTY;
        self.add(from, obstacles, &mut reached);
        reached
    }

    #[inline(always)]
    fn add_along(
        &self,
        from: Square,
        obstacles: &Obstacles<N>,
        reached: &mut Reached<N>,
        squares: impl Fn(&Lanes<N>, Bits<N>) -> Bits<N>,
    ) {
        // Nearly all kinds have at most four rays each way: straight-line code without a loop.
        if self.n_rising == 1 && self.n_falling == 1 {
            reached.direct |= squares(&self.rising[from.index()], obstacles.squares);
            reached.mirrored |= squares(&self.falling[from.index()], obstacles.mirrored);
            return;
        }
        let start = from.index() * self.n_rising;
        for lanes in &self.rising[start..start + self.n_rising] {
            reached.direct |= squares(lanes, obstacles.squares);
        }
        let start = from.index() * self.n_falling;
        for lanes in &self.falling[start..start + self.n_falling] {
            reached.mirrored |= squares(lanes, obstacles.mirrored);
        }
    }
}
