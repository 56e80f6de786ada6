//! Legal actions.

use super::attack::Guard;
use super::sink::{Any, Sink, origin};
use super::state::State;
use crate::bits::Bits;
use crate::variant::{BothWays, KindMoves, Obstacles, Role, Rules, SetMoves, kinds_of};
use crate::{Action, Color, PieceKind, Square};

/// All kinds, for [`State::generate`].
pub(crate) const ALL_KINDS: u32 = u32::MAX;

/// One call of the generator.
pub(super) struct Generator<'a, const N: usize, const K: usize, S> {
    pub(super) state: &'a State<N, K>,
    pub(super) rules: &'a Rules<N, K>,
    pub(super) guard: &'a Guard<'a, N>,
    pub(super) own: Bits<N>,
    /// Enemy units that can be captured: all but kings.
    pub(super) prey: Bits<N>,
    /// All other units: an enemy king blocks like an own unit.
    pub(super) closed: Bits<N>,
    /// All units.
    pub(super) obstacles: Obstacles<N>,
    /// Squares that units which stand on no line to a king may go to.
    goals: BothWays<N>,
    /// Squares that the enemy attacks, once somebody asked for them.
    pub(super) danger: Option<Bits<N>>,
    /// Where units may start and end, in an unfinished turn.
    pub(super) starts: Bits<N>,
    pub(super) ends: Bits<N>,
    pub(super) sink: &'a mut S,
}

impl<const N: usize, const K: usize> State<N, K> {
    /// Hands the legal actions of `kinds` to `sink`. The die, the set-up and games that are over
    /// are the caller's business.
    pub(crate) fn generate<S: Sink<N>>(
        &self,
        rules: &Rules<N, K>,
        guard: &Guard<'_, N>,
        kinds: u32,
        sink: &mut S,
    ) {
        let own = self.own();
        let kings = self.of_kinds(rules.royal);
        let mut generator = Generator {
            state: self,
            rules,
            guard,
            own,
            prey: self.enemy().and_not(kings),
            closed: own | self.enemy() & kings,
            obstacles: Obstacles::new(self.occupied()),
            goals: BothWays::EMPTY,
            danger: None,
            starts: own,
            ends: Bits::ALL,
            sink,
        };
        if self.moved.any() {
            let home = rules.sides[self.side].home;
            generator.starts = (own & home).and_not(self.moved);
            generator.ends = home;
            generator.sink.action(Action::END);
        }
        let open = generator.ends.and_not(generator.closed);
        generator.goals = BothWays::new(guard.allowed & open);
        generator.run(kinds);
    }
}

impl<const N: usize, const K: usize, S: Sink<N>> Generator<'_, N, K, S> {
    fn run(&mut self, kinds: u32) {
        let (state, rules) = (self.state, self.rules);
        let own = &rules.sides[state.side].moves;
        for (index, moves) in own.iter().enumerate() {
            let kind = PieceKind(index as u8);
            let units = state.kinds[index] & self.starts;
            if units.is_empty() || kinds >> index & 1 == 0 {
                continue;
            }
            match rules.roles[index] {
                _ if !self.may_change(kind) => {}
                Role::King => units.for_each(|from| self.king(from, kind)),
                Role::NewKing => units.for_each(|from| self.new_king(from, kind)),
                _ if self.guard.is_partial => self.mixed(units, kind),
                Role::Steps => self.all_at_once(units, kind, moves),
                Role::Leaps => self.leaps(units, moves),
                Role::Slides => self.slides(units, moves),
                Role::Disjoint => self.disjoint(units, kind, moves),
                Role::Mixed => self.mixed(units, kind),
            }
            if self.sink.is_full() {
                return;
            }
        }
    }

    #[inline]
    fn leaps(&mut self, units: Bits<N>, moves: &KindMoves<N>) {
        let open = self.ends.and_not(self.closed);
        units.for_each(|from| {
            let targets = moves.leaps[from.index()] & open;
            self.sink.moves(from, targets & self.guard.allowed(from));
        });
    }

    #[inline]
    fn slides(&mut self, units: Bits<N>, moves: &KindMoves<N>) {
        let open = self.ends.and_not(self.closed);
        units.for_each(|from| {
            let reached = moves.slides(from, &self.obstacles);
            if self.guard.special.contains(from) {
                let targets = reached.squares() & open;
                self.sink.moves(from, targets & self.guard.allowed(from));
            } else {
                self.sink.moves(from, reached.direct & self.goals.direct);
                self.sink.mirrored_moves(from, reached.mirrored & self.goals.mirrored);
            }
        });
    }

    #[inline]
    fn disjoint(&mut self, units: Bits<N>, kind: PieceKind, moves: &KindMoves<N>) {
        self.mixed(units & self.guard.special, kind);
        units.and_not(self.guard.special).for_each(|from| {
            let targets = moves.split_targets(from, &self.goals, &self.obstacles);
            self.sink.moves(from, targets.direct);
            self.sink.mirrored_moves(from, targets.mirrored);
        });
    }

    /// Whether the mover's limits let one more unit be what `kind` becomes.
    #[inline]
    fn may_change(&self, kind: PieceKind) -> bool {
        let becomes = self.rules.becomes[kind.index()];
        self.has_room(kind, becomes)
    }

    #[inline]
    pub(super) fn has_room(&self, kind: PieceKind, becomes: PieceKind) -> bool {
        let limit = self.rules.limit[becomes.index()];
        limit == u8::MAX
            || kind == becomes
            || self.state.count(self.state.side, becomes) < u32::from(limit)
    }

    /// Moves of units of any kind that is not royal and does not become so.
    fn mixed(&mut self, units: Bits<N>, kind: PieceKind) {
        let (rules, side) = (self.rules, self.state.side);
        let may_take_en_passant = rules.sides[side].moves[kind.index()].has_en_passant
            && self.state.en_passant.any()
            && self.state.moved.is_empty();
        units.for_each(|from| {
            let mut targets = self.pseudo_targets(from, kind) & self.guard.allowed(from);
            if self.guard.is_partial {
                targets = self.tested(from, targets);
            }
            if may_take_en_passant {
                targets = self.en_passant(from, kind, targets);
            }
            self.sink_moves(from, kind, targets);
        });
    }

    /// Hands on moves of a unit that may promote.
    #[inline]
    pub(super) fn sink_moves(&mut self, from: Square, kind: PieceKind, mut targets: Bits<N>) {
        if self.rules.promoting >> kind.0 & 1 != 0 {
            let zone = targets & self.rules.sides[self.state.side].promotes[kind.index()];
            if zone.any() {
                targets = targets.and_not(zone);
                self.promotions(from, kind, zone);
            }
        }
        self.sink.moves(from, targets);
    }

    /// Moves of units that make the same steps: all at once but for those on a line to a king and
    /// those that may capture en passant.
    #[inline]
    fn all_at_once(&mut self, units: Bits<N>, kind: PieceKind, moves: &KindMoves<N>) {
        let Some(moves) = &moves.set_moves else { return };
        let mut takers = Bits::EMPTY;
        if self.state.en_passant.any() {
            for step in moves.captures() {
                takers |= units & self.state.en_passant.shifted(-step.delta);
            }
            self.mixed(takers, kind);
        }
        let units = units.and_not(takers);
        (units & self.guard.special).for_each(|from| {
            self.set_moves(Bits::of(from), kind, moves, self.guard.allowed(from) & self.ends);
        });
        let goals = self.guard.allowed & self.ends;
        self.set_moves(units.and_not(self.guard.special), kind, moves, goals);
    }

    /// The same steps of many units to any of `goals`.
    #[inline]
    fn set_moves(&mut self, units: Bits<N>, kind: PieceKind, moves: &SetMoves<N>, goals: Bits<N>) {
        let empty = !self.obstacles.direct;
        for step in &moves.both {
            let reached = (units & step.from).shifted(step.delta);
            self.steps(kind, step.delta, reached.and_not(self.closed) & goals);
        }
        for step in &moves.takes {
            let reached = (units & step.from).shifted(step.delta);
            self.steps(kind, step.delta, reached & self.prey & goals);
        }
        for step in &moves.quiet {
            let reached = (units & step.from).shifted(step.delta);
            self.steps(kind, step.delta, reached & empty & goals);
        }
        for (n, starts) in (1..).zip(moves.advance) {
            let mut front = units & starts;
            if front.is_empty() {
                break;
            }
            for _ in 0..n {
                front = front.shifted(moves.forward) & empty;
            }
            self.steps(kind, moves.forward * n, front & goals);
        }
    }

    #[inline]
    fn steps(&mut self, kind: PieceKind, delta: i8, mut targets: Bits<N>) {
        if self.rules.promoting >> kind.0 & 1 != 0 {
            let zone = targets & self.rules.sides[self.state.side].promotes[kind.index()];
            targets = targets.and_not(zone);
            for to in zone {
                self.promotions(origin(to, delta), kind, Bits::of(to));
            }
        }
        self.sink.steps(delta, targets);
    }

    #[inline]
    pub(super) fn pseudo_targets(&self, from: Square, kind: PieceKind) -> Bits<N> {
        let table = &self.rules.sides[self.state.side].moves[kind.index()];
        table.targets(from, self.ends.and_not(self.closed), &self.obstacles)
    }

    fn promotions(&mut self, from: Square, kind: PieceKind, zone: Bits<N>) {
        for to in zone {
            let file = usize::from(self.rules.size.file_of(to).0);
            for &choice in &self.rules.sides[self.state.side].choices[kind.index()][file] {
                if self.has_room(kind, choice)
                    && !(self.rules.is_royal(choice) && self.is_deadly(from, to))
                {
                    self.sink.action(Action::new_promotion(from, to, choice));
                }
            }
        }
    }

    /// Drops en passant targets that expose a king and adds those that do not.
    pub(super) fn en_passant(
        &mut self,
        from: Square,
        kind: PieceKind,
        mut targets: Bits<N>,
    ) -> Bits<N> {
        let table = &self.rules.sides[self.state.side].moves[kind.index()];
        for to in table.en_passant(from) & self.state.en_passant & self.ends {
            let Some(victim) = self.state.victim(self.rules, to) else { continue };
            let (start, goal, victim) = (Bits::of(from), Bits::of(to), Bits::of(victim));
            let occupied = self.state.occupied().and_not(start | victim) | goal;
            let alive = self.state.enemy().and_not(victim);
            let mut kings = self.own & self.state.of_kinds(self.rules.royal);
            if self.rules.is_royal(self.rules.becomes[kind.index()]) {
                kings |= goal;
            }
            if self.state.exposes(self.rules, kings, occupied, alive) {
                targets.remove(to);
            } else {
                targets.insert(to);
            }
        }
        targets
    }

    /// Those of `targets` that expose no king, each tested on its own. The moved unit counts as a
    /// king if it was one.
    pub(super) fn tested(&self, from: Square, targets: Bits<N>) -> Bits<N> {
        let mut res = targets;
        let kings = self.own & self.state.of_kinds(self.rules.royal);
        let start = Bits::of(from);
        for to in targets {
            let goal = Bits::of(to);
            let occupied = self.state.occupied().and_not(start) | goal;
            let alive = self.state.enemy().and_not(goal);
            let kings = if kings.contains(from) { kings.and_not(start) | goal } else { kings };
            if self.state.exposes(self.rules, kings, occupied, alive) {
                res.remove(to);
            }
        }
        res
    }
}

impl<const N: usize, const K: usize> State<N, K> {
    /// The unit that may be taken en passant on `square` by the side to move.
    pub(crate) fn victim(&self, rules: &Rules<N, K>, square: Square) -> Option<Square> {
        let enemy = self.side.opponent();
        let up = if enemy == Color::White { 1 } else { -1 };
        (1..=2).filter_map(|n| rules.size.offset(square, 0, n * up)).find(|&at| {
            self.enemy().contains(at)
                && self.piece_at(at).is_some_and(|(kind, _)| rules.is_pawn(kind))
        })
    }

    /// The kinds of the side to move that have a legal action.
    pub(crate) fn movable_kinds(&self, rules: &Rules<N, K>, guard: &Guard<'_, N>) -> u32 {
        kinds_of((1 << rules.n_kinds) - 1)
            .filter(|kind| {
                let mut any = Any::default();
                self.generate(rules, guard, 1 << kind.0, &mut any);
                any.0
            })
            .map(|kind| 1 << kind.0)
            .sum()
    }
}
