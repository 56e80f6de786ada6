//! Legal actions of kings, and of units that become kings.

use super::generate::Generator;
use super::sink::Sink;
use crate::bits::Bits;
use crate::variant::Castling;
use crate::{PieceKind, Square};

impl<const N: usize, const K: usize, S: Sink<N>> Generator<'_, N, K, S> {
    pub(super) fn king(&mut self, from: Square, kind: PieceKind) {
        let (state, rules) = (self.state, self.rules);
        let mut targets = self.pseudo_targets(from, kind) & self.guard.allowed_king(from);
        let is_restricted = rules.king_restriction
            && state.enemy().len() >= rules.sides[state.side.opponent()].n_start_units;
        if is_restricted {
            targets &= rules.sides[state.side].king_forward[from.index()];
        }
        if targets.any() {
            let by = state.side.opponent();
            let obstacles = self.obstacles.without(from);
            targets = targets.and_not(state.dangers_around(rules, by, from, &obstacles));
        }
        if self.guard.is_partial {
            targets = self.tested(from, targets);
        }
        if state.rights != 0 && !is_restricted {
            self.first_moves(from, &mut targets);
        }
        self.sink.moves(from, targets);
    }

    /// Units that become kings may only arrive on safe squares.
    pub(super) fn new_king(&mut self, from: Square, kind: PieceKind) {
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
    pub(super) fn is_deadly(&self, from: Square, to: Square) -> bool {
        let occupied = self.state.occupied().and_not(Bits::of(from));
        self.state.attacks(self.rules, self.state.side.opponent(), to, occupied, self.state.enemy())
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
                    && (!self.guard.is_partial || self.tested(from, Bits::of(leap.to)).any())
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
