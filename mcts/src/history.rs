//! Repetition on the way from the game's past to a leaf.

use gryphon_env::{Game, Repetitions, ZobristKey};

use crate::tree::{NodeId, NodeKind, Tree};

/// The part of the game before the root that can still be repeated.
#[derive(Debug, Default)]
pub(crate) struct History {
    keys: Vec<ZobristKey>,
}

/// Where a position occurred before.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Occurrences {
    /// The nearest ancestor in the tree with the same position.
    pub(crate) in_tree: Option<NodeId>,
    /// How often before the root.
    pub(crate) in_game: Repetitions,
}

impl History {
    /// Takes over the past of `game`.
    pub(crate) fn set(&mut self, game: &Game) {
        self.keys.clear();
        self.keys.extend_from_slice(game.keys());
    }

    /// Earlier occurrences of a position that follows `path` (root first).
    ///
    /// A chance node is passed over: the position after the roll counts as the same one.
    pub(crate) fn occurrences(
        &self,
        tree: &Tree,
        path: &[NodeId],
        key: ZobristKey,
        is_irreversible: bool,
    ) -> Occurrences {
        if is_irreversible {
            return Occurrences::default();
        }
        for &id in path.iter().rev() {
            let node = tree.node(id);
            if node.key == key && node.kind != NodeKind::Chance {
                return Occurrences { in_tree: Some(id), in_game: Repetitions::default() };
            }
            if node.is_irreversible {
                return Occurrences::default();
            }
        }
        Occurrences { in_tree: None, in_game: self.in_game(key) }
    }

    /// How often a position occurred before the root.
    pub(crate) fn in_game(&self, key: ZobristKey) -> Repetitions {
        let n = self.keys.iter().filter(|&&earlier| earlier == key).count();
        Repetitions(n.min(usize::from(u8::MAX)) as u8)
    }
}
