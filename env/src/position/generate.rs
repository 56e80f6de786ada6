//! Legal actions.

use super::attack::Guard;
use super::state::State;
use crate::bits::Bits;
use crate::variant::{Castling, KindMoves, Role, Rules, kinds_of};
use crate::{Action, Color, PieceKind, Square};

/// Takes the legal actions as they are found.
pub(crate) trait Sink<const N: usize> {
    /// Moves without promotion.
    fn moves(&mut self, from: Square, targets: Bits<N>);
    /// Moves without promotion to `targets`, each from the square whose index is lower by `delta`.
    fn steps(&mut self, delta: i8, targets: Bits<N>);
    /// Any single action.
    fn action(&mut self, action: Action);
    /// Whether no more actions are wanted.
    fn is_full(&self) -> bool {
        false
    }
}

/// Collects actions.
impl<const N: usize> Sink<N> for Vec<Action> {
    #[inline]
    fn moves(&mut self, from: Square, targets: Bits<N>) {
        self.extend(targets.into_iter().map(|to| Action::new_move(from, to)));
    }

    #[inline]
    fn steps(&mut self, delta: i8, targets: Bits<N>) {
        self.extend(targets.into_iter().map(|to| Action::new_move(origin(to, delta), to)));
    }

    #[inline]
    fn action(&mut self, action: Action) {
        self.push(action);
    }
}

/// Counts actions.
#[derive(Debug, Default)]
pub(crate) struct Count(pub(crate) u64);

impl<const N: usize> Sink<N> for Count {
    #[inline]
    fn moves(&mut self, _: Square, targets: Bits<N>) {
        self.0 += u64::from(targets.len());
    }

    #[inline]
    fn steps(&mut self, _: i8, targets: Bits<N>) {
        self.0 += u64::from(targets.len());
    }

    #[inline]
    fn action(&mut self, _: Action) {
        self.0 += 1;
    }
}

/// Asks whether there is any action.
#[derive(Debug, Default)]
pub(crate) struct Any(pub(crate) bool);

impl<const N: usize> Sink<N> for Any {
    #[inline]
    fn moves(&mut self, _: Square, targets: Bits<N>) {
        self.0 |= targets.any();
    }

    #[inline]
    fn steps(&mut self, _: i8, targets: Bits<N>) {
        self.0 |= targets.any();
    }

    #[inline]
    fn action(&mut self, _: Action) {
        self.0 = true;
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.0
    }
}

/// Where a step that raises the index by `delta` comes from.
const fn origin(to: Square, delta: i8) -> Square {
    Square(to.0.wrapping_sub(delta as u8))
}

/// All kinds, for [`State::generate`].
pub(crate) const ALL_KINDS: u32 = u32::MAX;

/// One call of the generator.
struct Generator<'a, const N: usize, const K: usize, S> {
    state: &'a State<N, K>,
    rules: &'a Rules<N, K>,
    guard: &'a Guard<N>,
    own: Bits<N>,
    /// Enemy units that can be captured: all but kings.
    prey: Bits<N>,
    /// All other units: an enemy king blocks like an own unit.
    closed: Bits<N>,
    /// Squares that the enemy attacks, once somebody asked for them.
    danger: Option<Bits<N>>,
    /// Where units may start and end, in an unfinished turn.
    starts: Bits<N>,
    ends: Bits<N>,
    sink: &'a mut S,
}

impl<const N: usize, const K: usize> State<N, K> {
    /// Hands the legal actions of `kinds` to `sink`. The die, the set-up and games that are over
    /// are the caller's business.
    pub(crate) fn generate<S: Sink<N>>(
        &self,
        rules: &Rules<N, K>,
        guard: &Guard<N>,
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
            let targets = moves.leaps[from.index()].both & open;
            self.sink.moves(from, targets & self.guard.allowed(from));
        });
    }

    #[inline]
    fn slides(&mut self, units: Bits<N>, moves: &KindMoves<N>) {
        let open = self.ends.and_not(self.closed);
        let occupied = self.closed | self.prey;
        units.for_each(|from| {
            let targets = moves.slide_targets(from, occupied) & open;
            self.sink.moves(from, targets & self.guard.allowed(from));
        });
    }

    /// Whether the mover's limits let one more unit be what `kind` becomes.
    #[inline]
    fn may_change(&self, kind: PieceKind) -> bool {
        let becomes = self.rules.becomes[kind.index()];
        self.has_room(kind, becomes)
    }

    #[inline]
    fn has_room(&self, kind: PieceKind, becomes: PieceKind) -> bool {
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
            if may_take_en_passant {
                targets = self.en_passant(from, kind, targets);
            }
            if self.guard.is_partial {
                targets = self.tested(from, targets);
            }
            self.sink_moves(from, kind, targets);
        });
    }

    /// Hands on moves of a unit that may promote.
    #[inline]
    fn sink_moves(&mut self, from: Square, kind: PieceKind, mut targets: Bits<N>) {
        if self.rules.promoting >> kind.0 & 1 != 0 {
            let zone = targets & self.rules.sides[self.state.side].promotes[kind.index()];
            if zone.any() {
                targets = targets.and_not(zone);
                self.promotions(from, kind, zone);
            }
        }
        self.sink.moves(from, targets);
    }

    /// Moves of many units that make the same steps. Those that need a closer look go the long way.
    #[inline]
    fn all_at_once(&mut self, units: Bits<N>, kind: PieceKind, moves: &KindMoves<N>) {
        let Some(moves) = &moves.set_moves else { return };
        let state = self.state;
        let mut single = units & self.guard.special;
        if state.en_passant.any() {
            for step in &moves.takes {
                single |= units & state.en_passant.shifted(-step.delta);
            }
        }
        if single.any() {
            self.mixed(single, kind);
        }
        let units = units.and_not(single);
        let goals = self.guard.allowed & self.ends;
        let empty = !(self.closed | self.prey);
        for step in &moves.takes {
            self.steps(
                kind,
                step.delta,
                (units & step.from).shifted(step.delta) & self.prey & goals,
            );
        }
        for step in &moves.quiet {
            self.steps(kind, step.delta, (units & step.from).shifted(step.delta) & empty & goals);
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
    fn pseudo_targets(&self, from: Square, kind: PieceKind) -> Bits<N> {
        let table = &self.rules.sides[self.state.side].moves[kind.index()];
        table.targets(from, self.closed, self.prey) & self.ends
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
    fn en_passant(&mut self, from: Square, kind: PieceKind, mut targets: Bits<N>) -> Bits<N> {
        let table = &self.rules.sides[self.state.side].moves[kind.index()];
        for to in table.leaps[from.index()].en_passant & self.state.en_passant & self.ends {
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

    fn king(&mut self, from: Square, kind: PieceKind) {
        let (state, rules) = (self.state, self.rules);
        let mut targets = self.pseudo_targets(from, kind) & self.guard.allowed_king(from);
        let is_restricted = rules.king_restriction
            && state.enemy().len() >= rules.sides[state.side.opponent()].n_start_units;
        if is_restricted {
            targets &= rules.sides[state.side].king_forward[from.index()];
        }
        targets = self.safe(from, targets);
        if state.rights != 0 && !is_restricted {
            self.first_moves(from, &mut targets);
        }
        self.sink.moves(from, targets);
    }

    /// Units that become kings may only arrive on safe squares.
    fn new_king(&mut self, from: Square, kind: PieceKind) {
        let mut targets = self.pseudo_targets(from, kind) & self.guard.allowed(from);
        if self.guard.is_partial {
            targets = self.tested(from, targets);
        }
        targets = self.safe(from, targets);
        let table = &self.rules.sides[self.state.side].moves[kind.index()];
        if table.has_en_passant && self.state.moved.is_empty() {
            targets = self.en_passant(from, kind, targets);
        }
        self.sink_moves(from, kind, targets);
    }

    /// Those of `targets` on which a king that comes from `from` is not attacked.
    #[inline]
    fn safe(&mut self, from: Square, targets: Bits<N>) -> Bits<N> {
        if targets.len() > if N == 1 { 6 } else { 12 } {
            return targets.and_not(self.danger_from(from));
        }
        let mut res = targets;
        for to in targets {
            if self.is_deadly(from, to) {
                res.remove(to);
            }
        }
        res
    }

    /// Squares on which a king that comes from `from` would be attacked.
    fn danger_from(&mut self, from: Square) -> Bits<N> {
        let (state, rules) = (self.state, self.rules);
        let by = state.side.opponent();
        let danger =
            *self.danger.get_or_insert_with(|| state.attacked_squares(rules, by, state.occupied()));
        // A unit that is not attacked hides no square from a slider by standing where it does.
        if danger.contains(from) || rules.has_hops {
            state.attacked_squares(rules, by, state.occupied().and_not(Bits::of(from)))
        } else {
            danger
        }
    }

    /// Whether a king that comes from `from` would be attacked on `to`.
    #[inline]
    fn is_deadly(&self, from: Square, to: Square) -> bool {
        let occupied = self.state.occupied().and_not(Bits::of(from));
        self.state.attacks(self.rules, self.state.side.opponent(), to, occupied, self.state.enemy())
    }

    /// Those of `targets` that expose no king, each tested on its own.
    fn tested(&self, from: Square, targets: Bits<N>) -> Bits<N> {
        let mut res = targets;
        let kings = self.own & self.state.of_kinds(self.rules.royal);
        for to in targets {
            let occupied = self.state.occupied().and_not(Bits::of(from)) | Bits::of(to);
            if self.state.exposes(
                self.rules,
                kings,
                occupied,
                self.state.enemy().and_not(Bits::of(to)),
            ) {
                res.remove(to);
            }
        }
        res
    }

    /// Adds the first king's leap and castling.
    fn first_moves(&mut self, from: Square, targets: &mut Bits<N>) {
        let (state, rules) = (self.state, self.rules);
        let side = &rules.sides[state.side];
        if self.guard.is_check {
            return;
        }
        if let Some((right, king)) = side.leap_right
            && state.rights & right != 0
            && king == from
        {
            let closed = if rules.leap_captures { self.closed } else { state.occupied() };
            for leap in &side.leaps {
                if !closed.contains(leap.to)
                    && self.ends.contains(leap.to)
                    && self.guard.allowed_king(from).contains(leap.to)
                    && !self.is_deadly(from, leap.to)
                    && leap.over.iter().any(|&over| !self.is_deadly(from, over))
                {
                    targets.insert(leap.to);
                }
            }
        }
        for castling in &side.castlings {
            let is_open = state.rights & castling.right != 0 && castling.king_from == from;
            if is_open && self.ends.contains(castling.king_to) && self.may_castle(castling) {
                targets.insert(castling.king_to);
            }
        }
    }

    fn may_castle(&self, castling: &Castling<N>) -> bool {
        let (state, rules) = (self.state, self.rules);
        let (king, partner) = (castling.king_from, castling.partner_from);
        if (castling.between & state.occupied()).any()
            || !self.starts.contains(partner)
            || state.moved.any() && state.moved.len() + 2 > rules.n_several_units
        {
            return false;
        }
        let Some((kind, _)) = state.piece_at(partner) else { return false };
        if !self.has_room(kind, rules.becomes[kind.index()]) {
            return false;
        }
        if castling.over.iter().any(|&over| self.is_deadly(king, over)) {
            return false;
        }
        let after = state.occupied().and_not(Bits::of(king) | Bits::of(partner))
            | Bits::of(castling.king_to)
            | Bits::of(castling.partner_to);
        let kings = (self.own & state.of_kinds(rules.royal)).and_not(Bits::of(king))
            | Bits::of(castling.king_to);
        !state.exposes(rules, kings, after, state.enemy())
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
    pub(crate) fn movable_kinds(&self, rules: &Rules<N, K>, guard: &Guard<N>) -> u32 {
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
