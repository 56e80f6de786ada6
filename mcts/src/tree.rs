//! The tree: nodes, edges and positions, each in one growing arena.
//!
//! A node's edges are one contiguous block. A child is created after its parent and appended behind
//! it, in all three arenas; [`Tree::keep_subtree`](crate::reuse) relies on that order.

use std::num::NonZeroU32;

use gryphon_env::{Action, Color, Position, ZobristKey};

use crate::ValueWhite;
use crate::bounds::Bounds;

/// Names a node.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct NodeId(NonZeroU32);

impl NodeId {
    /// The node at `index` of the arena.
    pub(crate) fn at(index: usize) -> Self {
        let number = u32::try_from(index + 1).expect("a tree has fewer than 2^32 nodes");
        Self(NonZeroU32::new(number).expect("a number plus one is not zero"))
    }

    /// Its place in the arena.
    pub(crate) const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Names an edge: its place in the arena.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct EdgeIndex(pub(crate) u32);

/// The block of edges of one node.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct EdgeBlock {
    /// The first edge.
    pub(crate) start: u32,
    /// How many there are.
    pub(crate) len: u16,
}

impl EdgeBlock {
    pub(crate) const EMPTY: Self = Self { start: 0, len: 0 };

    /// The `offset`-th edge of the block.
    pub(crate) const fn edge(self, offset: usize) -> EdgeIndex {
        EdgeIndex(self.start + offset as u32)
    }

    /// The block as a range of the arena.
    pub(crate) const fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}

/// An action, or a roll, that can be taken in a node.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) action: Action,
    /// The evaluator's probability; a roll's own probability at a chance node.
    pub(crate) prior: f32,
    /// `None` until visited or known to end the game.
    pub(crate) child: Option<NodeId>,
}

/// Who acts in a node.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) enum NodeKind {
    /// A side chooses.
    Player(Color),
    /// The die falls.
    Chance,
    /// The value is certain: the game is over by the rules, repetition in the whole game included, or
    /// the side to move wins with its next action.
    Settled,
    /// The position of an ancestor came back: a draw as long as that ancestor is in the tree.
    Repeated(NodeId),
}

/// One position of the tree, reached by one path.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    /// What counts for repetition.
    pub(crate) key: ZobristKey,
    /// Whether no position before this one can come back.
    pub(crate) is_irreversible: bool,
    pub(crate) edges: EdgeBlock,
    /// Below the root only the first `n_tried` edges of a player's node have children.
    pub(crate) n_tried: u16,
    /// Its place among the positions; meaningless in a node without edges.
    pub(crate) position: u32,
    /// The evaluator's value of the node itself; a draw where it was not asked.
    pub(crate) own_value: ValueWhite,
    pub(crate) visits: u32,
    /// Sum over visits of White's value.
    pub(crate) value_sum: f64,
    pub(crate) bounds: Bounds,
    /// Actions until the end, where `bounds` are exact.
    pub(crate) distance: u16,
}

impl Node {
    /// Mean value of the visits, moved into what is proven; `None` if nothing is known.
    pub(crate) fn q(&self) -> Option<ValueWhite> {
        if let Some(value) = self.bounds.proven() {
            return Some(value);
        }
        (self.visits > 0).then(|| {
            let mean = self.value_sum / f64::from(self.visits);
            ValueWhite::new(self.bounds.clamp(mean) as f32)
        })
    }

    /// What the node adds to its parent's `value_sum`: visits times mean value, moved into what is
    /// proven.
    pub(crate) fn contribution(&self) -> f64 {
        if self.visits == 0 {
            return 0.0;
        }
        let visits = f64::from(self.visits);
        visits * self.bounds.clamp(self.value_sum / visits)
    }
}

/// The arenas. Node 0 is the root.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) positions: Vec<Position>,
}

impl Tree {
    /// Makes room for `n_nodes` nodes with `n_edges` edges each.
    pub(crate) fn reserve(&mut self, n_nodes: usize, n_edges: usize) {
        self.nodes.reserve(n_nodes);
        self.positions.reserve(n_nodes);
        self.edges.reserve(n_nodes * n_edges);
    }

    /// Forgets everything, keeping the memory.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.positions.clear();
    }

    /// The root, once it is expanded.
    pub(crate) fn root(&self) -> Option<NodeId> {
        (!self.nodes.is_empty()).then(|| NodeId::at(0))
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    pub(crate) fn edge(&self, edge: EdgeIndex) -> &Edge {
        &self.edges[edge.0 as usize]
    }

    pub(crate) fn edge_mut(&mut self, edge: EdgeIndex) -> &mut Edge {
        &mut self.edges[edge.0 as usize]
    }

    /// The edges of a node, in their order.
    pub(crate) fn edges_of(&self, id: NodeId) -> &[Edge] {
        &self.edges[self.node(id).edges.range()]
    }

    /// The node behind an edge, if it exists.
    pub(crate) fn child(&self, edge: &Edge) -> Option<&Node> {
        edge.child.map(|id| self.node(id))
    }

    /// The position of a node that has edges.
    pub(crate) fn position(&self, id: NodeId) -> &Position {
        &self.positions[self.node(id).position as usize]
    }

    /// Makes sure that the chosen edge of a node, at `offset` in its block, is either tried or the
    /// first of the untried, and names it.
    pub(crate) fn bring_forward(&mut self, node: &Node, offset: usize) -> EdgeIndex {
        let n_tried = usize::from(node.n_tried);
        if offset <= n_tried {
            return node.edges.edge(offset);
        }
        let start = node.edges.range().start;
        self.edges.swap(start + n_tried, start + offset);
        node.edges.edge(n_tried)
    }

    /// Appends a node; its edges, if any, are those appended last.
    pub(crate) fn push_node(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId::at(self.nodes.len() - 1)
    }

    /// Appends a block of edges.
    pub(crate) fn push_edges(&mut self, edges: impl Iterator<Item = Edge>) -> EdgeBlock {
        let start = self.edges.len();
        self.edges.extend(edges);
        EdgeBlock {
            start: u32::try_from(start).expect("a tree has fewer than 2^32 edges"),
            len: u16::try_from(self.edges.len() - start).expect("fewer than 2^16 legal actions"),
        }
    }

    /// Appends a position and tells its place.
    pub(crate) fn push_position(&mut self, position: Position) -> u32 {
        self.positions.push(position);
        u32::try_from(self.positions.len() - 1).expect("a tree has fewer than 2^32 nodes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_and_edges_stay_small() {
        assert!(size_of::<Edge>() <= 12);
        assert!(size_of::<Node>() <= 72);
        assert_eq!(size_of::<Option<NodeId>>(), 4);
    }
}
