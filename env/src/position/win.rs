//! Actions that win at once.

use super::state::State;
use crate::bits::Bits;
use crate::variant::{Rules, kinds_of};
use crate::{Action, ActionKind, PieceKind, Square};

impl<const N: usize, const K: usize> State<N, K> {
    /// The first of the legal `actions` that mates, or that bares the enemy's kings where that wins.
    pub(crate) fn winning_action(&self, rules: &Rules<N, K>, actions: &[Action]) -> Option<Action> {
        if self.is_setup {
            return None;
        }
        let suspects = Suspects::new(self, rules);
        actions
            .iter()
            .copied()
            .find(|&action| suspects.contains(self, rules, action) && self.wins(rules, action))
    }

    fn wins(&self, rules: &Rules<N, K>, action: Action) -> bool {
        let mut next = self.clone();
        next.play(rules, action);
        next.side != self.side
            && (next.is_attacked(rules, next.side) || rules.endings.bare_king_loses)
            && next.outcome(rules).and_then(crate::Outcome::winner) == Some(self.side)
    }
}

/// Which actions may give check, or capture the last unit that counts: a cheap test that lets
/// nothing through that could win.
struct Suspects<const N: usize, const K: usize> {
    enemy_kings: Bits<N>,
    /// For every kind, squares from which a unit of it attacks one of the enemy's kings by a leap.
    leaps: [Bits<N>; K],
    /// The same by a ray, if nothing is in the way.
    rays: [Bits<N>; K],
    /// Units whose leaving may open a line to a king.
    movers: Bits<N>,
    /// Squares on which an arrival may let a hopper reach a king.
    steps: Bits<N>,
    /// Whether every action has to be looked at.
    all: bool,
    is_nearly_bare: bool,
}

impl<const N: usize, const K: usize> Suspects<N, K> {
    fn new(state: &State<N, K>, rules: &Rules<N, K>) -> Self {
        let royal = state.of_kinds(rules.royal);
        let (own, occupied) = (state.own(), state.occupied());
        let others = state.enemy().and_not(royal);
        let mut suspects = Self {
            enemy_kings: state.enemy() & royal,
            leaps: [Bits::EMPTY; K],
            rays: [Bits::EMPTY; K],
            movers: Bits::EMPTY,
            steps: Bits::EMPTY,
            all: state.is_several(rules),
            is_nearly_bare: rules.endings.bare_king_loses && !others.is_several(),
        };
        let side = &rules.sides[state.side];
        for king in suspects.enemy_kings {
            let incoming = &side.incoming[king.index()];
            for kind in 0..rules.n_kinds {
                suspects.leaps[kind] |= incoming.leaps[kind];
                suspects.rays[kind] |= incoming.rays[kind];
            }
            for kind in kinds_of(rules.riders) {
                for rider in incoming.rays[kind.index()] & state.kinds[kind.index()] & own {
                    side.moves[kind.index()].any_line(rider, king, |line| {
                        if line.hops {
                            suspects.movers |= line.between & own;
                            suspects.steps |= line.between;
                        } else if !(line.between & occupied).is_several() {
                            suspects.movers |= line.between & own;
                        }
                        false
                    });
                }
            }
        }
        suspects
    }

    fn contains(&self, state: &State<N, K>, rules: &Rules<N, K>, action: Action) -> bool {
        let ActionKind::Move { from, to, promotion } = action.kind() else { return self.all };
        let Some((kind, _)) = state.piece_at(from) else { return false };
        let becomes = promotion.unwrap_or(rules.becomes[kind.index()]);
        self.all
            || self.leaps[becomes.index()].contains(to)
            || (self.rays[becomes.index()].contains(to)
                && self.has_open_ray(state, rules, becomes, from, to))
            || self.movers.contains(from)
            || self.steps.contains(to)
            // En passant empties a second square, castling moves a second unit.
            || state.en_passant.contains(to)
            || (state.rights != 0 && rules.is_royal(kind))
            || (self.is_nearly_bare && state.enemy().contains(to))
    }
    /// Whether a rider of `kind` that went to `to` attacks a king on a line without other units but
    /// those it hops over.
    fn has_open_ray(
        &self,
        state: &State<N, K>,
        rules: &Rules<N, K>,
        kind: PieceKind,
        from: Square,
        to: Square,
    ) -> bool {
        let mut occupied = state.occupied();
        occupied.remove(from);
        let moves = &rules.sides[state.side].moves[kind.index()];
        self.enemy_kings.into_iter().any(|king| {
            moves.any_line(to, king, |line| line.hops || (line.between & occupied).is_empty())
        })
    }
}
