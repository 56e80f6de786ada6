//! The principal variation search of one node.

use gryphon_env::{Action, Actor, ByColor, ChanceOutcome, Color, Position, ZobristKey};

use crate::evaluation::Evaluation;
use crate::limit::Selectivity;
use crate::ordering::{self, Candidate, Class, History, Killers};
use crate::past::Past;
use crate::score::{MAX_PLY, Ply, Score};
use crate::table::{Bound, Known, Table};

/// At chance nodes no result counts for more than this, in hundredths of a pawn: a mate behind one
/// face of a die must not hide what the others bring.
const CHANCE_LIMIT: i32 = 5_000;
/// Halfmove clock from which a draw by clock is asked for at every node.
const LATE_CLOCK: u16 = 90;
/// Number of fighting units from which draws by material are asked for.
const FEW_FIGHTERS: u32 = 3;

/// Scores that matter: at or below `alpha` another line is better for the side to move, at or above
/// `beta` the other side has a better line.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct Window {
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
}

impl Window {
    pub(crate) const FULL: Self = Self { alpha: Score::INFINITE.flipped(), beta: Score::INFINITE };

    /// The narrowest window: is the score above `alpha`?
    pub(crate) const fn test_above(alpha: Score) -> Self {
        Self { alpha, beta: alpha.next_up() }
    }

    const fn flipped(self) -> Self {
        Self { alpha: self.beta.flipped(), beta: self.alpha.flipped() }
    }

    fn is_test(self) -> bool {
        self.alpha.next_up() == self.beta
    }
}

/// Whether a node may try a null move: not twice in a row.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) enum NullMove {
    Allowed,
    Forbidden,
}

/// Buffers of one ply, kept between nodes.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) legal: Vec<Action>,
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) pv: Vec<Action>,
    quiets: Vec<Action>,
    rolls: Vec<ChanceOutcome>,
    killers: ByMover,
}

impl Scratch {
    /// Drops what one search must not leave to the next.
    pub(crate) fn forget(&mut self) {
        self.pv.clear();
        self.killers = ByMover::default();
    }
}

/// Killers of a ply for each side, since one ply can belong to either.
type ByMover = ByColor<Killers>;

/// A node's place in the tree.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Place {
    pub(crate) depth: i32,
    pub(crate) ply: Ply,
    pub(crate) null_move: NullMove,
}

/// One search from a root.
pub(crate) struct Searcher<'a> {
    pub(crate) evaluation: &'a Evaluation,
    pub(crate) table: &'a mut Table,
    pub(crate) history: &'a mut History,
    pub(crate) scratch: &'a mut Vec<Scratch>,
    pub(crate) past: Past,
    pub(crate) selectivity: Selectivity,
    pub(crate) node_limit: Option<u64>,
    pub(crate) nodes: u64,
    pub(crate) stopped: bool,
    pub(crate) root_depth: i32,
    pub(crate) root_action: Option<Action>,
}

/// What the loop over a node's actions found.
struct Best {
    score: Score,
    action: Option<Action>,
    alpha: Score,
}

impl Searcher<'_> {
    /// The score of `position` for the side whose turn it is; meaningless once stopped.
    pub(crate) fn visit(&mut self, position: &Position, place: Place, window: Window) -> Score {
        let ply = place.ply;
        self.scratch[ply].pv.clear();
        if self.node_limit.is_some_and(|limit| self.nodes >= limit) {
            self.stopped = true;
        }
        if self.stopped {
            return Score::DRAW;
        }
        self.nodes += 1;
        if ply >= MAX_PLY {
            return self.evaluation.score(position);
        }
        if position.actor() == Actor::Chance {
            return self.expect(position, place, window);
        }
        if ply > 0
            && let Some(score) = self.drawn_or_over(position, ply)
        {
            return score;
        }
        let in_check = position.is_check();
        let extended = in_check && (ply as i32) < 2 * self.root_depth;
        let place = Place { depth: place.depth + i32::from(extended), ..place };
        if place.depth <= 0 {
            return self.quiesce(position, place, window, in_check);
        }
        self.full_width(position, place, window, in_check)
    }

    /// The score of `child`, one action after `position`, for the side to move in `position`. Who
    /// moves in the child decides the sign: a turn can go on.
    pub(crate) fn child(
        &mut self,
        mover: Color,
        child: &Position,
        place: Place,
        window: Window,
    ) -> Score {
        if child.side_to_move() == mover {
            self.visit(child, place, window)
        } else {
            self.visit(child, place, window.flipped()).flipped()
        }
    }

    /// The score of a position without legal actions.
    pub(crate) fn terminal(position: &Position, ply: Ply) -> Score {
        match position.outcome().and_then(|outcome| outcome.winner()) {
            Some(winner) if winner == position.side_to_move() => Score::mate_in(ply),
            Some(_) => Score::mated_in(ply),
            None => Score::DRAW,
        }
    }

    /// Repetition, and results by clock or material that leave legal actions.
    fn drawn_or_over(&self, position: &Position, ply: Ply) -> Option<Score> {
        if self.past.is_repetition(position) {
            return Some(Score::DRAW);
        }
        let is_late = position.halfmove_clock() >= LATE_CLOCK;
        if is_late || self.evaluation.has_few_fighters(position, FEW_FIGHTERS) {
            position.outcome()?;
            return Some(Self::terminal(position, ply));
        }
        None
    }

    /// The score of a position in which the die acts: nothing to roll is the end of the game, and
    /// beyond the first roll of the last ply (which shows what now hangs) nothing is rolled.
    fn expect(&mut self, position: &Position, place: Place, window: Window) -> Score {
        let is_last = place.depth < 0;
        if is_last && !position.is_check() {
            return self.evaluation.score(position);
        }
        let mut rolls = std::mem::take(&mut self.scratch[place.ply].rolls);
        position.chance_outcomes(&mut rolls);
        let score = if rolls.is_empty() {
            Self::terminal(position, place.ply)
        } else if is_last {
            self.evaluation.score(position)
        } else {
            self.expect_over(position, &rolls, place, window)
        };
        self.scratch[place.ply].rolls = rolls;
        score
    }

    /// The mean over the die's faces, each clamped to ±[`CHANCE_LIMIT`]; cut as soon as the rest
    /// cannot bring the mean into the window (Ballard's Star1).
    fn expect_over(
        &mut self,
        position: &Position,
        rolls: &[ChanceOutcome],
        place: Place,
        window: Window,
    ) -> Score {
        let limit = f64::from(CHANCE_LIMIT);
        let (alpha, beta) = (f64::from(window.alpha.get()), f64::from(window.beta.get()));
        let (mut sum, mut rest) = (0.0, 1.0);
        for roll in rolls {
            let share = f64::from(roll.probability);
            rest -= share;
            let lowest = (alpha - sum - limit * rest) / share;
            let highest = (beta - sum + limit * rest) / share;
            let inner = Window { alpha: lower_edge(lowest), beta: upper_edge(highest) };
            let mut rolled = position.clone();
            rolled.play(roll.action);
            let score = self.visit(&rolled, Place { ply: place.ply + 1, ..place }, inner);
            if self.stopped {
                return Score::DRAW;
            }
            let value = f64::from(score.get().clamp(-CHANCE_LIMIT, CHANCE_LIMIT));
            sum += share * value;
            if value >= highest {
                return window.beta.max(rounded(sum - limit * rest));
            }
            if value <= lowest {
                return window.alpha.min(rounded(sum + limit * rest));
            }
        }
        rounded(sum)
    }

    fn full_width(
        &mut self,
        position: &Position,
        place: Place,
        window: Window,
        in_check: bool,
    ) -> Score {
        let ply = place.ply;
        let window = Window {
            alpha: window.alpha.max(Score::mated_in(ply)),
            beta: window.beta.min(Score::mate_in(ply + 1)),
        };
        if window.alpha >= window.beta {
            return window.alpha;
        }
        let key = position.key();
        let known = self.table.probe(key, ply);
        if let Some(score) = self.known_score(known, place, window) {
            return score;
        }
        let calm = !in_check && self.selectivity == Selectivity::Pruned && window.is_test();
        let stand = calm.then(|| self.evaluation.score(position));
        if let Some(score) = stand.and_then(|stand| self.skip(position, place, window, stand)) {
            return score;
        }
        let mut legal = std::mem::take(&mut self.scratch[ply].legal);
        position.legal_actions(&mut legal);
        let score = if legal.is_empty() {
            Self::terminal(position, ply)
        } else {
            let first = self.first_action(known, ply);
            self.rank(position, &legal, first, ply);
            let best = self.try_actions(position, place, window, stand);
            self.remember(key, place, window, &best);
            best.score
        };
        self.scratch[ply].legal = legal;
        score
    }

    fn known_score(&self, known: Option<Known>, place: Place, window: Window) -> Option<Score> {
        let known = known?;
        let usable = place.ply > 0
            && window.is_test()
            && self.selectivity == Selectivity::Pruned
            && i32::from(known.depth) >= place.depth;
        let decides = match known.bound {
            Bound::Exact => true,
            Bound::Lower => known.score >= window.beta,
            Bound::Upper => known.score <= window.alpha,
        };
        (usable && decides).then_some(known.score)
    }

    fn first_action(&self, known: Option<Known>, ply: Ply) -> Option<Action> {
        if ply == 0 && self.root_action.is_some() {
            return self.root_action;
        }
        known.and_then(|known| known.action)
    }

    fn rank(&mut self, position: &Position, legal: &[Action], first: Option<Action>, ply: Ply) {
        let worth = self.evaluation.worth();
        let scratch = &mut self.scratch[ply];
        let killers = scratch.killers[position.side_to_move()];
        let candidates = &mut scratch.candidates;
        ordering::rank(worth, self.history, position, legal, first, killers, candidates);
    }

    /// Cuts without trying an action: the score stands so far above the window that passing, or a
    /// margin, keeps it there.
    fn skip(
        &mut self,
        position: &Position,
        place: Place,
        window: Window,
        stand: Score,
    ) -> Option<Score> {
        if window.beta.is_forced() || stand < window.beta || place.ply == 0 {
            return None;
        }
        let depth = place.depth;
        if depth <= 5 && stand.shifted(-90 * depth) >= window.beta {
            return Some(stand);
        }
        if depth < 3
            || place.null_move == NullMove::Forbidden
            || !self.evaluation.allows_null_move(position)
        {
            return None;
        }
        let passed = position.after_null_move()?;
        let reduction = 3 + depth / 4;
        let below =
            Place { depth: depth - reduction, ply: place.ply + 1, null_move: NullMove::Forbidden };
        self.past.push_barrier(position);
        let test = Window::test_above(window.beta.shifted(-1));
        let score = self.child(position.side_to_move(), &passed, below, test);
        self.past.pop();
        (score >= window.beta && !self.stopped).then_some(window.beta)
    }

    fn try_actions(
        &mut self,
        position: &Position,
        place: Place,
        window: Window,
        stand: Option<Score>,
    ) -> Best {
        let ply = place.ply;
        let mut candidates = std::mem::take(&mut self.scratch[ply].candidates);
        self.scratch[ply].quiets.clear();
        self.past.push(position);
        let mut best = Best { score: Score::INFINITE.flipped(), action: None, alpha: window.alpha };
        for idx in 0..candidates.len() {
            let candidate = ordering::pick(&mut candidates, idx);
            if idx > 0 && is_futile(candidate, place, stand, best.alpha) {
                continue;
            }
            let mut next = position.clone();
            next.play(candidate.action);
            let inner = Window { alpha: best.alpha, beta: window.beta };
            let score = self.try_one(position, &next, candidate, idx, place, inner);
            if self.stopped {
                break;
            }
            if score > best.score {
                best.score = score;
                best.action = Some(candidate.action);
                if score > best.alpha {
                    best.alpha = score;
                    self.extend_pv(ply, candidate.action);
                }
            }
            if best.alpha >= window.beta {
                self.reward(position, candidate, place);
                break;
            }
            if candidate.class.is_quiet() {
                self.scratch[ply].quiets.push(candidate.action);
            }
        }
        self.past.pop();
        self.scratch[ply].candidates = candidates;
        best
    }

    /// Searches one action: the first with the whole window, later ones by a test that is repeated
    /// deeper, then wider, while it says that the action is better.
    fn try_one(
        &mut self,
        position: &Position,
        next: &Position,
        candidate: Candidate,
        idx: usize,
        place: Place,
        window: Window,
    ) -> Score {
        let mover = position.side_to_move();
        let below =
            Place { depth: place.depth - 1, ply: place.ply + 1, null_move: NullMove::Allowed };
        if idx == 0 {
            return self.child(mover, next, below, window);
        }
        let test = Window::test_above(window.alpha);
        let reduction = self.reduction(candidate, idx, place, next);
        if reduction > 0 {
            let reduced = Place { depth: below.depth - reduction, ..below };
            let score = self.child(mover, next, reduced, test);
            if score <= window.alpha || self.stopped {
                return score;
            }
        }
        let score = self.child(mover, next, below, test);
        if score > window.alpha && score < window.beta && !self.stopped {
            return self.child(mover, next, below, window);
        }
        score
    }

    /// Plies by which a late quiet action is searched less deeply.
    fn reduction(&self, candidate: Candidate, idx: usize, place: Place, next: &Position) -> i32 {
        let applies = self.selectivity == Selectivity::Pruned
            && place.depth >= 3
            && idx >= 3
            && candidate.class.is_quiet()
            && !next.is_check();
        if !applies {
            return 0;
        }
        let product = log2_sixteenths(place.depth as usize) * log2_sixteenths(idx);
        ((product + 512) / 1_280).clamp(0, place.depth - 2)
    }

    fn extend_pv(&mut self, ply: Ply, action: Action) {
        let (upper, lower) = self.scratch.split_at_mut(ply + 1);
        let pv = &mut upper[ply].pv;
        pv.clear();
        pv.push(action);
        pv.extend_from_slice(&lower[0].pv);
    }

    /// Credits the action that cut, and debits the quiet ones tried before it.
    fn reward(&mut self, position: &Position, candidate: Candidate, place: Place) {
        if !candidate.class.is_quiet() {
            return;
        }
        let bonus = (place.depth * place.depth * 16).min(1_600);
        self.history.reward(position, candidate.action, bonus);
        let scratch = &mut self.scratch[place.ply];
        for &quiet in &scratch.quiets {
            self.history.reward(position, quiet, -bonus);
        }
        let killers = &mut scratch.killers[position.side_to_move()];
        if killers[0] != Some(candidate.action) {
            *killers = [Some(candidate.action), killers[0]];
        }
    }

    fn remember(&mut self, key: ZobristKey, place: Place, window: Window, best: &Best) {
        if self.stopped {
            return;
        }
        let bound = if best.score >= window.beta {
            Bound::Lower
        } else if best.score > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let action = if bound == Bound::Upper { None } else { best.action };
        let depth = place.depth.clamp(0, i32::from(u8::MAX)) as u8;
        self.table.store(key, place.ply, Known { action, score: best.score, depth, bound });
    }
}

/// Whether a quiet action near the horizon cannot lift the score to `alpha`.
fn is_futile(candidate: Candidate, place: Place, stand: Option<Score>, alpha: Score) -> bool {
    let (Some(stand), Class::Quiet { change }) = (stand, candidate.class) else { return false };
    let reach = 120 + 110 * place.depth + change.max(0);
    place.depth <= 3 && !alpha.is_forced() && stand.shifted(reach) <= alpha
}

/// The logarithm to base 2 in sixteenths, straight between powers of two: the same on every machine.
const fn log2_sixteenths(n: usize) -> i32 {
    let whole = n.ilog2();
    let rest = n - (1 << whole);
    (16 * whole) as i32 + ((16 * rest) >> whole) as i32
}

fn rounded(value: f64) -> Score {
    Score::centipawns(value.round() as i32)
}

fn lower_edge(value: f64) -> Score {
    if value < -f64::from(CHANCE_LIMIT) {
        Score::INFINITE.flipped()
    } else {
        Score::centipawns(value.floor() as i32)
    }
}

fn upper_edge(value: f64) -> Score {
    if value > f64::from(CHANCE_LIMIT) {
        Score::INFINITE
    } else {
        Score::centipawns(value.ceil() as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_near_enough() {
        for n in 1..300_usize {
            let exact = 16.0 * (n as f64).log2();
            let found = f64::from(log2_sixteenths(n));
            assert!((found - exact).abs() <= 2.4, "{n}: {found} for {exact}");
        }
    }
}
