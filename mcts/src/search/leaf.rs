//! Leaves: what stands behind an edge that was not taken before.

use gryphon_env::{Action, ActionKind, Actor, Color, ObservationContext, Outcome, Repetitions};

use super::Search;
use crate::bounds::Bounds;
use crate::history::Occurrences;
use crate::tree::{Edge, EdgeBlock, EdgeIndex, Node, NodeId, NodeKind};
use crate::{Evaluation, ValueMover, ValueWhite, backup};

/// How a simulation went on at an edge without a child.
pub(super) enum Arrival {
    /// The node exists now; it is over, or the die acts.
    Node(NodeId),
    /// The leaf has to be evaluated.
    Leaf,
}

impl Search {
    /// Puts the position behind `edge` into the leaf.
    pub(super) fn enter(&mut self, parent: NodeId, edge: EdgeIndex) {
        let action = self.tree.edge(edge).action;
        self.leaf.position.clone_from(self.tree.position(parent));
        self.leaf.position.play(action);
    }

    /// Goes to the position behind an edge without a child, and adds its node unless it needs an
    /// evaluation first.
    pub(super) fn arrive(&mut self, parent: NodeId, edge: EdgeIndex) -> Arrival {
        self.enter(parent, edge);
        let outcome = self.leaf.position.legal_actions_and_outcome(&mut self.leaf.legal);
        let past = self.occurrences();
        let node = match (self.final_node(past, outcome), self.leaf.position.actor()) {
            (Some(node), _) => node,
            (None, Actor::Chance) => self.chance_node(),
            (None, Actor::Player(mover)) => match self.won_node(mover) {
                Some(node) => node,
                None => {
                    let last_action = self.last_action(edge);
                    let repetitions = past.in_game;
                    self.leaf.context = ObservationContext { repetitions, last_action };
                    return Arrival::Leaf;
                }
            },
        };
        let id = self.tree.push_node(node);
        self.attach(edge, id);
        Arrival::Node(id)
    }

    /// Earlier occurrences of the position in the leaf, which follows the path.
    pub(super) fn occurrences(&self) -> Occurrences {
        let position = &self.leaf.position;
        let key = position.repetition_key();
        self.history.occurrences(&self.tree, &self.path, key, position.is_irreversible())
    }

    /// The node of the position in the leaf, with its `past` and `outcome`, if the game ends there.
    pub(super) fn final_node(&self, past: Occurrences, outcome: Option<Outcome>) -> Option<Node> {
        let (kind, value) = if let Some(first) = past.in_tree {
            (NodeKind::Repeated(first), ValueWhite::DRAW)
        } else if past.in_game >= Repetitions::DRAW {
            (NodeKind::Settled, ValueWhite::DRAW)
        } else {
            (NodeKind::Settled, ValueWhite::of_outcome(outcome?))
        };
        Some(Node { bounds: Bounds::exact(value), ..self.new_node(kind) })
    }

    /// The node of the position in the leaf if `mover` wins with its next action. That needs no
    /// evaluation, and makes a forced mate one level nearer.
    fn won_node(&self, mover: Color) -> Option<Node> {
        self.leaf.position.winning_action(&self.leaf.legal)?;
        let bounds = Bounds::exact(ValueMover::new(1.0).to_white(mover));
        Some(Node { bounds, distance: 1, ..self.new_node(NodeKind::Settled) })
    }

    /// Adds the rolls and the position of the leaf, in which the die acts.
    fn chance_node(&mut self) -> Node {
        self.leaf.position.chance_outcomes(&mut self.rolls);
        let rolls = self.rolls.iter().map(|outcome| Edge {
            action: outcome.action,
            prior: outcome.probability,
            child: None,
        });
        let edges = self.tree.push_edges(rolls);
        let position = self.tree.push_position(self.leaf.position.clone());
        Node { edges, position, ..self.new_node(NodeKind::Chance) }
    }

    /// The last action of a side on the way to the leaf behind `edge`: its own, or the one before a
    /// roll.
    fn last_action(&self, edge: EdgeIndex) -> Option<Action> {
        let action = self.tree.edge(edge).action;
        if !matches!(action.kind(), ActionKind::Roll(_)) {
            return Some(action);
        }
        let (&chance, before) = self.path.split_last()?;
        let edges = self.tree.edges_of(*before.last()?);
        edges.iter().find(|edge| edge.child == Some(chance)).map(|edge| edge.action)
    }

    /// Adds the leaf's node with its edges and position.
    pub(super) fn expand(&mut self, evaluation: &Evaluation) -> NodeId {
        assert_eq!(
            evaluation.logits.len(),
            self.leaf.legal.len(),
            "an evaluation has one logit a legal action"
        );
        let Actor::Player(mover) = self.leaf.position.actor() else {
            unreachable!("a leaf waits for an evaluation only where a side acts")
        };
        let edges = self.leaf.legal.iter().zip(&evaluation.logits);
        let edges = edges.map(|(&action, &logit)| Edge { action, prior: logit, child: None });
        let block = self.tree.push_edges(edges);
        turn_into_probabilities(&mut self.tree.edges[block.range()]);
        let position = self.tree.push_position(self.leaf.position.clone());
        let own_value = evaluation.wdl.value().to_white(mover);
        let node = self.new_node(NodeKind::Player(mover));
        let node = Node { edges: block, position, own_value, ..node };
        let id = self.tree.push_node(node);
        if id == NodeId::at(0) {
            backup::back_up(&mut self.tree, &[id]);
        }
        id
    }

    /// A node for the position in the leaf, about which nothing more is known.
    fn new_node(&self, kind: NodeKind) -> Node {
        Node {
            kind,
            key: self.leaf.position.repetition_key(),
            is_irreversible: self.leaf.position.is_irreversible(),
            edges: EdgeBlock::EMPTY,
            n_tried: 0,
            position: 0,
            own_value: ValueWhite::DRAW,
            visits: 0,
            value_sum: 0.0,
            bounds: Bounds::UNKNOWN,
            distance: 0,
        }
    }
}

/// Replaces logits, stored as priors, by probabilities. Logits that make no sense give equal ones.
fn turn_into_probabilities(edges: &mut [Edge]) {
    let largest = edges.iter().fold(f32::NEG_INFINITY, |max, edge| max.max(edge.prior));
    let mut total = 0.0;
    for edge in edges.iter_mut() {
        edge.prior = (edge.prior - largest).exp();
        total += edge.prior;
    }
    let equal = 1.0 / edges.len() as f32;
    let is_usable = total.is_finite() && total > 0.0;
    for edge in edges {
        edge.prior = if is_usable { edge.prior / total } else { equal };
    }
}
