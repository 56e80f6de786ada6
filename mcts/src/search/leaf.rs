//! Leaves: what stands behind an edge that was not taken before.

use std::num::NonZeroU32;

use gryphon_env::{ActionKind, Actor, Color, ObservationContext, Outcome, Repetitions};

use super::{Flow, Search};
use crate::bounds::Bounds;
use crate::cache::EvaluationKey;
use crate::history::Occurrences;
use crate::probe::WinProbe;
use crate::tree::{EdgeBlock, EdgeIndex, Node, NodeId, NodeKind, Tree};
use crate::{EvaluationCache, Query, ValueMover, ValueWhite, Wdl, backup};

/// A node waiting for its evaluation.
#[derive(Debug)]
pub(super) struct Leaf {
    pub(super) node: NodeId,
    /// The nodes from the root to this one.
    pub(super) path: Vec<NodeId>,
    context: ObservationContext,
}

impl Leaf {
    pub(super) fn query<'a>(&self, tree: &'a Tree) -> Query<'a> {
        query(tree, self.node, self.context)
    }
}

fn query(tree: &Tree, id: NodeId, context: ObservationContext) -> Query<'_> {
    let legal = &tree.actions[tree.node(id).edges.range()];
    Query { position: tree.position(id), context, legal }
}

impl Search {
    /// Takes the root as the leaf.
    pub(super) fn reach_root(&mut self, cache: &mut EvaluationCache) {
        self.path.clear();
        self.path.push(NodeId::ROOT);
        self.reach_leaf(self.root_context, cache);
    }

    /// Looks up the evaluation of the last node of the path, or lets it wait.
    pub(super) fn reach_leaf(
        &mut self,
        context: ObservationContext,
        cache: &mut EvaluationCache,
    ) -> Flow {
        let node = *self.path.last().expect("a path begins with the root");
        if !cache.is_off() {
            let key = EvaluationKey::of(&query(&self.tree, node, context));
            if let Some((logits, wdl)) = cache.get(&key) {
                self.expand(node, logits, wdl);
                self.finish_path();
                return Flow::Finished;
            }
        }
        for &id in &self.path {
            self.tree.node_mut(id).in_flight += 1;
        }
        let spare = self.spare_paths.pop().unwrap_or_default();
        let path = std::mem::replace(&mut self.path, spare);
        self.leaves.push(Leaf { node, path, context });
        Flow::Waits
    }

    /// Adds the node behind an edge without a child. Also tells how often its position occurred before.
    pub(super) fn arrive(&mut self, parent: NodeId, edge: EdgeIndex) -> (NodeId, Occurrences) {
        let action = self.tree.action(edge);
        let position = self.tree.push_position_after(parent);
        position.play(action);
        let outcome = position.legal_actions_and_outcome(&mut self.legal);
        let actor = position.actor();
        let past = self.occurrences(self.path.len());
        let id = match (self.final_node(past, outcome), actor) {
            (Some(node), _) => self.push_certain_node(node),
            (None, Actor::Chance) => self.push_chance_node(),
            (None, Actor::Player(mover)) => match self.won_node(mover) {
                Some(node) => self.push_certain_node(node),
                None => self.push_leaf_node(mover),
            },
        };
        self.tree.attach(parent, edge, id);
        (id, past)
    }

    /// Adds the children of the root that end the game.
    pub(super) fn find_final_actions(&mut self) {
        self.path.clear();
        self.path.push(NodeId::ROOT);
        let block = self.tree.node(NodeId::ROOT).edges;
        for offset in 0..usize::from(block.len) {
            let edge = block.edge(offset);
            if self.tree.child(edge).is_some() {
                continue;
            }
            let action = self.tree.action(edge);
            let position = self.tree.push_position_after(NodeId::ROOT);
            position.play(action);
            let outcome = position.outcome();
            match self.final_node(self.occurrences(self.path.len()), outcome) {
                Some(node) => {
                    let id = self.push_certain_node(node);
                    self.tree.attach(NodeId::ROOT, edge, id);
                }
                None => {
                    self.tree.positions.pop();
                }
            }
        }
        backup::update_bounds(&mut self.tree, NodeId::ROOT);
    }

    /// Looks for a win that the root's side can force, and adds its first action's child.
    pub(super) fn probe_for_win(&mut self, budget: NonZeroU32) {
        let root = self.tree.node(NodeId::ROOT);
        let (block, mover) = (root.edges, self.mover_of_root());
        let actions = &self.tree.actions[block.range()];
        let position = self.tree.position(NodeId::ROOT);
        let Some(win) = WinProbe::new(&self.history, budget).find(position, actions) else {
            return;
        };
        let edge = block.edge(win.offset);
        let action = self.tree.action(edge);
        self.tree.push_position_after(NodeId::ROOT).play(action);
        let bounds = Bounds::exact(ValueMover::new(1.0).to_white(mover));
        let distance = win.end_in - 1;
        let node = Node { bounds, distance, ..self.new_node(NodeKind::Settled) };
        // In a kept tree the node replaces one whose own children do not prove the win yet.
        let id = self.push_certain_node(node);
        self.tree.attach(NodeId::ROOT, edge, id);
        backup::update_bounds(&mut self.tree, NodeId::ROOT);
    }

    /// What an evaluator must know, beside the position, of the last node of the path, which is behind
    /// `edge`.
    pub(super) fn context_behind(
        &self,
        edge: EdgeIndex,
        past: Option<Occurrences>,
    ) -> ObservationContext {
        let past = past.unwrap_or_else(|| {
            let node = self.path.last().map(|&id| self.tree.node(id));
            let node = node.expect("a path begins with the root");
            self.history.occurrences(
                &self.tree,
                &self.path[..self.path.len() - 1],
                node.key,
                node.is_irreversible,
            )
        });
        let mut last_action = Some(self.tree.action(edge));
        if let Some(ActionKind::Roll(_)) = last_action.map(gryphon_env::Action::kind)
            && let [.., before, chance, _] = self.path[..]
        {
            let mut edges = self.tree.edges_of(before);
            last_action = edges.find(|edge| edge.child == Some(chance)).map(|edge| edge.action);
        }
        ObservationContext { repetitions: past.in_game, last_action }
    }

    /// Earlier occurrences of the position appended last, which follows the first `n` nodes of the path.
    fn occurrences(&self, n: usize) -> Occurrences {
        let position = self.tree.positions.last().expect("a position was appended");
        let key = position.repetition_key();
        self.history.occurrences(&self.tree, &self.path[..n], key, position.is_irreversible())
    }

    /// The node of the position appended last, with its `past` and `outcome`, if the game ends there.
    fn final_node(&self, past: Occurrences, outcome: Option<Outcome>) -> Option<Node> {
        let (kind, value) = if let Some(first) = past.in_tree {
            (NodeKind::Repeated(first), ValueWhite::DRAW)
        } else if past.in_game >= Repetitions::DRAW {
            (NodeKind::Settled, ValueWhite::DRAW)
        } else {
            (NodeKind::Settled, ValueWhite::of_outcome(outcome?))
        };
        Some(Node { bounds: Bounds::exact(value), ..self.new_node(kind) })
    }

    /// The node of the position appended last if `mover` wins with its next action. That needs no
    /// evaluation, and makes a forced mate one level nearer.
    fn won_node(&self, mover: Color) -> Option<Node> {
        self.tree.positions.last()?.winning_action(&self.legal)?;
        let bounds = Bounds::exact(ValueMover::new(1.0).to_white(mover));
        Some(Node { bounds, distance: 1, ..self.new_node(NodeKind::Settled) })
    }

    /// Adds a node whose value is certain. Nothing is ever played from it, so the position appended
    /// last goes.
    fn push_certain_node(&mut self, node: Node) -> NodeId {
        self.tree.positions.pop();
        self.tree.push_node(node)
    }

    /// Adds the node of the position appended last, in which the die acts, with its rolls.
    fn push_chance_node(&mut self) -> NodeId {
        let position = self.tree.positions.last().expect("a position was appended");
        position.chance_outcomes(&mut self.rolls);
        self.legal.clear();
        self.legal.extend(self.rolls.iter().map(|roll| roll.action));
        let edges = self.tree.push_edges(&self.legal);
        let priors = &mut self.tree.priors[edges.range()];
        for (prior, roll) in priors.iter_mut().zip(&self.rolls) {
            *prior = roll.probability;
        }
        self.push_inner_node(NodeKind::Chance, edges)
    }

    /// Adds the node of the position appended last, in which `mover` has the legal actions at hand.
    pub(super) fn push_leaf_node(&mut self, mover: Color) -> NodeId {
        let edges = self.tree.push_edges(&self.legal);
        self.push_inner_node(NodeKind::Waiting(mover), edges)
    }

    fn push_inner_node(&mut self, kind: NodeKind, edges: EdgeBlock) -> NodeId {
        let position = self.tree.last_position();
        self.tree.push_node(Node { edges, position, ..self.new_node(kind) })
    }

    /// Gives a waiting node its evaluation.
    pub(super) fn expand(&mut self, id: NodeId, logits: &[f32], wdl: Wdl) {
        let node = self.tree.node_mut(id);
        let NodeKind::Waiting(mover) = node.kind else {
            unreachable!("only nodes without evaluation wait for one")
        };
        node.kind = NodeKind::Player(mover);
        node.own_value = wdl.value().to_white(mover);
        let range = node.edges.range();
        let priors = &mut self.tree.priors[range];
        assert_eq!(logits.len(), priors.len(), "an evaluation has one logit a legal action");
        turn_into_probabilities(logits, priors);
    }

    /// A node for the position appended last, about which nothing more is known.
    fn new_node(&self, kind: NodeKind) -> Node {
        let position = self.tree.positions.last().expect("a position was appended");
        Node {
            kind,
            key: position.repetition_key(),
            is_irreversible: position.is_irreversible(),
            edges: EdgeBlock::EMPTY,
            n_tried: 0,
            in_flight: 0,
            position: 0,
            own_value: ValueWhite::DRAW,
            visits: 0,
            value_sum: 0.0,
            bounds: Bounds::UNKNOWN,
            distance: 0,
        }
    }
}

/// Writes the softmax of logits. Logits that make no sense give equal probabilities.
fn turn_into_probabilities(logits: &[f32], probabilities: &mut [f32]) {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut total = 0.0;
    for (probability, &logit) in probabilities.iter_mut().zip(logits) {
        *probability = (logit - largest).exp();
        total += *probability;
    }
    let equal = 1.0 / logits.len() as f32;
    let is_usable = total.is_finite() && total > 0.0;
    for probability in probabilities {
        *probability = if is_usable { *probability / total } else { equal };
    }
}
