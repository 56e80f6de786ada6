//! The rays of a kind from every square, for quick use.

use std::ops::{BitAnd, BitOrAssign, Not};

use super::lanes::Lanes;
use super::{Leaps, Ray, WAYS, Way};
use crate::Square;
use crate::bits::Bits;

/// Rays of one sort from every square, in lanes.
#[derive(Clone, Debug)]
pub(super) struct Fans<const N: usize> {
    pub(super) way: Way,
    /// Whether they pass over one unit.
    hops: bool,
    /// Blocks of lanes a square.
    n_rising: usize,
    n_falling: usize,
    rising: Vec<Lanes<N>>,
    /// On the mirrored board.
    falling: Vec<Lanes<N>>,
}

/// Squares on the board and squares on the mirrored one: of rays whose indices rise or fall.
#[derive(Copy, Clone, Debug)]
pub(crate) struct BothWays<const N: usize> {
    pub(crate) direct: Bits<N>,
    pub(crate) mirrored: Bits<N>,
}

/// All units of a position, as rays want them: the same squares both ways.
pub(crate) type Obstacles<const N: usize> = BothWays<N>;

impl<const N: usize> BothWays<N> {
    pub(crate) const EMPTY: Self = Self { direct: Bits::EMPTY, mirrored: Bits::EMPTY };

    /// The same squares both ways.
    #[inline]
    pub(crate) fn new(squares: Bits<N>) -> Self {
        Self { direct: squares, mirrored: squares.mirrored() }
    }

    /// All but `square`, both ways.
    #[inline]
    pub(crate) fn without(mut self, square: Square) -> Self {
        self.direct.remove(square);
        self.mirrored.remove(square.mirrored::<N>());
        self
    }

    /// All of them on the board.
    #[inline]
    pub(crate) fn squares(self) -> Bits<N> {
        self.direct | self.mirrored.mirrored()
    }
}

impl<const N: usize> BitAnd for BothWays<N> {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self { direct: self.direct & other.direct, mirrored: self.mirrored & other.mirrored }
    }
}

impl<const N: usize> BitOrAssign for BothWays<N> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.direct |= other.direct;
        self.mirrored |= other.mirrored;
    }
}

impl<const N: usize> Not for BothWays<N> {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self { direct: !self.direct, mirrored: !self.mirrored }
    }
}

impl<const N: usize> Fans<N> {
    /// All rays that are plain, or hop and are plain otherwise, sorted by what they do.
    pub(super) fn all(moves: &[(Leaps<N>, Vec<Ray>)]) -> Vec<Self> {
        let sorts = [false, true].into_iter().flat_map(|hops| WAYS.map(|way| (way, hops)));
        let fans = sorts.map(|(way, hops)| Self::new(moves, way, hops));
        fans.filter(|fans| fans.n_rising | fans.n_falling != 0).collect()
    }

    fn new(moves: &[(Leaps<N>, Vec<Ray>)], way: Way, hops: bool) -> Self {
        let is_wanted =
            |ray: &&Ray| ray.way == way && if hops { ray.is_plain_hop() } else { ray.is_plain() };
        let chosen = |rises| {
            let of_square = |rays: &Vec<Ray>| -> Vec<Bits<N>> {
                let rays = rays.iter().filter(is_wanted).filter(|ray| ray.rises() == rises);
                let squares = rays.map(|ray| ray.squares.iter().copied().collect());
                squares.map(|ray: Bits<N>| if rises { ray } else { ray.mirrored() }).collect()
            };
            Lanes::table(moves.iter().map(|(_, rays)| of_square(rays)).collect())
        };
        let ((n_rising, rising), (n_falling, falling)) = (chosen(true), chosen(false));
        Self { way, hops, n_rising, n_falling, rising, falling }
    }

    /// All squares up to the first unit, the unit's included; of rays that hop, those behind the
    /// first unit up to the second, the second's included.
    #[inline]
    pub(super) fn reached(&self, from: Square, obstacles: &Obstacles<N>) -> BothWays<N> {
        if self.hops {
            self.reached_along(from, obstacles, |lanes, units| lanes.hopped(units))
        } else {
            self.reached_along(from, obstacles, |lanes, units| lanes.reached(units))
        }
    }

    #[inline(always)]
    fn reached_along(
        &self,
        from: Square,
        obstacles: &Obstacles<N>,
        squares: impl Fn(&Lanes<N>, Bits<N>) -> Bits<N>,
    ) -> BothWays<N> {
        // Nearly all kinds have at most four rays each way: straight-line code without a loop.
        if self.n_rising == 1 && self.n_falling == 1 {
            return BothWays {
                direct: squares(&self.rising[from.index()], obstacles.direct),
                mirrored: squares(&self.falling[from.index()], obstacles.mirrored),
            };
        }
        let mut reached = BothWays::EMPTY;
        let start = from.index() * self.n_rising;
        for lanes in &self.rising[start..start + self.n_rising] {
            reached.direct |= squares(lanes, obstacles.direct);
        }
        let start = from.index() * self.n_falling;
        for lanes in &self.falling[start..start + self.n_falling] {
            reached.mirrored |= squares(lanes, obstacles.mirrored);
        }
        reached
    }
}
