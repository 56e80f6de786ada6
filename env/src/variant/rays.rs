//! Leaps and rays from one square, worked out from Betza parts.

use super::betza::{Offset, Part, Path};
use super::spec::PieceSpec;
use super::tables::Leaps;
use crate::{BoardSize, Color, Square};

/// The most rays from one square: their numbers must fit a byte beside a bit.
pub(super) const MAX_RAYS: usize = 120;

/// What a ray may do.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) enum Way {
    Both,
    Moves,
    Captures,
}

/// A ray: squares in the order a unit passes them.
#[derive(Clone, Debug)]
pub(super) struct Ray {
    pub(super) squares: Vec<Square>,
    /// Those of `squares` on which it may end.
    pub(super) stops: Vec<Square>,
    pub(super) way: Way,
    /// Whether it must pass over exactly one unit.
    pub(super) hops: bool,
}

impl Ray {
    /// Whether square indices rise along the ray.
    pub(super) fn rises(&self) -> bool {
        self.squares.first() < self.squares.last() || self.squares.len() == 1
    }

    /// Whether it slides: it may end on any square up to the first unit.
    pub(super) fn is_plain(&self) -> bool {
        !self.hops && self.squares == self.stops
    }

    /// Whether it passes over one unit and may end on any square behind it up to the next.
    pub(super) fn is_plain_hop(&self) -> bool {
        // No unit stands before the first square.
        self.hops && self.squares.get(1..) == Some(&self.stops)
    }
}

/// One square's moves while they are collected.
struct Collector<'a, const N: usize> {
    size: BoardSize,
    color: Color,
    from: Square,
    leaps: &'a mut Leaps<N>,
    rays: Vec<Ray>,
}

/// Leaps of `piece` from `from`, and its rays; the error says why the tables cannot hold them.
pub(super) fn moves_from<const N: usize>(
    piece: &PieceSpec,
    color: Color,
    size: BoardSize,
    from: Square,
) -> Result<(Leaps<N>, Vec<Ray>), String> {
    let mut leaps = Leaps::default();
    let mut collector = Collector { size, color, from, leaps: &mut leaps, rays: Vec::new() };
    for part in &piece.parts {
        part.leaps.iter().for_each(|&leap| collector.add(part, leap));
    }
    let own_rank = match color {
        Color::White => size.rank_of(from).0,
        Color::Black => size.ranks() - 1 - size.rank_of(from).0,
    };
    let steps = collector.walk(from, (0, 1), piece.steps[usize::from(own_rank)]);
    if !steps.is_empty() {
        let stops = steps.clone();
        collector.rays.push(Ray { squares: steps, stops, way: Way::Moves, hops: false });
    }
    let rays = tidy(collector.rays, &mut leaps);
    check(&rays, size, from)?;
    Ok((leaps, rays))
}

impl<const N: usize> Collector<'_, N> {
    fn add(&mut self, part: &Part, leap: Offset) {
        let Some(first) = step(self.size, self.color, self.from, leap) else { return };
        if part.modes.en_passant {
            self.leaps.en_passant.insert(first);
        }
        let way = match (part.modes.moves, part.modes.captures) {
            (true, true) => Way::Both,
            (true, false) => Way::Moves,
            (false, _) => Way::Captures,
        };
        let mut ray = |squares: Vec<Square>, stops: Vec<Square>, hops: bool| {
            self.rays.push(Ray { squares, stops, way, hops });
        };
        match (part.path, &part.then) {
            (Path::Lame, _) => {
                let unit = (leap.0.signum(), leap.1.signum());
                let n = leap.0.unsigned_abs().max(leap.1.unsigned_abs());
                let squares = walk(self.size, self.color, self.from, unit, n);
                ray(squares, vec![first], false);
            }
            (_, Some((turns, range))) => {
                for turn in turns.iter().filter(|turn| is_outward(leap, **turn)) {
                    let mut squares = vec![first];
                    squares.extend(walk(self.size, self.color, first, *turn, *range));
                    ray(squares.clone(), squares, false);
                }
            }
            (Path::Hop, None) => {
                let squares = walk(self.size, self.color, self.from, leap, part.range);
                let stops = squares[1..].to_vec();
                ray(squares, stops, true);
            }
            (Path::Free, None) if part.range > 1 => {
                let squares = walk(self.size, self.color, self.from, leap, part.range);
                ray(squares.clone(), squares, false);
            }
            (Path::Free, None) => match way {
                Way::Both => self.leaps.both.insert(first),
                Way::Moves => self.leaps.quiet.insert(first),
                Way::Captures => self.leaps.takes.insert(first),
            },
        }
    }

    fn walk(&self, from: Square, offset: Offset, n: u8) -> Vec<Square> {
        walk(self.size, self.color, from, offset, n)
    }
}

/// Drops what says nothing new: rays inside others, quiet leaps that begin a ray.
fn tidy<const N: usize>(mut rays: Vec<Ray>, leaps: &mut Leaps<N>) -> Vec<Ray> {
    // A lame leap over a square that the unit may also step to is a ray of two squares.
    for ray in rays.iter_mut().filter(|ray| !ray.hops && ray.way == Way::Moves) {
        let skipped = ray.squares.iter().filter(|square| !ray.stops.contains(square)).count();
        let starts_with_leap =
            ray.squares.first().is_some_and(|&first| leaps.quiet.contains(first));
        if starts_with_leap && skipped == 1 {
            ray.stops.clone_from(&ray.squares);
        }
    }
    let mut kept: Vec<Ray> = Vec::new();
    rays.sort_by_key(|ray| std::cmp::Reverse(ray.squares.len()));
    for ray in rays {
        let is_new = kept.iter().all(|old| {
            (old.way, old.hops) != (ray.way, ray.hops)
                || !old.squares.starts_with(&ray.squares)
                || !ray.stops.iter().all(|stop| old.stops.contains(stop))
        });
        if is_new {
            kept.push(ray);
        }
    }
    for ray in kept.iter().filter(|ray| !ray.hops && ray.way != Way::Captures) {
        if let Some(&first) = ray.squares.first()
            && ray.stops.contains(&first)
        {
            leaps.quiet.remove(first);
        }
    }
    kept
}

fn check(rays: &[Ray], size: BoardSize, from: Square) -> Result<(), String> {
    let at = || size.square_name(from);
    if rays.len() > MAX_RAYS {
        return Err(format!("{} lines from {}, at most {MAX_RAYS} are possible", rays.len(), at()));
    }
    for ray in rays {
        if !ray.squares.is_sorted() && !ray.squares.is_sorted_by(|a, b| a >= b) {
            return Err(format!("a bent line from {} goes up and down the board", at()));
        }
    }
    Ok(())
}

/// Up to `n` steps in a line.
fn walk(size: BoardSize, color: Color, from: Square, offset: Offset, n: u8) -> Vec<Square> {
    let mut squares = Vec::new();
    let mut at = from;
    while squares.len() < usize::from(n) {
        let Some(next) = step(size, color, at, offset) else { break };
        squares.push(next);
        at = next;
    }
    squares
}

/// One step, seen from `color`'s side.
pub(super) fn step(size: BoardSize, color: Color, at: Square, (x, y): Offset) -> Option<Square> {
    size.offset(at, x, if color == Color::White { y } else { -y })
}

/// Whether a ride in direction `turn` leads away from where a leap began.
const fn is_outward(leap: Offset, turn: Offset) -> bool {
    let along_x = leap.0.signum() * turn.0.signum();
    let along_y = leap.1.signum() * turn.1.signum();
    along_x >= 0 && along_y >= 0 && along_x + along_y > 0
}
