//! Move tables of one kind and side: leaps and rays from every square.

use super::betza::{Offset, Path};
use super::spec::PieceSpec;
use crate::bits::Bits;
use crate::{BoardSize, Color, Square};

/// Ways of a plain ray; the table groups rays by way and direction.
const N_CLASSES: usize = 6;

/// Sets of moves from one square, and where its rays lie in the pools.
#[derive(Clone, Debug)]
pub(crate) struct SquareMoves<const N: usize> {
    /// Leaps that move or capture.
    pub(crate) both: Bits<N>,
    /// Leaps that only move.
    pub(crate) quiet: Bits<N>,
    /// Leaps that only capture.
    pub(crate) takes: Bits<N>,
    /// Leaps that also capture en passant.
    pub(crate) en_passant: Bits<N>,
    /// Plain rays of class `i` are `bounds[i]..bounds[i + 1]`: both, moves, captures; each first
    /// the rays with rising square indices, then those with falling ones.
    bounds: [u16; N_CLASSES + 1],
    odd: (u16, u16),
}

/// A ray that lands on some of its squares only, or over a unit.
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
    pub(crate) squares: Vec<SquareMoves<N>>,
    rays: Vec<Bits<N>>,
    odd_rays: Vec<OddRay<N>>,
    /// For `from * n_squares + to`: number of the ray that captures there and its direction.
    ray_at: Vec<u8>,
    /// For every square the squares with a higher index.
    above: Vec<Bits<N>>,
    /// Which classes of rays exist: bits 0 to 5 plain, 6 odd.
    classes: u8,
    /// Whether two rays capture on the same square from some square.
    is_ambiguous: bool,
    pub(crate) has_quiet: bool,
    pub(crate) has_takes: bool,
    pub(crate) has_en_passant: bool,
}

const NO_RAY: u8 = u8::MAX;

/// A ray while it is built: squares in travel order.
struct Draft {
    squares: Vec<Square>,
    stops: Vec<Square>,
    moves: bool,
    captures: bool,
    hops: bool,
}

impl Draft {
    fn rises(&self) -> bool {
        self.squares.first() < self.squares.last() || self.squares.len() == 1
    }

    fn is_plain(&self) -> bool {
        !self.hops && self.squares == self.stops
    }

    fn class(&self) -> usize {
        let way = match (self.moves, self.captures) {
            (true, true) => 0,
            (true, false) => 2,
            (false, _) => 4,
        };
        way + usize::from(!self.rises())
    }
}

impl<const N: usize> KindMoves<N> {
    /// The tables of `piece`; the error says which of its rays the tables cannot hold.
    pub(crate) fn new(piece: &PieceSpec, color: Color, size: BoardSize) -> Result<Self, String> {
        let n_squares = size.n_squares();
        let mut res = Self {
            squares: Vec::with_capacity(n_squares),
            rays: Vec::new(),
            odd_rays: Vec::new(),
            ray_at: vec![NO_RAY; n_squares * n_squares],
            above: size
                .squares()
                .map(|square| (!Bits::below(square)).and_not(Bits::of(square)))
                .collect(),
            classes: 0,
            is_ambiguous: false,
            has_quiet: false,
            has_takes: false,
            has_en_passant: false,
        };
        for from in size.squares() {
            let (mut moves, drafts) = moves_from(piece, color, size, from)?;
            res.add_rays(from, &mut moves, drafts, n_squares);
            res.has_quiet |= moves.quiet.any();
            res.has_takes |= moves.takes.any();
            res.has_en_passant |= moves.en_passant.any();
            res.squares.push(moves);
        }
        Ok(res)
    }

    fn add_rays(
        &mut self,
        from: Square,
        moves: &mut SquareMoves<N>,
        drafts: Vec<Draft>,
        n_squares: usize,
    ) {
        let (mut plain, odd): (Vec<Draft>, Vec<Draft>) =
            drafts.into_iter().partition(Draft::is_plain);
        plain.sort_by_key(Draft::class);
        moves.bounds[0] = self.rays.len() as u16;
        let mut number = 0;
        for class in 0..N_CLASSES {
            for draft in plain.iter().filter(|draft| draft.class() == class) {
                self.rays.push(draft.squares.iter().copied().collect());
                self.classes |= 1 << class;
                self.index_ray(from, draft, number, n_squares);
                number += 1;
            }
            moves.bounds[class + 1] = self.rays.len() as u16;
        }
        moves.odd.0 = self.odd_rays.len() as u16;
        for draft in &odd {
            self.odd_rays.push(OddRay {
                line: draft.squares.iter().copied().collect(),
                stops: draft.stops.iter().copied().collect(),
                rises: draft.rises(),
                moves: draft.moves,
                captures: draft.captures,
                hops: draft.hops,
            });
            self.classes |= 1 << N_CLASSES;
            self.index_ray(from, draft, number, n_squares);
            number += 1;
        }
        moves.odd.1 = self.odd_rays.len() as u16;
    }

    fn index_ray(&mut self, from: Square, draft: &Draft, number: u8, n_squares: usize) {
        if !draft.captures {
            return;
        }
        for stop in &draft.stops {
            let slot = &mut self.ray_at[from.index() * n_squares + stop.index()];
            // Two rays with the same way to a square (they share their first step) are one.
            self.is_ambiguous |= *slot != NO_RAY && draft.squares.first() != Some(stop);
            if *slot == NO_RAY || draft.squares.first() == Some(stop) {
                *slot = number << 1 | u8::from(!draft.rises());
            }
        }
    }

    /// Where a unit on `from` may go, by its own way of moving.
    #[inline]
    pub(crate) fn targets(&self, from: Square, own: Bits<N>, enemy: Bits<N>) -> Bits<N> {
        let moves = &self.squares[from.index()];
        let occupied = own | enemy;
        let mut res = moves.both.and_not(own);
        if self.has_quiet {
            res |= moves.quiet.and_not(occupied);
        }
        if self.has_takes {
            res |= moves.takes & enemy;
        }
        if self.classes != 0 {
            res |= self.ray_targets(moves, own, enemy);
        }
        res
    }

    #[inline]
    fn ray_targets(&self, moves: &SquareMoves<N>, own: Bits<N>, enemy: Bits<N>) -> Bits<N> {
        let occupied = own | enemy;
        let mut res = Bits::EMPTY;
        if self.classes & 0b11 != 0 {
            res |= self.slide(moves, 0, occupied).and_not(own);
        }
        if self.classes & 0b1100 != 0 {
            res |= self.slide(moves, 2, occupied).and_not(occupied);
        }
        if self.classes & 0b11_0000 != 0 {
            res |= self.slide(moves, 4, occupied) & enemy;
        }
        if self.classes & 1 << N_CLASSES != 0 {
            for ray in &self.odd_rays[usize::from(moves.odd.0)..usize::from(moves.odd.1)] {
                res |= ray.targets(occupied, enemy);
            }
        }
        res
    }

    /// All squares up to the first unit, the unit's included, on the rays of `class` and `class + 1`.
    #[inline]
    fn slide(&self, moves: &SquareMoves<N>, class: usize, occupied: Bits<N>) -> Bits<N> {
        let bound = |class: usize| usize::from(moves.bounds[class]);
        let mut res = Bits::EMPTY;
        for &ray in &self.rays[bound(class)..bound(class + 1)] {
            res |= ray & (ray & occupied).up_to_first();
        }
        for &ray in &self.rays[bound(class + 1)..bound(class + 2)] {
            res |= ray & (ray & occupied).since_last();
        }
        res
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
        let code = self.ray_at[from.index() * self.squares.len() + to.index()];
        if code == NO_RAY {
            return false;
        }
        visit(self.line(from, to, usize::from(code >> 1), code & 1 == 0))
    }

    #[inline]
    fn line(&self, from: Square, to: Square, number: usize, rises: bool) -> Line<N> {
        let moves = &self.squares[from.index()];
        let index = usize::from(moves.bounds[0]) + number;
        let above = self.above[to.index()];
        let before = |line: Bits<N>| {
            if rises { line.and_not(above | Bits::of(to)) } else { line & above }
        };
        if index < usize::from(moves.bounds[N_CLASSES]) {
            return Line { between: before(self.rays[index]), hops: false };
        }
        let odd = usize::from(moves.odd.0) + index - usize::from(moves.bounds[N_CLASSES]);
        Line { between: before(self.odd_rays[odd].line), hops: self.odd_rays[odd].hops }
    }

    fn any_of_all_lines(
        &self,
        from: Square,
        to: Square,
        mut visit: impl FnMut(Line<N>) -> bool,
    ) -> bool {
        let moves = &self.squares[from.index()];
        let bound = |class: usize| usize::from(moves.bounds[class]);
        for class in [0, 1, 4, 5] {
            for index in bound(class)..bound(class + 1) {
                if self.rays[index].contains(to)
                    && visit(self.line(from, to, index - bound(0), class & 1 == 0))
                {
                    return true;
                }
            }
        }
        for odd in usize::from(moves.odd.0)..usize::from(moves.odd.1) {
            let ray = &self.odd_rays[odd];
            let number = bound(N_CLASSES) - bound(0) + odd - usize::from(moves.odd.0);
            if ray.captures
                && ray.stops.contains(to)
                && visit(self.line(from, to, number, ray.rises))
            {
                return true;
            }
        }
        false
    }

    /// Squares on which a leap from `from` captures.
    pub(crate) fn leap_captures(&self, from: Square) -> Bits<N> {
        let moves = &self.squares[from.index()];
        moves.both | moves.takes
    }

    /// Squares on which a ray from `from` captures on some board.
    pub(crate) fn ray_captures(&self, from: Square) -> Bits<N> {
        let mut res = Bits::EMPTY;
        for (to, &code) in self.ray_at[from.index() * self.squares.len()..][..self.squares.len()]
            .iter()
            .enumerate()
        {
            if code != NO_RAY {
                res.insert(Square(to as u8));
            }
        }
        res
    }

    /// Squares that a unit on `from` reaches on some board, by move or capture.
    pub(crate) fn reach(&self, from: Square) -> Bits<N> {
        let moves = &self.squares[from.index()];
        let mut res = moves.both | moves.quiet | moves.takes | moves.en_passant;
        for &ray in &self.rays[usize::from(moves.bounds[0])..usize::from(moves.bounds[N_CLASSES])] {
            res |= ray;
        }
        for ray in &self.odd_rays[usize::from(moves.odd.0)..usize::from(moves.odd.1)] {
            res |= ray.stops;
        }
        res
    }
}

impl<const N: usize> OddRay<N> {
    fn targets(&self, occupied: Bits<N>, enemy: Bits<N>) -> Bits<N> {
        let up_to = |blockers: Bits<N>| {
            if self.rises { blockers.up_to_first() } else { blockers.since_last() }
        };
        let blockers = self.line & occupied;
        let near = up_to(blockers);
        let stops = if self.hops {
            if blockers.is_empty() {
                return Bits::EMPTY;
            }
            self.stops & up_to(blockers.and_not(near)).and_not(near)
        } else {
            self.stops & near
        };
        let mut res = Bits::EMPTY;
        if self.moves {
            res |= stops.and_not(occupied);
        }
        if self.captures {
            res |= stops & enemy;
        }
        res
    }
}

/// Leaps of `piece` from `from`, and its rays.
fn moves_from<const N: usize>(
    piece: &PieceSpec,
    color: Color,
    size: BoardSize,
    from: Square,
) -> Result<(SquareMoves<N>, Vec<Draft>), String> {
    let mut moves = SquareMoves {
        both: Bits::EMPTY,
        quiet: Bits::EMPTY,
        takes: Bits::EMPTY,
        en_passant: Bits::EMPTY,
        bounds: [0; N_CLASSES + 1],
        odd: (0, 0),
    };
    let mut drafts = Vec::new();
    for part in &piece.parts {
        for &leap in &part.leaps {
            let step = |at: Square, offset: Offset| step(size, color, at, offset);
            let Some(first) = step(from, leap) else { continue };
            if part.modes.en_passant {
                moves.en_passant.insert(first);
            }
            let mut draft = |squares: Vec<Square>, stops: Vec<Square>| {
                drafts.push(Draft {
                    squares,
                    stops,
                    moves: part.modes.moves,
                    captures: part.modes.captures,
                    hops: part.path == Path::Hop,
                });
            };
            match (part.path, &part.then) {
                (Path::Lame, _) => {
                    let unit = (leap.0.signum(), leap.1.signum());
                    let squares = walk(
                        size,
                        color,
                        from,
                        unit,
                        leap.0.unsigned_abs().max(leap.1.unsigned_abs()),
                    );
                    draft(squares, vec![first]);
                }
                (_, Some((turns, range))) => {
                    for turn in turns.iter().filter(|turn| is_outward(leap, **turn)) {
                        let mut squares = vec![first];
                        squares.extend(walk(size, color, first, *turn, *range));
                        draft(squares.clone(), squares);
                    }
                }
                (Path::Hop, None) => {
                    let squares = walk(size, color, from, leap, part.range);
                    let stops = squares[1..].to_vec();
                    draft(squares, stops);
                }
                (Path::Free, None) if part.range > 1 => {
                    let squares = walk(size, color, from, leap, part.range);
                    draft(squares.clone(), squares);
                }
                (_, None) => match (part.modes.moves, part.modes.captures) {
                    (true, true) => moves.both.insert(first),
                    (true, false) => moves.quiet.insert(first),
                    (false, _) => moves.takes.insert(first),
                },
            }
        }
    }
    let own_rank = match color {
        Color::White => size.rank_of(from).0,
        Color::Black => size.ranks() - 1 - size.rank_of(from).0,
    };
    let n_steps = piece.steps[usize::from(own_rank)];
    let squares = walk(size, color, from, (0, 1), n_steps);
    if !squares.is_empty() {
        let stops = squares.clone();
        drafts.push(Draft { squares, stops, moves: true, captures: false, hops: false });
    }
    tidy(&mut moves, &mut drafts);
    check(&drafts, size, from)?;
    Ok((moves, drafts))
}

/// Drops what says nothing new: rays inside others, quiet leaps that begin a ray.
fn tidy<const N: usize>(moves: &mut SquareMoves<N>, drafts: &mut Vec<Draft>) {
    // A lame leap and a shorter leap or ray on the same line are one ray.
    for draft in drafts.iter_mut().filter(|draft| !draft.hops && !draft.captures) {
        let skipped = draft.squares.iter().filter(|square| !draft.stops.contains(square));
        let starts_with_leap =
            draft.squares.first().is_some_and(|&first| moves.quiet.contains(first));
        if starts_with_leap && skipped.count() == 1 {
            draft.stops.clone_from(&draft.squares);
        }
    }
    let mut kept: Vec<Draft> = Vec::new();
    drafts.sort_by_key(|draft| std::cmp::Reverse(draft.squares.len()));
    for draft in drafts.drain(..) {
        let is_new = kept.iter().all(|old| {
            (old.moves, old.captures, old.hops) != (draft.moves, draft.captures, draft.hops)
                || !old.squares.starts_with(&draft.squares)
                || !draft.stops.iter().all(|stop| old.stops.contains(stop))
        });
        if is_new {
            kept.push(draft);
        }
    }
    *drafts = kept;
    for draft in drafts.iter().filter(|draft| draft.moves && !draft.hops) {
        if let Some(&first) = draft.squares.first()
            && draft.stops.contains(&first)
        {
            moves.quiet.remove(first);
        }
    }
}

fn check(drafts: &[Draft], size: BoardSize, from: Square) -> Result<(), String> {
    let at = || size.square_name(from);
    if drafts.len() > 120 {
        return Err(format!("{} lines from {}, at most 120 are possible", drafts.len(), at()));
    }
    for draft in drafts {
        let rises = draft.squares.is_sorted();
        let falls = draft.squares.is_sorted_by(|a, b| a >= b);
        if !rises && !falls {
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
pub(crate) fn step(size: BoardSize, color: Color, at: Square, (x, y): Offset) -> Option<Square> {
    size.offset(at, x, if color == Color::White { y } else { -y })
}

/// Whether a ride in direction `turn` leads away from where a leap began.
const fn is_outward(leap: Offset, turn: Offset) -> bool {
    let along_x = leap.0.signum() * turn.0.signum();
    let along_y = leap.1.signum() * turn.1.signum();
    along_x >= 0 && along_y >= 0 && along_x + along_y > 0
}
