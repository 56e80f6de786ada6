//! The tree: nodes, edges and positions in growing arenas.
//!
//! A node's edges are one contiguous block. A child is created after its parent and appended behind
//! it, in every arena; [`Tree::keep_subtree`](crate::reuse) relies on that order. What belongs to an
//! edge lies in three arenas, because selection looks at the priors of all edges and at the actions of
//! hardly any.

use std::num::NonZeroU32;
use std::ops::Range;

use gryphon_env::{Action, Color, Position, ZobristKey};

use crate::ValueWhite;
use crate::bounds::Bounds;

/// Names a node.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct NodeId(NonZeroU32);

impl NodeId {
    /// The root of every tree.
    pub(crate) const ROOT: Self = Self(NonZeroU32::MIN);

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

/// Names an edge: its place in the arenas of edges.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct EdgeIndex(pub(crate) u32);

impl EdgeIndex {
    const fn index(self) -> usize {
        self.0 as usize
    }
}

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

    /// The block as a range of the arenas.
    pub(crate) const fn range(self) -> Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }

    /// The first `n` edges as a range of the arenas.
    pub(crate) const fn first(self, n: u16) -> Range<usize> {
        self.start as usize..self.start as usize + n as usize
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
    /// A side chooses, and the evaluator has not spoken yet.
    Waiting(Color),
    /// The die falls.
    Chance,
    /// The value is certain: the game is over by the rules, repetition in the whole game included, or
    /// a win was seen without a tree.
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
    /// Simulations through this node whose leaf waits for its evaluation.
    pub(crate) in_flight: u16,
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
        if self.bounds == Bounds::UNKNOWN {
            return self.value_sum;
        }
        let visits = f64::from(self.visits);
        visits * self.bounds.clamp(self.value_sum / visits)
    }

    /// Visits, those in flight included.
    pub(crate) const fn visits_begun(&self) -> u32 {
        self.visits + self.in_flight as u32
    }
}

/// The arenas. Node 0 is the root.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) actions: Vec<Action>,
    pub(crate) priors: Vec<f32>,
    pub(crate) children: Vec<Option<NodeId>>,
    pub(crate) positions: Vec<Position>,
}

impl Tree {
    /// Makes room for `n_nodes` nodes with `n_edges` edges each.
    pub(crate) fn reserve(&mut self, n_nodes: usize, n_edges: usize) {
        self.nodes.reserve(n_nodes);
        self.positions.reserve(n_nodes);
        self.actions.reserve(n_nodes * n_edges);
        self.priors.reserve(n_nodes * n_edges);
        self.children.reserve(n_nodes * n_edges);
    }

    /// Forgets everything, keeping the memory.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.positions.clear();
        self.truncate_edges(0);
    }

    /// The root, if there is one.
    pub(crate) fn root(&self) -> Option<NodeId> {
        (!self.nodes.is_empty()).then_some(NodeId::ROOT)
    }

    /// Forgets all edges from `len` on.
    pub(crate) fn truncate_edges(&mut self, len: usize) {
        self.actions.truncate(len);
        self.priors.truncate(len);
        self.children.truncate(len);
    }

    /// Bytes of the arenas, spare room included.
    pub(crate) fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.positions.capacity() * size_of::<Position>()
            + self.actions.capacity() * size_of::<Action>()
            + self.priors.capacity() * size_of::<f32>()
            + self.children.capacity() * size_of::<Option<NodeId>>()
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    pub(crate) fn edge(&self, edge: EdgeIndex) -> Edge {
        let place = edge.index();
        Edge { action: self.actions[place], prior: self.priors[place], child: self.children[place] }
    }

    pub(crate) fn action(&self, edge: EdgeIndex) -> Action {
        self.actions[edge.index()]
    }

    /// The node behind an edge, if it exists.
    pub(crate) fn child(&self, edge: EdgeIndex) -> Option<NodeId> {
        self.children[edge.index()]
    }

    /// Hangs `child` behind an edge of `parent`.
    pub(crate) fn attach(&mut self, parent: NodeId, edge: EdgeIndex, child: NodeId) {
        self.children[edge.index()] = Some(child);
        self.node_mut(parent).n_tried += 1;
    }

    /// The edges of a node, in their order.
    pub(crate) fn edges_of(&self, id: NodeId) -> impl ExactSizeIterator<Item = Edge> {
        let range = self.node(id).edges.range();
        let priors = self.priors[range.clone()].iter().zip(&self.children[range.clone()]);
        let edges = self.actions[range].iter().zip(priors);
        edges.map(|(&action, (&prior, &child))| Edge { action, prior, child })
    }

    /// The nodes behind a node's edges.
    pub(crate) fn children_of(&self, id: NodeId) -> impl Iterator<Item = &Node> {
        let children = &self.children[self.node(id).edges.range()];
        children.iter().flatten().map(|&child| self.node(child))
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
        self.swap_edges(start + n_tried, start + offset);
        node.edges.edge(n_tried)
    }

    /// Exchanges two edges of one node.
    pub(crate) fn swap_edges(&mut self, a: usize, b: usize) {
        self.actions.swap(a, b);
        self.priors.swap(a, b);
        self.children.swap(a, b);
    }

    /// Appends a node; its edges, if any, are those appended last.
    pub(crate) fn push_node(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId::at(self.nodes.len() - 1)
    }

    /// Appends a block of edges without children, with equal priors.
    pub(crate) fn push_edges(&mut self, actions: &[Action]) -> EdgeBlock {
        let start = self.actions.len();
        self.actions.extend_from_slice(actions);
        self.priors.resize(start + actions.len(), 1.0 / actions.len() as f32);
        self.children.resize(start + actions.len(), None);
        EdgeBlock {
            start: u32::try_from(start).expect("a tree has fewer than 2^32 edges"),
            len: u16::try_from(actions.len()).expect("fewer than 2^16 legal actions"),
        }
    }

    /// Appends a copy of the position of `parent`, to be played on.
    pub(crate) fn push_position_after(&mut self, parent: NodeId) -> &mut Position {
        let place = self.node(parent).position as usize;
        self.positions.extend_from_within(place..=place);
        self.positions.last_mut().expect("one was just appended")
    }

    /// The place of the position appended last.
    pub(crate) fn last_position(&self) -> u32 {
        u32::try_from(self.positions.len() - 1).expect("a tree has fewer than 2^32 nodes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_stay_small() {
        assert!(size_of::<Node>() <= 64);
        assert_eq!(size_of::<Option<NodeId>>(), 4);
    }
}
