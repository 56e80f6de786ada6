//! Selection by PUCT (Silver et al. 2017).

use gryphon_env::Color;
use rand::distr::Distribution;
use rand_chacha::ChaCha8Rng;
use rand_distr::Gamma;

use crate::bounds::MoverBounds;
use crate::improved::{largest, mover_q, untried};
use crate::tree::{EdgeIndex, Node, NodeId, Tree};
use crate::{FirstPlayUrgency, PuctConfig, RootNoise};

/// The action of a node below the root.
///
/// The actions with children come first among the node's edges; of the others only the one with the
/// largest prior can be chosen, and it is moved to the front of them.
pub(crate) fn select(tree: &mut Tree, id: NodeId, mover: Color, config: &PuctConfig) -> EdgeIndex {
    let node = *tree.node(id);
    let tried = node.edges.first(node.n_tried);
    let tried = tree.priors[tried.clone()].iter().zip(&tree.children[tried]);
    let tried = || tried.clone().filter_map(|(&prior, &child)| Some((prior, child?)));
    let score = Score::of(&node, mover, config, || tried().map(|(prior, _)| prior).sum());
    let n_tried = usize::from(node.n_tried);
    let mut best = (n_tried, f32::NEG_INFINITY);
    if let Some((offset, prior)) = largest(untried(tree, &node)) {
        best = (n_tried + offset, score.untried(prior));
    }
    for (offset, (prior, child)) in tried().enumerate() {
        let score = score.tried(prior, tree.node(child));
        if score > best.1 {
            best = (offset, score);
        }
    }
    tree.bring_forward(&node, best.0)
}

/// The root's action, under `priors`, one an edge.
pub(crate) fn select_root(
    tree: &Tree,
    mover: Color,
    config: &PuctConfig,
    priors: &[f32],
) -> EdgeIndex {
    let node = tree.node(NodeId::ROOT);
    let edges = || tree.edges_of(NodeId::ROOT).zip(priors);
    let tried_mass = || edges().filter(|(edge, _)| edge.child.is_some()).map(|(_, p)| p).sum();
    let score = Score::of(node, mover, config, tried_mass);
    let mut best = (0, f32::NEG_INFINITY);
    for (offset, (edge, &prior)) in edges().enumerate() {
        let score = match edge.child {
            Some(child) => score.tried(prior, tree.node(child)),
            None => score.untried(prior),
        };
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
    bounds: MoverBounds,
}

impl Score {
    /// `tried_mass` gives the sum of the priors of the actions with children.
    fn of(
        node: &Node,
        mover: Color,
        config: &PuctConfig,
        tried_mass: impl FnOnce() -> f32,
    ) -> Self {
        let value = mover_q(node, mover).unwrap_or(0.0);
        let first_play = match config.first_play {
            FirstPlayUrgency::Fixed(value) => value.get(),
            FirstPlayUrgency::BelowParent(reduction) => value - reduction,
            FirstPlayUrgency::BelowParentByTried(reduction) => {
                value - reduction * tried_mass().max(0.0).sqrt()
            }
        };
        Self {
            mover,
            exploration: config.c_puct * (node.visits_begun() as f32).sqrt(),
            first_play: first_play.max(-1.0),
            bounds: node.bounds.to_mover(mover),
        }
    }

    fn untried(&self, prior: f32) -> f32 {
        self.first_play + self.exploration * prior
    }

    fn tried(&self, prior: f32, child: &Node) -> f32 {
        if child.bounds.to_mover(self.mover).is_useless_in(self.bounds) {
            return f32::NEG_INFINITY;
        }
        let q = mover_q(child, self.mover).unwrap_or(self.first_play);
        let q = with_virtual_losses(q, child);
        q + self.exploration * prior / (1.0 + child.visits_begun() as f32)
    }
}

/// `q` of a child as if every simulation in flight through it had ended in a loss (Chaslot et al.
/// 2008), so that simulations that run at the same time look at different leaves.
fn with_virtual_losses(q: f32, child: &Node) -> f32 {
    if child.in_flight == 0 {
        return q;
    }
    let (visits, losses) = (child.visits as f32, f32::from(child.in_flight));
    (q * visits - losses) / (visits + losses)
}
