//! Selection by PUCT (Silver et al. 2017).

use gryphon_env::Color;
use rand::distr::Distribution;
use rand_chacha::ChaCha8Rng;
use rand_distr::Gamma;

use crate::improved::{largest_prior, mover_q};
use crate::tree::{Edge, EdgeIndex, Node, NodeId, Tree};
use crate::{PuctConfig, RootNoise};

/// The action of a node below the root.
///
/// The actions with children come first among the node's edges; of the others only the one with the
/// largest prior can be chosen, and it is moved to the front of them.
pub(crate) fn select(tree: &mut Tree, id: NodeId, mover: Color, config: &PuctConfig) -> EdgeIndex {
    let node = *tree.node(id);
    let n_tried = usize::from(node.n_tried);
    let (tried, untried) = tree.edges_of(id).split_at(n_tried);
    let score = Score::of(&node, mover, config);
    let mut best = (n_tried, f32::NEG_INFINITY);
    if let Some(offset) = largest_prior(untried) {
        best = (n_tried + offset, score.edge(tree, &untried[offset], untried[offset].prior));
    }
    for (offset, edge) in tried.iter().enumerate() {
        let score = score.edge(tree, edge, edge.prior);
        if score > best.1 {
            best = (offset, score);
        }
    }
    tree.bring_forward(&node, best.0)
}

/// The root's action, under `priors`, one an edge.
pub(crate) fn select_root(
    tree: &Tree,
    id: NodeId,
    mover: Color,
    config: &PuctConfig,
    priors: &[f32],
) -> EdgeIndex {
    let node = tree.node(id);
    let score = Score::of(node, mover, config);
    let mut best = (0, f32::NEG_INFINITY);
    for (offset, (edge, &prior)) in tree.edges_of(id).iter().zip(priors).enumerate() {
        let score = score.edge(tree, edge, prior);
        if score > best.1 {
            best = (offset, score);
        }
    }
    node.edges.edge(best.0)
}

/// Mixes Dirichlet noise into priors.
pub(crate) fn add_noise(priors: &mut [f32], noise: RootNoise, rng: &mut ChaCha8Rng) {
    let Ok(gamma) = Gamma::new(noise.alpha, 1.0) else { return };
    let draws: Vec<f32> = priors.iter().map(|_| gamma.sample(rng)).collect();
    let total: f32 = draws.iter().sum();
    // With a tiny concentration all draws may round to 0; then there is no noise to mix in.
    if total > 0.0 {
        for (prior, draw) in priors.iter_mut().zip(draws) {
            *prior += noise.fraction * (draw / total - *prior);
        }
    }
}

/// The parts of the PUCT formula that all actions of a node share.
struct Score {
    mover: Color,
    exploration: f32,
    first_play: f32,
    bounds: crate::bounds::MoverBounds,
}

impl Score {
    fn of(node: &Node, mover: Color, config: &PuctConfig) -> Self {
        let value = mover_q(node, mover).unwrap_or(0.0);
        Self {
            mover,
            exploration: config.c_puct * (node.visits as f32).sqrt(),
            first_play: (value - config.fpu_reduction).max(-1.0),
            bounds: node.bounds.to_mover(mover),
        }
    }

    fn edge(&self, tree: &Tree, edge: &Edge, prior: f32) -> f32 {
        let Some(child) = tree.child(edge) else {
            return self.first_play + self.exploration * prior;
        };
        if child.bounds.to_mover(self.mover).is_useless_in(self.bounds) {
            return f32::NEG_INFINITY;
        }
        let q = mover_q(child, self.mover).unwrap_or(self.first_play);
        q + self.exploration * prior / (1.0 + child.visits as f32)
    }
}
