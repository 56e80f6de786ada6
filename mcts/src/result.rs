//! What a search found.

use gryphon_env::{Action, Color};

use crate::improved::{Completion, mover_q};
use crate::search::RootSearch;
use crate::tree::{Edge, Node, NodeId};
use crate::{GumbelConfig, RootPolicy, Search, ValueMover, ValueWhite, backup};

/// One action of the root after a search.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct RootAction {
    /// The action.
    pub action: Action,
    /// The evaluator's probability.
    pub prior: f32,
    /// Simulations through it, those of a kept tree included.
    pub visits: u32,
    /// Mean value of its simulations, or its proven value; `None` if nothing is known.
    pub q: Option<ValueWhite>,
    /// The improved policy's probability: the training target. Sums to 1 over the root. Under PUCT
    /// it is the share of visits.
    pub improved: f32,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The action to play.
    pub action: Action,
    /// Value of the root after the search: proven, or the improved policy's expectation.
    pub value: ValueWhite,
    /// All legal actions of the root, in the position's order.
    pub actions: Vec<RootAction>,
    /// Simulations run in this search.
    pub simulations: u32,
}

impl Search {
    /// What was found.
    ///
    /// A proven win is chosen at once, the shortest known first; a proven loss only if there is
    /// nothing else, the longest known first. Otherwise the Gumbel root chooses the winner of
    /// sequential halving, PUCT the most visited action.
    ///
    /// # Panics
    /// If [`Search::gather`] did not yet answer [`Step::Done`](crate::Step::Done), or if no side
    /// acts at the root.
    #[must_use]
    pub fn result(&self) -> SearchResult {
        assert!(self.is_done(), "the search is still running, or no side acts at its root");
        let mover = self.mover_of_root();
        let improved = self.improved_policy(mover);
        let actions = self.root_edges().zip(&improved).map(|(edge, &improved)| RootAction {
            action: edge.action,
            prior: edge.prior,
            visits: self.visits(edge),
            q: self.child(edge).and_then(Node::q),
            improved,
        });
        let actions: Vec<RootAction> = actions.collect();
        SearchResult {
            action: actions[self.chosen(mover)].action,
            value: self.value(mover, &improved),
            actions,
            simulations: self.simulations_run,
        }
    }

    /// The offset of the chosen edge of an evaluated root.
    pub(crate) fn chosen(&self, mover: Color) -> usize {
        if let Some(offset) = self.best_proof(mover) {
            return offset;
        }
        match &self.root_search {
            Some(RootSearch::Gumbel(gumbel)) => gumbel.winner(&self.tree),
            Some(RootSearch::Puct(_)) | None => self.most_visited(mover),
        }
    }

    /// The edge that proves the root's value, if it is proven.
    fn best_proof(&self, mover: Color) -> Option<usize> {
        let value = self.tree.node(NodeId::ROOT).bounds.proven()?;
        let mut best = None;
        for (offset, edge) in self.root_edges().enumerate() {
            let Some(child) = self.child(edge) else { continue };
            if child.bounds.proven() == Some(value)
                && best.is_none_or(|(_, other)| backup::is_better_proof(mover, child, other))
            {
                best = Some((offset, child));
            }
        }
        best.map(|(offset, _)| offset)
    }

    fn most_visited(&self, mover: Color) -> usize {
        let rank = |edge: Edge| {
            let q = self.child(edge).and_then(|child| mover_q(child, mover));
            (self.visits(edge), q.unwrap_or(-1.0), edge.prior)
        };
        let useful =
            self.root_edges().enumerate().filter(|&(_, edge)| !self.is_useless(mover, edge));
        let best = useful.reduce(|a, b| if rank(b.1) > rank(a.1) { b } else { a });
        best.map_or(0, |(offset, _)| offset)
    }

    /// The improved policy, one probability an edge.
    fn improved_policy(&self, mover: Color) -> Vec<f32> {
        let mut policy: Vec<f32> = match self.config().root {
            RootPolicy::Gumbel(config) => self.improved_weights(mover, &config),
            RootPolicy::Puct(_) => self.root_edges().map(|edge| self.visits(edge) as f32).collect(),
        };
        let edge = |offset| self.tree.edge(self.tree.node(NodeId::ROOT).edges.edge(offset));
        let best_proof = self.best_proof(mover).and_then(|best| self.child(edge(best)));
        for (weight, edge) in policy.iter_mut().zip(self.root_edges()) {
            let is_excluded = match (best_proof, self.child(edge)) {
                (Some(best), Some(child)) => {
                    child.bounds != best.bounds || backup::is_better_proof(mover, best, child)
                }
                (Some(_), None) => true,
                (None, _) => self.is_useless(mover, edge),
            };
            if is_excluded {
                *weight = 0.0;
            }
        }
        let total: f32 = policy.iter().sum();
        if total > 0.0 {
            policy.iter_mut().for_each(|weight| *weight /= total);
        } else {
            policy.fill(0.0);
            policy[self.chosen(mover)] = 1.0;
        }
        policy
    }

    /// The improved policy of Gumbel AlphaZero, up to a factor.
    fn improved_weights(&self, mover: Color, config: &GumbelConfig) -> Vec<f32> {
        let completion = Completion::of(&self.tree, NodeId::ROOT, mover, config);
        let logits = self.root_edges().map(|edge| {
            let q = completion.q(&self.tree, edge, mover);
            edge.prior.max(f32::MIN_POSITIVE).ln() + completion.sigma * q
        });
        let mut weights: Vec<f32> = logits.collect();
        let useful =
            self.root_edges().zip(&weights).filter(|&(edge, _)| !self.is_useless(mover, edge));
        let largest = useful.map(|(_, &weight)| weight).fold(f32::NEG_INFINITY, f32::max);
        // Useless actions may lie above the largest of the others; they are dropped later.
        weights.iter_mut().for_each(|weight| *weight = (*weight - largest).min(0.0).exp());
        weights
    }

    /// The root's value.
    fn value(&self, mover: Color, improved: &[f32]) -> ValueWhite {
        let node = self.tree.node(NodeId::ROOT);
        if let Some(value) = node.bounds.proven() {
            return value;
        }
        match self.config().root {
            RootPolicy::Puct(_) => node.q().unwrap_or(node.own_value),
            RootPolicy::Gumbel(config) => {
                let completion = Completion::of(&self.tree, NodeId::ROOT, mover, &config);
                let terms = self.root_edges().zip(improved);
                let sum = terms.map(|(edge, p)| p * completion.q(&self.tree, edge, mover)).sum();
                let value = ValueMover::new(sum).to_white(mover).get();
                ValueWhite::new(node.bounds.clamp(f64::from(value)) as f32)
            }
        }
    }

    pub(crate) fn is_useless(&self, mover: Color, edge: Edge) -> bool {
        let bounds = self.tree.node(NodeId::ROOT).bounds.to_mover(mover);
        self.child(edge).is_some_and(|child| child.bounds.to_mover(mover).is_useless_in(bounds))
    }

    fn root_edges(&self) -> impl ExactSizeIterator<Item = Edge> {
        self.tree.edges_of(NodeId::ROOT)
    }

    fn child(&self, edge: Edge) -> Option<&Node> {
        edge.child.map(|child| self.tree.node(child))
    }

    fn visits(&self, edge: Edge) -> u32 {
        self.child(edge).map_or(0, |child| child.visits)
    }
}
