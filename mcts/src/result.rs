//! What a search found.

use gryphon_env::{Action, Color};

use crate::improved::{Completion, mover_q};
use crate::search::RootSearch;
use crate::tree::{Edge, NodeId};
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
        let root = NodeId::at(0);
        let mover = self.mover_of(root);
        let improved = self.improved_policy(root, mover);
        let edges = self.tree.edges_of(root);
        let actions = edges
            .iter()
            .zip(&improved)
            .map(|(edge, &improved)| RootAction {
                action: edge.action,
                prior: edge.prior,
                visits: self.visits(edge),
                q: self.tree.child(edge).and_then(|child| child.q()),
                improved,
            })
            .collect();
        SearchResult {
            action: edges[self.chosen(root, mover)].action,
            value: self.value(root, mover, &improved),
            actions,
            simulations: self.simulations_run,
        }
    }

    /// The offset of the chosen edge.
    fn chosen(&self, root: NodeId, mover: Color) -> usize {
        if let Some(offset) = self.best_proof(root, mover) {
            return offset;
        }
        match &self.root_search {
            Some(RootSearch::Gumbel(gumbel)) => gumbel.winner(&self.tree, root),
            Some(RootSearch::Puct(_)) | None => self.most_visited(root, mover),
        }
    }

    /// The edge that proves the root's value, if it is proven.
    fn best_proof(&self, root: NodeId, mover: Color) -> Option<usize> {
        let value = self.tree.node(root).bounds.proven()?;
        let mut best = None;
        for (offset, edge) in self.tree.edges_of(root).iter().enumerate() {
            let Some(child) = self.tree.child(edge) else { continue };
            if child.bounds.proven() == Some(value)
                && best.is_none_or(|(_, other)| backup::is_better_proof(mover, child, other))
            {
                best = Some((offset, child));
            }
        }
        best.map(|(offset, _)| offset)
    }

    fn most_visited(&self, root: NodeId, mover: Color) -> usize {
        let edges = self.tree.edges_of(root);
        let rank = |edge: &Edge| {
            let q = self.tree.child(edge).and_then(|child| mover_q(child, mover));
            (self.visits(edge), q.unwrap_or(-1.0), edge.prior)
        };
        let useful = (0..edges.len()).filter(|&offset| !self.is_useless(root, mover, offset));
        let best = useful.reduce(|a, b| if rank(&edges[b]) > rank(&edges[a]) { b } else { a });
        best.unwrap_or(0)
    }

    /// The improved policy, one probability an edge.
    fn improved_policy(&self, root: NodeId, mover: Color) -> Vec<f32> {
        let edges = self.tree.edges_of(root);
        let mut policy: Vec<f32> = match self.config().root {
            RootPolicy::Gumbel(config) => self.improved_weights(root, mover, &config),
            RootPolicy::Puct(_) => edges.iter().map(|edge| self.visits(edge) as f32).collect(),
        };
        let best_proof =
            self.best_proof(root, mover).and_then(|best| self.tree.child(&edges[best]));
        for (offset, weight) in policy.iter_mut().enumerate() {
            let is_excluded = match (best_proof, self.tree.child(&edges[offset])) {
                (Some(best), Some(child)) => {
                    child.bounds != best.bounds || backup::is_better_proof(mover, best, child)
                }
                (Some(_), None) => true,
                (None, _) => self.is_useless(root, mover, offset),
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
            policy[self.chosen(root, mover)] = 1.0;
        }
        policy
    }

    /// The improved policy of Gumbel AlphaZero, up to a factor.
    fn improved_weights(&self, root: NodeId, mover: Color, config: &GumbelConfig) -> Vec<f32> {
        let node = self.tree.node(root);
        let edges = self.tree.edges_of(root);
        let completion = Completion::of(&self.tree, node, mover, edges, config);
        let logits = edges.iter().map(|edge| {
            let q = completion.q(&self.tree, edge, mover);
            edge.prior.max(f32::MIN_POSITIVE).ln() + completion.sigma * q
        });
        let mut weights: Vec<f32> = logits.collect();
        let useful = (0..edges.len()).filter(|&offset| !self.is_useless(root, mover, offset));
        let largest = useful.map(|offset| weights[offset]).fold(f32::NEG_INFINITY, f32::max);
        // Useless actions may lie above the largest of the others; they are dropped later.
        weights.iter_mut().for_each(|weight| *weight = (*weight - largest).min(0.0).exp());
        weights
    }

    /// The root's value.
    fn value(&self, root: NodeId, mover: Color, improved: &[f32]) -> ValueWhite {
        let node = self.tree.node(root);
        if let Some(value) = node.bounds.proven() {
            return value;
        }
        match self.config().root {
            RootPolicy::Puct(_) => node.q().unwrap_or(node.own_value),
            RootPolicy::Gumbel(config) => {
                let edges = self.tree.edges_of(root);
                let completion = Completion::of(&self.tree, node, mover, edges, &config);
                let terms = edges.iter().zip(improved);
                let sum = terms.map(|(edge, p)| p * completion.q(&self.tree, edge, mover)).sum();
                let value = ValueMover::new(sum).to_white(mover).get();
                ValueWhite::new(node.bounds.clamp(f64::from(value)) as f32)
            }
        }
    }

    fn is_useless(&self, root: NodeId, mover: Color, offset: usize) -> bool {
        let bounds = self.tree.node(root).bounds.to_mover(mover);
        let edge = &self.tree.edges_of(root)[offset];
        self.tree
            .child(edge)
            .is_some_and(|child| child.bounds.to_mover(mover).is_useless_in(bounds))
    }

    fn visits(&self, edge: &Edge) -> u32 {
        self.tree.child(edge).map_or(0, |child| child.visits)
    }
}
