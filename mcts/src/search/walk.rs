//! One simulation: from the root to a leaf or a certain value, and back.

use super::{RootSearch, Search};
use crate::tree::{EdgeIndex, NodeId, NodeKind};
use crate::{EvaluationCache, RootPolicy, backup, chance, improved, puct};

/// How a simulation went.
pub(super) enum Flow {
    /// It came to its end.
    Finished,
    /// Its leaf waits.
    Waits,
    /// It met a leaf that waits already, or depends on one.
    Blocked,
}

impl Search {
    /// Whether another simulation may begin.
    pub(super) fn has_room(&self) -> bool {
        self.leaves.len() < usize::from(self.config.in_flight.get())
            && self.simulations_left() > 0
            && self.tree.nodes.len() < self.config.max_nodes.get() as usize
    }

    /// Simulations not yet begun.
    fn simulations_left(&self) -> u32 {
        self.config.simulations.get() - self.simulations_run - self.leaves.len() as u32
    }

    /// Walks from the root to a new leaf or a certain value.
    pub(super) fn run_simulation(&mut self, cache: &mut EvaluationCache) -> Flow {
        let mut id = NodeId::ROOT;
        self.path.clear();
        self.path.push(id);
        let Some(mut edge) = self.select_at_root() else { return Flow::Blocked };
        loop {
            let (child, past) = match self.tree.child(edge) {
                Some(child) => (child, None),
                None => {
                    let (child, past) = self.arrive(id, edge);
                    (child, Some(past))
                }
            };
            id = child;
            self.path.push(id);
            let node = self.tree.node(id);
            if node.bounds.proven().is_some() {
                self.finish_path();
                return Flow::Finished;
            }
            if let NodeKind::Waiting(_) = node.kind {
                if node.in_flight > 0 {
                    if let Some(RootSearch::Gumbel(gumbel)) = &mut self.root_search {
                        gumbel.take_back();
                    }
                    return Flow::Blocked;
                }
                let context = self.context_behind(edge, past);
                return self.reach_leaf(context, cache);
            }
            edge = self.select(id);
        }
    }

    fn select_at_root(&mut self) -> Option<EdgeIndex> {
        let left = self.simulations_left();
        let mover = self.mover_of_root();
        match (&mut self.root_search, &self.config.root) {
            (Some(RootSearch::Gumbel(gumbel)), _) => gumbel.next(&self.tree, left),
            (Some(RootSearch::Puct(priors)), RootPolicy::Puct(config)) => {
                Some(puct::select_root(&self.tree, mover, config, priors))
            }
            _ => unreachable!("a running search has prepared its root"),
        }
    }

    fn select(&mut self, id: NodeId) -> EdgeIndex {
        match self.tree.node(id).kind {
            NodeKind::Player(mover) => match &self.config.root {
                RootPolicy::Gumbel(config) => {
                    improved::select(&mut self.tree, id, mover, config, &mut self.tried)
                }
                RootPolicy::Puct(config) => puct::select(&mut self.tree, id, mover, config),
            },
            NodeKind::Chance => chance::choose(&self.tree, id, &mut self.rng),
            NodeKind::Waiting(_) | NodeKind::Settled | NodeKind::Repeated(_) => {
                unreachable!("simulations end at leaves and certain values")
            }
        }
    }

    /// Ends the simulation whose path was walked.
    pub(super) fn finish_path(&mut self) {
        let path = std::mem::take(&mut self.path);
        self.finish(&path);
        self.path = path;
        self.check_end();
    }

    /// Backs up the last node of `path`, which has a value by now. The root's own evaluation is no
    /// simulation.
    pub(super) fn finish(&mut self, path: &[NodeId]) {
        backup::back_up(&mut self.tree, path);
        match path {
            [NodeId::ROOT] => self.start_root(),
            _ => self.simulations_run += 1,
        }
    }
}
