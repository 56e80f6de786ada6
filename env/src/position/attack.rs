//! Attacks on squares, and what they forbid the side to move.

use arrayvec::ArrayVec;

use super::state::State;
use crate::bits::Bits;
use crate::variant::{BothWays, Obstacles, Rules, kinds_of};
use crate::{Color, Square};

/// Most lines a [`Guard`] holds; where there are more, moves are tested one by one.
const MAX_LINES: usize = 32;

/// A line on which an enemy unit attacks an own king, or would after some moves.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Threat<const N: usize> {
    king: Square,
    attacker: Square,
    between: Bits<N>,
    /// Units between.
    blockers: Bits<N>,
    hops: bool,
}

impl<const N: usize> Threat<N> {
    /// Where a unit from `from`, not the king, may go without leaving the line open.
    fn allowed(&self, from: Square) -> Bits<N> {
        let on_line = self.blockers.contains(from);
        let attacker = Bits::of(self.attacker);
        let n = self.blockers.len();
        if !self.hops {
            return match (n, on_line) {
                (0, _) | (1, true) => self.between | attacker,
                _ => Bits::ALL,
            };
        }
        match (n, on_line) {
            (0, _) => !self.between,
            (1, true) => !self.between | attacker,
            (1, false) | (2, true) => self.between.and_not(self.blockers) | attacker,
            _ => Bits::ALL,
        }
    }
}

/// The lines of a [`Guard`], in a place of their own: too many to be handed around.
pub(crate) type Threats<const N: usize> = ArrayVec<Threat<N>, MAX_LINES>;

/// What keeps the side to move's kings safe: where units may go without exposing any of them.
#[derive(Debug)]
pub(crate) struct Guard<'a, const N: usize> {
    /// Where units outside `special` may go.
    pub(crate) allowed: Bits<N>,
    /// Units that stand on a line.
    pub(crate) special: Bits<N>,
    threats: &'a mut Threats<N>,
    kings: Bits<N>,
    pub(crate) is_check: bool,
    /// Whether lines are missing, so that every move needs its own test.
    pub(crate) is_partial: bool,
}

impl<'a, const N: usize> Guard<'a, N> {
    /// A guard that keeps the lines in `threats`.
    #[inline]
    pub(crate) fn new<const K: usize>(
        state: &State<N, K>,
        rules: &Rules<N, K>,
        threats: &'a mut Threats<N>,
    ) -> Self {
        let mut guard = Self {
            allowed: Bits::ALL,
            special: Bits::EMPTY,
            threats,
            kings: state.of_kinds(rules.royal) & state.own(),
            is_check: false,
            is_partial: false,
        };
        for king in guard.kings {
            guard.add_king(state, rules, king);
        }
        guard
    }

    /// A guard that knows no line, so that every move is tested on its own.
    #[cfg(test)]
    pub(crate) fn without_lines<const K: usize>(
        state: &State<N, K>,
        rules: &Rules<N, K>,
        threats: &'a mut Threats<N>,
    ) -> Self {
        Self {
            allowed: Bits::ALL,
            special: Bits::EMPTY,
            threats,
            kings: state.of_kinds(rules.royal) & state.own(),
            is_check: state.is_attacked(rules, state.side),
            is_partial: true,
        }
    }

    fn add_king<const K: usize>(&mut self, state: &State<N, K>, rules: &Rules<N, K>, king: Square) {
        let (own, enemy) = (state.own(), state.enemy());
        let occupied = own | enemy;
        let side = &rules.sides[state.side.opponent()];
        let incoming = &side.incoming[king.index()];
        for attacker in state.all_of(rules.leapers, &incoming.leaps) & enemy {
            let (between, blockers) = (Bits::EMPTY, Bits::EMPTY);
            self.add(own, Threat { king, attacker, between, blockers, hops: false });
        }
        if (state.all_of(rules.riders, &incoming.rays) & enemy).is_empty() {
            return;
        }
        for kind in kinds_of(rules.riders) {
            for attacker in incoming.rays[kind.index()] & state.kinds[kind.index()] & enemy {
                side.moves[kind.index()].any_line(attacker, king, |line| {
                    let blockers = line.between & occupied;
                    let between = line.between;
                    self.add(own, Threat { king, attacker, between, blockers, hops: line.hops });
                    false
                });
            }
        }
    }

    #[inline]
    fn add(&mut self, own: Bits<N>, threat: Threat<N>) {
        let rest = threat.blockers.without_first();
        if rest.any() && (!threat.hops || rest.is_several()) {
            return;
        }
        let n = threat.blockers.len();
        let own_blockers = threat.blockers & own;
        let is_check = n == u32::from(threat.hops);
        if !is_check && n != 0 && own_blockers.is_empty() {
            return;
        }
        if self.threats.try_push(threat).is_err() {
            self.is_partial = true;
        }
        self.is_check |= is_check;
        self.special |= own_blockers;
        // A unit that is not on the line: any square that no unit stands on serves as `from`.
        self.allowed &= threat.allowed(threat.attacker);
    }

    /// Where a unit on `from`, which is not a king, may go without exposing a king.
    #[inline]
    pub(crate) fn allowed(&self, from: Square) -> Bits<N> {
        if !self.special.contains(from) {
            return self.allowed;
        }
        self.threats.iter().fold(Bits::ALL, |all, threat| all & threat.allowed(from))
    }

    /// Where the king on `from` may go without exposing another king.
    #[inline]
    pub(crate) fn allowed_king(&self, from: Square) -> Bits<N> {
        if !self.kings.is_several() {
            return Bits::ALL;
        }
        let others = self.threats.iter().filter(|threat| threat.king != from);
        others.fold(Bits::ALL, |all, threat| all & threat.allowed(from))
    }
}

impl<const N: usize, const K: usize> State<N, K> {
    /// Whether one of `by`'s units among `alive` attacks `target` on a board with these units.
    #[inline]
    pub(crate) fn attacks(
        &self,
        rules: &Rules<N, K>,
        by: Color,
        target: Square,
        occupied: Bits<N>,
        alive: Bits<N>,
    ) -> bool {
        let side = &rules.sides[by];
        let incoming = &side.incoming[target.index()];
        if (self.all_of(rules.leapers, &incoming.leaps) & alive).any() {
            return true;
        }
        if (self.all_of(rules.riders, &incoming.rays) & alive).is_empty() {
            return false;
        }
        for kind in kinds_of(rules.riders) {
            for attacker in incoming.rays[kind.index()] & self.kinds[kind.index()] & alive {
                let is_open = side.moves[kind.index()].any_line(attacker, target, |line| {
                    let blockers = line.between & occupied;
                    if line.hops {
                        blockers.any() && !blockers.is_several()
                    } else {
                        blockers.is_empty()
                    }
                });
                if is_open {
                    return true;
                }
            }
        }
        false
    }

    /// Units of `kinds` on the squares that `from` names for their kind.
    #[inline]
    fn all_of(&self, kinds: u32, from: &[Bits<N>; K]) -> Bits<N> {
        let mut res = Bits::EMPTY;
        if N == 1 {
            // On small boards, looking at all kinds is cheaper than choosing.
            for (&from, &units) in from.iter().zip(&self.kinds) {
                res |= from & units;
            }
        } else {
            for kind in kinds_of(kinds) {
                res |= from[kind.index()] & self.kinds[kind.index()];
            }
        }
        res
    }

    /// Squares within a king's reach from `from` on which one of `by`'s units could take it. Others
    /// may be among them.
    #[inline]
    pub(crate) fn dangers_around(
        &self,
        rules: &Rules<N, K>,
        by: Color,
        from: Square,
        obstacles: &Obstacles<N>,
    ) -> Bits<N> {
        let (side, enemy) = (&rules.sides[by], self.colors[by.index()]);
        let mut reached = BothWays::EMPTY;
        let near = &side.reaching_around[from.index()];
        for ((moves, &near), &units) in side.moves.iter().zip(near).zip(&self.kinds) {
            let units = near & units & enemy;
            if units.any() {
                moves.add_attacks(units, obstacles, &mut reached);
            }
        }
        reached.squares()
    }

    /// All squares on which one of `by`'s units could take a king that stood there.
    pub(crate) fn attacked_squares(
        &self,
        rules: &Rules<N, K>,
        by: Color,
        occupied: Bits<N>,
    ) -> Bits<N> {
        let (obstacles, mut reached) = (Obstacles::new(occupied), BothWays::EMPTY);
        for (kind, moves) in rules.sides[by].moves.iter().enumerate() {
            let units = self.kinds[kind] & self.colors[by.index()];
            moves.add_attacks(units, &obstacles, &mut reached);
        }
        reached.squares()
    }

    /// Whether any king of `color` is attacked.
    pub(crate) fn is_attacked(&self, rules: &Rules<N, K>, color: Color) -> bool {
        let kings = self.of_kinds(rules.royal) & self.colors[color.index()];
        let by = color.opponent();
        let (occupied, alive) = (self.occupied(), self.colors[by.index()]);
        kings.into_iter().any(|king| self.attacks(rules, by, king, occupied, alive))
    }

    /// Whether some own king would be attacked on a board with these units and enemies, the kings
    /// standing on `kings`.
    pub(crate) fn exposes(
        &self,
        rules: &Rules<N, K>,
        kings: Bits<N>,
        occupied: Bits<N>,
        alive: Bits<N>,
    ) -> bool {
        let by = self.side.opponent();
        kings.into_iter().any(|king| self.attacks(rules, by, king, occupied, alive))
    }
}
