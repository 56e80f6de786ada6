//! How positions end games.

use super::attack::{Guard, Threats};
use super::generate::ALL_KINDS;
use super::sink::{Any, Collection};
use super::state::State;
use crate::bits::Bits;
use crate::variant::Rules;
use crate::{Color, DrawReason, Outcome, WinReason};

impl<const N: usize, const K: usize> State<N, K> {
    /// The winner, if a side has nothing but kings and the variant counts that. A capture that
    /// bares both sides wins for the side that made it.
    #[inline]
    pub(crate) fn bare_king(&self, rules: &Rules<N, K>) -> Option<Outcome> {
        if !rules.endings.bare_king_loses {
            return None;
        }
        let others = !self.of_kinds(rules.royal);
        let is_bare = |color: Color| (self.colors[color.index()] & others).is_empty();
        let loser = [self.side, self.side.opponent()].into_iter().find(|&color| is_bare(color))?;
        Some(Outcome::Decisive { winner: loser.opponent(), reason: WinReason::BareKing })
    }

    /// What it means that the side to move has no legal action.
    pub(crate) fn no_action(&self, rules: &Rules<N, K>, is_check: bool) -> Outcome {
        let winner = self.side.opponent();
        if is_check {
            Outcome::Decisive { winner, reason: WinReason::Checkmate }
        } else if rules.endings.stalemate_loses {
            Outcome::Decisive { winner, reason: WinReason::Stalemate }
        } else {
            Outcome::Draw { reason: DrawReason::Stalemate }
        }
    }

    /// A draw that does not depend on the legal actions.
    #[inline]
    pub(crate) fn draw_by_rule(&self, rules: &Rules<N, K>) -> Option<Outcome> {
        let others = self.occupied().and_not(self.of_kinds(rules.royal));
        let reason = if others.is_empty() {
            DrawReason::OnlyKings
        } else if rules.endings.clock.is_some_and(|plies| self.halfmove >= plies) {
            DrawReason::Clock
        } else if self.cannot_mate(rules, others) {
            DrawReason::InsufficientMaterial
        } else {
            return None;
        };
        Some(Outcome::Draw { reason })
    }

    fn cannot_mate(&self, rules: &Rules<N, K>, others: Bits<N>) -> bool {
        let is_alone = !others.is_several();
        if is_alone && (others & self.of_kinds(rules.alone_draws)).any() {
            return true;
        }
        let shade_bound = self.of_kinds(rules.one_shade_draws);
        others.and_not(shade_bound).is_empty()
            && ((others & rules.dark).is_empty() || others.and_not(rules.dark).is_empty())
    }

    /// The result by the rules that need no past.
    pub(crate) fn outcome(&self, rules: &Rules<N, K>) -> Option<Outcome> {
        if let Some(outcome) = self.bare_king(rules) {
            return Some(outcome);
        }
        if !self.is_setup {
            let mut threats = Threats::new();
            let guard = Guard::new(self, rules, &mut threats);
            let mut any = Any::default();
            self.generate(rules, &guard, ALL_KINDS, &mut any);
            if !any.0 {
                return Some(self.no_action(rules, guard.is_check));
            }
        }
        self.draw_by_rule(rules)
    }

    /// Adds the legal actions to an empty collection and gives the result in the same pass; not
    /// before a roll.
    pub(crate) fn actions_and_outcome(
        &self,
        rules: &Rules<N, K>,
        actions: &mut impl Collection<N>,
    ) -> Option<Outcome> {
        if let Some(outcome) = self.bare_king(rules) {
            return Some(outcome);
        }
        if self.is_setup {
            self.setup_actions(rules, actions);
            return self.draw_by_rule(rules);
        }
        let mut threats = Threats::new();
        let guard = Guard::new(self, rules, &mut threats);
        self.generate(rules, &guard, self.kinds_to_move(rules), actions);
        if actions.is_empty() {
            // A face is rolled only if its kind can move, so that nothing can move at all.
            return Some(self.no_action(rules, guard.is_check));
        }
        self.draw_by_rule(rules)
    }

    /// The kinds that may move under the rolled face.
    pub(crate) fn kinds_to_move(&self, rules: &Rules<N, K>) -> u32 {
        match self.face.checked_sub(1) {
            Some(face) => 1 << rules.faces[usize::from(face)].0,
            None => ALL_KINDS,
        }
    }

    /// The kinds that have a legal action, whatever the die shows.
    pub(crate) fn all_movable(&self, rules: &Rules<N, K>) -> u32 {
        let mut threats = Threats::new();
        self.movable_kinds(rules, &Guard::new(self, rules, &mut threats))
    }

    /// Faces whose kind has a legal action, as a bit set from face 1 on bit 0.
    pub(crate) fn usable_faces(&self, rules: &Rules<N, K>) -> u32 {
        if self.bare_king(rules).is_some() {
            return 0;
        }
        let kinds = self.all_movable(rules);
        let faces = rules.faces.iter().enumerate();
        faces.filter(|(_, kind)| kinds >> kind.0 & 1 != 0).map(|(face, _)| 1 << face).sum()
    }
}
