//! Which shortcuts the moves of a kind allow.

use super::{Leaps, Ray, Way};
use crate::Square;
use crate::bits::Bits;

/// Which part of the tables describes a kind completely.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) enum Shape {
    /// Leaps that move or capture.
    Leaps,
    /// Plain rays that move or capture. Where a ray whose square indices rise and one whose indices
    /// fall have a square in common, both begin with it.
    Slides,
    /// Set moves.
    Steps,
    /// All of the tables; no square lies both on a falling ray and on another line or leap.
    Disjoint,
    /// All of the tables.
    Mixed,
}

impl Shape {
    /// The shape of a kind with these moves from every square and no set moves.
    pub(super) fn of<const N: usize>(moves: &[(Leaps<N>, Vec<Ray>)]) -> Self {
        let all = |fits: fn(&(Leaps<N>, Vec<Ray>)) -> bool| moves.iter().all(fits);
        let has_one_way = all(|(leaps, rays)| {
            leaps.quiet.is_empty()
                && leaps.takes.is_empty()
                && rays.iter().all(|ray| ray.is_plain() && ray.way == Way::Both)
        });
        if has_one_way && all(|(_, rays)| rays.is_empty()) {
            Self::Leaps
        } else if has_one_way
            && all(|(leaps, rays)| leaps.both.is_empty() && share_first_squares(rays))
        {
            Self::Slides
        } else if all(|(leaps, rays)| is_disjoint(leaps, rays)) {
            Self::Disjoint
        } else {
            Self::Mixed
        }
    }
}

/// [`shared`] of every square, on the mirrored board; empty if there are none.
pub(super) fn shared_squares<const N: usize>(moves: &[(Leaps<N>, Vec<Ray>)]) -> Vec<Bits<N>> {
    let of_square = |rays: &[Ray]| shared(rays).collect::<Bits<N>>().mirrored();
    let all: Vec<Bits<N>> = moves.iter().map(|(_, rays)| of_square(rays)).collect();
    if all.iter().all(|squares| squares.is_empty()) { Vec::new() } else { all }
}

/// Squares on both a rising and a falling ray, as the first ones of a gryphon's bent rays are.
fn shared(rays: &[Ray]) -> impl Iterator<Item = Square> {
    let on = |square: &Square, rises| {
        rays.iter().any(|ray| ray.rises() == rises && ray.squares.contains(square))
    };
    let all = rays.iter().flat_map(|ray| ray.squares.iter().copied());
    all.filter(move |square| on(square, true) && on(square, false))
}

/// Whether a shared square is the first of every ray it lies on, and so reached by all or none.
fn share_first_squares(rays: &[Ray]) -> bool {
    shared(rays).all(|square| {
        rays.iter()
            .all(|ray| !ray.squares.contains(&square) || ray.squares.first() == Some(&square))
    })
}

/// Whether no falling plain ray has a square in common with anything else.
fn is_disjoint<const N: usize>(leaps: &Leaps<N>, rays: &[Ray]) -> bool {
    let is_split = |ray: &&Ray| (ray.is_plain() || ray.is_plain_hop()) && !ray.rises();
    let squares = |ray: &Ray| ray.squares.iter().copied().collect::<Bits<N>>();
    let direct = rays.iter().filter(|ray| !is_split(ray));
    let direct = direct.fold(leaps.both | leaps.quiet | leaps.takes, |all, ray| all | squares(ray));
    rays.iter().filter(is_split).all(|ray| (squares(ray) & direct).is_empty())
}
