//! The positions before a node: the game's, then the path's.

use gryphon_env::{Game, Position, ZobristKey};

struct Earlier {
    key: ZobristKey,
    /// Whether nothing before this position can come back.
    is_barrier: bool,
}

/// Every position between the last irreversible action and the current node, root included.
pub(crate) struct Past {
    earlier: Vec<Earlier>,
    /// Where the path from the root begins; the root is the first of it.
    root: usize,
}

impl Past {
    pub(crate) fn new(game: &Game) -> Self {
        let keys = game.keys().iter();
        let earlier: Vec<_> = keys.map(|&key| Earlier { key, is_barrier: false }).collect();
        let root = earlier.len();
        Self { earlier, root }
    }

    /// Puts `position` on the path, before its children are searched.
    pub(crate) fn push(&mut self, position: &Position) {
        let is_barrier = position.is_irreversible();
        self.earlier.push(Earlier { key: position.repetition_key(), is_barrier });
    }

    /// Puts a null move's starting point on the path: nothing repeats across it.
    pub(crate) fn push_barrier(&mut self, position: &Position) {
        self.earlier.push(Earlier { key: position.repetition_key(), is_barrier: true });
    }

    pub(crate) fn pop(&mut self) {
        self.earlier.pop();
    }

    /// Whether `position` counts as a draw by repetition: it occurred on the path, where the side
    /// that wants to can repeat it again, or twice in all.
    pub(crate) fn is_repetition(&self, position: &Position) -> bool {
        if position.is_irreversible() {
            return false;
        }
        let key = position.repetition_key();
        let mut occurrences = 0;
        for (idx, earlier) in self.earlier.iter().enumerate().rev() {
            if earlier.key == key {
                occurrences += 1;
                if idx >= self.root || occurrences == 2 {
                    return true;
                }
            }
            if earlier.is_barrier {
                return false;
            }
        }
        false
    }
}
