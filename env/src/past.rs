//! What of a game's past its rules ask about.

use crate::{Action, ActionKind, Position, Repetitions, ZobristKey};

/// The past of a position: repetition, the last action, the number of plies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    /// Keys of the positions before the current one, back to the last irreversible action.
    keys: Vec<ZobristKey>,
    n_actions: u32,
    /// The last action of a side.
    last_action: Option<Action>,
}

impl Past {
    /// Forgets everything but its memory.
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.n_actions = 0;
        self.last_action = None;
    }

    /// Plays a legal action in `position`.
    #[inline]
    pub(crate) fn play(&mut self, position: &mut Position, action: Action) {
        let key = position.repetition_key();
        position.play(action);
        self.n_actions = self.n_actions.saturating_add(1);
        let is_roll = matches!(action.kind(), ActionKind::Roll(_));
        if !is_roll {
            self.last_action = Some(action);
        }
        if position.is_irreversible() {
            self.keys.clear();
        } else if !is_roll {
            // A roll leaves the same position: counting it would make every position occur twice.
            self.keys.push(key);
        }
    }

    /// How often `position`, the current one, occurred before.
    #[inline]
    pub(crate) fn repetitions(&self, position: &Position) -> Repetitions {
        let key = position.repetition_key();
        let n = self.keys.iter().filter(|&&earlier| earlier == key).count();
        Repetitions(n.min(usize::from(u8::MAX)) as u8)
    }

    pub(crate) fn keys(&self) -> &[ZobristKey] {
        &self.keys
    }

    /// Number of actions so far, rolls included.
    pub(crate) const fn n_actions(&self) -> u32 {
        self.n_actions
    }

    /// The last action of a side.
    pub(crate) const fn last_action(&self) -> Option<Action> {
        self.last_action
    }
}
