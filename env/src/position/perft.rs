//! Counting action sequences.

use super::attack::{Guard, Threats};
use super::generate::ALL_KINDS;
use super::sink::{Count, Find, Sink};
use super::state::State;
use crate::variant::Rules;
use crate::{Action, ActionKind};

/// Whether the last ply is counted from the legal actions or played out.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) enum Leaves {
    Counted,
    Played,
}

impl<const N: usize, const K: usize> State<N, K> {
    /// Replaces the content of `actions` with all actions and rolls that are legal here.
    pub(crate) fn all_actions(&self, rules: &Rules<N, K>, actions: &mut Vec<Action>) {
        actions.clear();
        if !rules.faces.is_empty() && self.face == 0 {
            let faces = self.usable_faces(rules);
            let rolls = (0..rules.faces.len() as u8).filter(|face| faces >> face & 1 != 0);
            actions.extend(rolls.map(|face| Action::new_roll(crate::Face(face + 1))));
        } else {
            self.legal_actions(rules, actions);
        }
    }

    /// Whether `action`, which may be anything, is legal here.
    pub(crate) fn is_legal(&self, rules: &Rules<N, K>, action: Action) -> bool {
        let is_roll_next = !rules.faces.is_empty() && self.face == 0;
        let kinds = match action.kind() {
            ActionKind::Roll(face) => {
                let face = u32::from(face.0).wrapping_sub(1);
                return is_roll_next && face < 32 && self.usable_faces(rules) >> face & 1 != 0;
            }
            ActionKind::Swap { .. } | ActionKind::End if self.is_setup => {
                let mut actions: Vec<Action> = Vec::new();
                self.setup_actions(rules, &mut actions);
                return actions.contains(&action);
            }
            ActionKind::Swap { .. } => return false,
            ActionKind::End => 0,
            ActionKind::Move { from, to, .. } => {
                if from.max(to).index() >= rules.size.n_squares() {
                    return false;
                }
                match self.piece_at(from) {
                    Some((kind, color)) if color == self.side => 1 << kind.0,
                    _ => return false,
                }
            }
        };
        if is_roll_next || self.is_setup || self.bare_king(rules).is_some() {
            return false;
        }
        let mut find = Find::new(action);
        let mut threats = Threats::new();
        let guard = Guard::new(self, rules, &mut threats);
        self.generate(rules, &guard, kinds & self.kinds_to_move(rules), &mut find);
        find.is_found
    }

    /// Adds the legal actions of the side to move.
    #[inline]
    pub(crate) fn legal_actions(&self, rules: &Rules<N, K>, actions: &mut impl Sink<N>) {
        if self.is_setup {
            self.setup_actions(rules, actions);
        } else if self.bare_king(rules).is_none() {
            let mut threats = Threats::new();
            let guard = Guard::new(self, rules, &mut threats);
            self.generate(rules, &guard, self.kinds_to_move(rules), actions);
        }
    }

    /// Number of sequences of `depth` actions. `lists` keeps one list for every level.
    pub(crate) fn perft(
        &self,
        rules: &Rules<N, K>,
        depth: usize,
        leaves: Leaves,
        lists: &mut [Vec<Action>],
    ) -> u64 {
        if depth == 0 {
            return 1;
        }
        let is_plain = !self.is_setup && (rules.faces.is_empty() || self.face != 0);
        if depth == 1 && leaves == Leaves::Counted && is_plain {
            if self.bare_king(rules).is_some() {
                return 0;
            }
            let mut threats = Threats::new();
            let guard = Guard::new(self, rules, &mut threats);
            let mut count = Count::default();
            self.generate(rules, &guard, self.kinds_to_move(rules) & ALL_KINDS, &mut count);
            return count.0;
        }
        let Some((list, rest)) = lists.split_first_mut() else { return 0 };
        self.all_actions(rules, list);
        let mut nodes = 0;
        for &action in list.iter() {
            let mut next = self.clone();
            next.play(rules, action);
            nodes += next.perft(rules, depth - 1, leaves, rest);
        }
        nodes
    }
}
