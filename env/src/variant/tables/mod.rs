//! Move tables of one kind and side: leaps and rays from every square.

mod fans;
mod lanes;
mod reach;
mod shape;

use self::fans::Fans;
pub(crate) use self::fans::{BothWays, Obstacles};
pub(crate) use self::shape::Shape;
use super::rays::{MAX_RAYS, Ray, Way, moves_from};
use super::set_moves::SetMoves;
use super::spec::PieceSpec;
use crate::bits::Bits;
use crate::{BoardSize, Color, Square};

/// Leaps from one square.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Leaps<const N: usize> {
    /// Leaps that move or capture.
    pub(crate) both: Bits<N>,
    /// Leaps that only move.
    pub(crate) quiet: Bits<N>,
    /// Leaps that only capture.
    pub(crate) takes: Bits<N>,
    /// Leaps that also capture en passant.
    pub(crate) en_passant: Bits<N>,
}

impl<const N: usize> Default for Leaps<N> {
    fn default() -> Self {
        Self { both: Bits::EMPTY, quiet: Bits::EMPTY, takes: Bits::EMPTY, en_passant: Bits::EMPTY }
    }
}

/// Plain rays of one way within the block of a square: first those whose square indices rise.
#[derive(Copy, Clone, Debug, Default)]
struct Group {
    start: usize,
    n: usize,
    n_rising: usize,
}

impl Group {
    const fn end(self) -> usize {
        self.start + self.n
    }
}

/// A ray that ends on some of its squares only, or passes over a unit.
#[derive(Clone, Debug)]
struct OddRay<const N: usize> {
    line: Bits<N>,
    stops: Bits<N>,
    rises: bool,
    moves: bool,
    captures: bool,
    hops: bool,
}

/// A line from an attacker to its target.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Line<const N: usize> {
    /// The squares between.
    pub(crate) between: Bits<N>,
    /// Whether exactly one unit must stand on them (none otherwise).
    pub(crate) hops: bool,
}

/// All moves of one kind and side.
#[derive(Clone, Debug)]
pub(crate) struct KindMoves<const N: usize> {
    /// Leaps from every square that move or capture.
    pub(crate) leaps: Vec<Bits<N>>,
    /// All sorts of leaps from every square; nothing if there are no other sorts.
    odd_leaps: Vec<Leaps<N>>,
    /// A block of `stride` rays a square. Every block has the same groups, filled up with empty
    /// rays.
    rays: Vec<Bits<N>>,
    stride: usize,
    groups: [Group; 3],
    /// The same rays for quick use, and those that pass over one unit and end on any square behind
    /// it.
    fans: Vec<Fans<N>>,
    /// For every square those of the mirrored board that rising and falling rays share; nothing if
    /// there are none anywhere.
    shared: Vec<Bits<N>>,
    odd_rays: Vec<Vec<OddRay<N>>>,
    /// Those of the odd rays that are in no fan.
    stray_rays: Vec<Vec<OddRay<N>>>,
    /// Whether any ray is odd, or plain but not of the first group.
    has_other_rays: bool,
    /// For `from * n_squares + to`: number of the ray that captures there, and its direction.
    ray_at: Vec<u8>,
    /// For every square the squares with a higher index.
    above: Vec<Bits<N>>,
    /// Whether two different lines lead to the same square from some square.
    is_ambiguous: bool,
    pub(crate) has_en_passant: bool,
    pub(crate) shape: Shape,
    pub(crate) set_moves: Option<SetMoves<N>>,
}

const NO_RAY: u8 = u8::MAX;
const WAYS: [Way; 3] = [Way::Both, Way::Moves, Way::Captures];

impl<const N: usize> KindMoves<N> {
    /// The tables of `piece`; the error says which of its rays the tables cannot hold.
    pub(crate) fn new(piece: &PieceSpec, color: Color, size: BoardSize) -> Result<Self, String> {
        let n_squares = size.n_squares();
        let moves: Vec<(Leaps<N>, Vec<Ray>)> = size
            .squares()
            .map(|from| moves_from(piece, color, size, from))
            .collect::<Result<_, _>>()?;
        let (groups, stride) = groups(&moves);
        let n_odd = moves.iter().map(|(_, rays)| rays.iter().filter(|ray| !ray.is_plain()).count());
        if stride + n_odd.max().unwrap_or(0) > MAX_RAYS {
            return Err(format!("more than {MAX_RAYS} lines"));
        }
        let set_moves = SetMoves::new(&moves, color, size);
        let mut res = Self {
            leaps: moves.iter().map(|(leaps, _)| leaps.both).collect(),
            odd_leaps: odd_leaps(&moves),
            rays: vec![Bits::EMPTY; stride * n_squares],
            stride,
            groups,
            fans: Fans::all(&moves),
            shared: shape::shared_squares(&moves),
            odd_rays: vec![Vec::new(); n_squares],
            stray_rays: vec![Vec::new(); n_squares],
            has_other_rays: stride != groups[0].n,
            ray_at: vec![NO_RAY; n_squares * n_squares],
            above: size
                .squares()
                .map(|square| (!Bits::below(square)).and_not(Bits::of(square)))
                .collect(),
            is_ambiguous: false,
            has_en_passant: moves.iter().any(|(leaps, _)| leaps.en_passant.any()),
            shape: if set_moves.is_some() { Shape::Steps } else { Shape::of(&moves) },
            set_moves,
        };
        for (from, (_, rays)) in size.squares().zip(&moves) {
            res.add_rays(from, rays);
        }
        Ok(res)
    }

    fn add_rays(&mut self, from: Square, rays: &[Ray]) {
        for (group, way) in self.groups.into_iter().zip(WAYS) {
            let plain = || rays.iter().filter(move |ray| ray.is_plain() && ray.way == way);
            let rising = plain().filter(|ray| ray.rises()).zip(group.start..);
            let falling = plain().filter(|ray| !ray.rises()).zip(group.start + group.n_rising..);
            for (ray, number) in rising.chain(falling) {
                self.rays[from.index() * self.stride + number] =
                    ray.squares.iter().copied().collect();
                self.index_ray(from, ray, number);
            }
        }
        for ray in rays.iter().filter(|ray| !ray.is_plain()) {
            let number = self.stride + self.odd_rays[from.index()].len();
            let odd = OddRay {
                line: ray.squares.iter().copied().collect(),
                stops: ray.stops.iter().copied().collect(),
                rises: ray.rises(),
                moves: ray.way != Way::Captures,
                captures: ray.way != Way::Moves,
                hops: ray.hops,
            };
            if !ray.is_plain_hop() {
                self.stray_rays[from.index()].push(odd.clone());
            }
            self.odd_rays[from.index()].push(odd);
            self.has_other_rays = true;
            self.index_ray(from, ray, number);
        }
    }

    fn index_ray(&mut self, from: Square, ray: &Ray, number: usize) {
        if ray.way == Way::Moves {
            return;
        }
        let n_squares = self.leaps.len();
        for stop in &ray.stops {
            let slot = &mut self.ray_at[from.index() * n_squares + stop.index()];
            // A ray that begins with the square can always capture there; others add nothing.
            let is_direct = ray.squares.first() == Some(stop);
            if *slot == NO_RAY || is_direct {
                *slot = (number as u8) << 1 | u8::from(!ray.rises());
            } else {
                self.is_ambiguous = true;
            }
        }
    }

    /// Where a unit on `from` may go by its own way of moving, if it may go to `goals`: empty squares
    /// and those of units that it may capture.
    #[inline]
    pub(crate) fn targets(
        &self,
        from: Square,
        goals: Bits<N>,
        obstacles: &Obstacles<N>,
    ) -> Bits<N> {
        if !self.has_other_rays {
            let mut res = self.leap_targets(from, goals, obstacles);
            if let Some(fans) = self.fans.first() {
                res |= fans.reached(from, obstacles).squares() & goals;
            }
            return res;
        }
        let goals = BothWays { direct: goals, mirrored: goals.mirrored() };
        self.split_targets(from, &goals, obstacles).squares()
    }

    /// Like [`KindMoves::targets`], on the board and on the mirrored one. For a kind of
    /// [`Shape::Disjoint`] each square is found once.
    #[inline]
    pub(crate) fn split_targets(
        &self,
        from: Square,
        goals: &BothWays<N>,
        obstacles: &Obstacles<N>,
    ) -> BothWays<N> {
        let mut res = BothWays::EMPTY;
        for fans in &self.fans {
            let reached = fans.reached(from, obstacles);
            res |= match fans.way {
                Way::Both => reached,
                Way::Moves => reached & !*obstacles,
                Way::Captures => reached & *obstacles,
            };
        }
        for ray in &self.stray_rays[from.index()] {
            res.direct |= ray.targets(obstacles.direct);
        }
        res = res & *goals;
        res.direct |= self.leap_targets(from, goals.direct, obstacles);
        res
    }

    #[inline]
    fn leap_targets(&self, from: Square, goals: Bits<N>, obstacles: &Obstacles<N>) -> Bits<N> {
        let mut res = self.leaps[from.index()];
        if let Some(leaps) = self.odd_leaps.get(from.index()) {
            res |= leaps.takes & obstacles.direct | leaps.quiet.and_not(obstacles.direct);
        }
        res & goals
    }

    /// Squares on which a leap from `from` captures.
    #[inline]
    pub(crate) fn leap_captures(&self, from: Square) -> Bits<N> {
        let takes = self.odd_leaps.get(from.index()).map_or(Bits::EMPTY, |leaps| leaps.takes);
        self.leaps[from.index()] | takes
    }

    /// Squares on which a leap from `from` captures en passant.
    #[inline]
    pub(crate) fn en_passant(&self, from: Square) -> Bits<N> {
        self.odd_leaps.get(from.index()).map_or(Bits::EMPTY, |leaps| leaps.en_passant)
    }

    /// Like [`KindMoves::targets`] of a kind of [`Shape::Slides`], whatever stands on the squares;
    /// each square is found once.
    #[inline]
    pub(crate) fn slides(&self, from: Square, obstacles: &Obstacles<N>) -> BothWays<N> {
        let Some(fans) = self.fans.first() else { return BothWays::EMPTY };
        let mut reached = fans.reached(from, obstacles);
        if let Some(&shared) = self.shared.get(from.index()) {
            reached.mirrored = reached.mirrored.and_not(shared);
        }
        reached
    }

    /// Adds the squares on which `units` could take a king, whatever stands there.
    #[inline]
    pub(crate) fn add_attacks(
        &self,
        units: Bits<N>,
        obstacles: &Obstacles<N>,
        reached: &mut BothWays<N>,
    ) {
        if let Some(moves) = &self.set_moves {
            for step in moves.captures() {
                reached.direct |= (units & step.from).shifted(step.delta);
            }
            return;
        }
        units.for_each(|from| {
            reached.direct |= self.leap_captures(from);
            for fans in self.fans.iter().filter(|fans| fans.way != Way::Moves) {
                *reached |= fans.reached(from, obstacles);
            }
            if self.has_other_rays {
                for ray in self.stray_rays[from.index()].iter().filter(|ray| ray.captures) {
                    reached.direct |= ray.stops_reached(obstacles.direct);
                }
            }
        });
    }

    /// Calls `visit` with every line on which a unit on `from` could capture on `to`, until it
    /// returns true; returns whether it did.
    #[inline]
    pub(crate) fn any_line(
        &self,
        from: Square,
        to: Square,
        mut visit: impl FnMut(Line<N>) -> bool,
    ) -> bool {
        if self.is_ambiguous {
            return self.any_of_all_lines(from, to, visit);
        }
        match self.ray_at[from.index() * self.leaps.len() + to.index()] {
            NO_RAY => false,
            code => visit(self.line(from, to, usize::from(code >> 1), code & 1 == 0)),
        }
    }

    #[inline]
    fn line(&self, from: Square, to: Square, number: usize, rises: bool) -> Line<N> {
        let above = self.above[to.index()];
        let before = |line: Bits<N>| {
            if rises { line.and_not(above | Bits::of(to)) } else { line & above }
        };
        if number < self.stride {
            let ray = self.rays[from.index() * self.stride + number];
            return Line { between: before(ray), hops: false };
        }
        let odd = &self.odd_rays[from.index()][number - self.stride];
        Line { between: before(odd.line), hops: odd.hops }
    }

    fn any_of_all_lines(
        &self,
        from: Square,
        to: Square,
        mut visit: impl FnMut(Line<N>) -> bool,
    ) -> bool {
        for group in [self.groups[0], self.groups[2]] {
            for number in group.start..group.end() {
                let rises = number < group.start + group.n_rising;
                if self.rays[from.index() * self.stride + number].contains(to)
                    && visit(self.line(from, to, number, rises))
                {
                    return true;
                }
            }
        }
        self.odd_rays[from.index()].iter().zip(self.stride..).any(|(ray, number)| {
            ray.captures && ray.stops.contains(to) && visit(self.line(from, to, number, ray.rises))
        })
    }
}

impl<const N: usize> OddRay<N> {
    fn targets(&self, occupied: Bits<N>) -> Bits<N> {
        let stops = self.stops_reached(occupied);
        let mut res = Bits::EMPTY;
        if self.moves {
            res |= stops.and_not(occupied);
        }
        if self.captures {
            res |= stops & occupied;
        }
        res
    }

    /// Stops that the ray reaches, occupied or not.
    fn stops_reached(&self, occupied: Bits<N>) -> Bits<N> {
        let up_to =
            |units: Bits<N>| if self.rises { units.up_to_first() } else { units.since_last() };
        let units = self.line & occupied;
        let near = up_to(units);
        if !self.hops {
            self.stops & near
        } else if units.is_empty() {
            Bits::EMPTY
        } else {
            self.stops & up_to(units.and_not(near)).and_not(near)
        }
    }
}

/// Groups large enough for the plain rays of every square, and the size of a block.
fn groups<const N: usize>(moves: &[(Leaps<N>, Vec<Ray>)]) -> ([Group; 3], usize) {
    let mut groups = [Group::default(); 3];
    let mut stride = 0;
    for (group, way) in groups.iter_mut().zip(WAYS) {
        let count = |rising: bool| {
            let is_one = |ray: &&Ray| ray.is_plain() && ray.way == way && ray.rises() == rising;
            moves.iter().map(|(_, rays)| rays.iter().filter(is_one).count()).max().unwrap_or(0)
        };
        let n_rising = count(true);
        *group = Group { start: stride, n: n_rising + count(false), n_rising };
        stride = group.end();
    }
    (groups, stride)
}

/// All sorts of leaps from every square; empty if all of them move or capture.
fn odd_leaps<const N: usize>(moves: &[(Leaps<N>, Vec<Ray>)]) -> Vec<Leaps<N>> {
    let is_odd = |leaps: &Leaps<N>| (leaps.quiet | leaps.takes | leaps.en_passant).any();
    let all = moves.iter().map(|(leaps, _)| *leaps);
    if moves.iter().any(|(leaps, _)| is_odd(leaps)) { all.collect() } else { Vec::new() }
}
