//! The improved policy of Gumbel AlphaZero (Danihelka et al. 2022, section 4 and appendix D), with
//! completed Q-values.
//!
//! Letters of the paper: `q` is the mean value of an action's visits, `v_mix` stands in for `q` of
//! actions never visited, `sigma` makes Q comparable with logits. All values here are the mover's.

use gryphon_env::Color;

use crate::GumbelConfig;
use crate::tree::{Edge, EdgeIndex, Node, NodeId, Tree};

/// What the visited actions of a node say about it.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Completion {
    /// The stand-in value of actions never visited.
    pub(crate) v_mix: f32,
    /// Scale of the Q transform at this node.
    pub(crate) sigma: f32,
}

impl Completion {
    /// Completion of the node `node`, in which `mover` acts, from some or all of its edges; those
    /// left out must be without visits.
    pub(crate) fn of(
        tree: &Tree,
        node: &Node,
        mover: Color,
        edges: &[Edge],
        config: &GumbelConfig,
    ) -> Self {
        let (mut visits, mut max_visits) = (0, 0);
        let (mut prior, mut weighted_q) = (0.0, 0.0);
        for edge in edges {
            let Some(child) = tree.child(edge) else { continue };
            if child.visits == 0 {
                continue;
            }
            visits += child.visits;
            max_visits = max_visits.max(child.visits);
            // A prior of 0 must not erase what its visits found.
            let weight = edge.prior.max(f32::MIN_POSITIVE);
            prior += weight;
            weighted_q += weight * mover_q(child, mover).unwrap_or(0.0);
        }
        let own_value = node.own_value.to_mover(mover).get();
        let v_mix = if visits == 0 {
            own_value
        } else {
            let visits = visits as f32;
            (own_value + visits * weighted_q / prior) / (1.0 + visits)
        };
        Self { v_mix, sigma: (config.c_visit + max_visits as f32) * config.c_scale }
    }

    /// Completed Q of an edge, for `mover`.
    pub(crate) fn q(&self, tree: &Tree, edge: &Edge, mover: Color) -> f32 {
        tree.child(edge).and_then(|child| mover_q(child, mover)).unwrap_or(self.v_mix)
    }
}

/// The action of a node below the root: the one whose share of visits lags most behind its share in
/// the improved policy (equation 14 of the paper).
///
/// The actions with children come first among the node's edges; of the others only the one with the
/// largest prior can be chosen, and it is moved to the front of them.
pub(crate) fn select(
    tree: &mut Tree,
    id: NodeId,
    mover: Color,
    config: &GumbelConfig,
    weights: &mut Vec<f32>,
) -> EdgeIndex {
    let node = *tree.node(id);
    let n_tried = usize::from(node.n_tried);
    let (tried, untried) = tree.edges_of(id).split_at(n_tried);
    let completion = Completion::of(tree, &node, mover, tried, config);
    let own_bounds = node.bounds.to_mover(mover);
    let mut largest_q = if untried.is_empty() { -1.0 } else { completion.v_mix };
    let mut untried_mass = 1.0;
    for edge in tried {
        largest_q = largest_q.max(completion.q(tree, edge, mover));
        untried_mass -= edge.prior;
    }
    let growth = |q: f32| ((q - largest_q) * completion.sigma).exp();
    weights.clear();
    for edge in tried {
        let is_useless = tree
            .child(edge)
            .is_some_and(|child| child.bounds.to_mover(mover).is_useless_in(own_bounds));
        let weight = edge.prior * growth(completion.q(tree, edge, mover));
        weights.push(if is_useless { USELESS } else { weight });
    }
    let untried_growth = growth(completion.v_mix);
    let mut total: f32 = weights.iter().filter(|&&weight| weight > USELESS).sum();
    if !untried.is_empty() {
        total += untried_mass.max(0.0) * untried_growth;
    }
    let per_weight = 1.0 / total.max(f32::MIN_POSITIVE);
    let per_visit = 1.0 / node.visits.max(1) as f32;
    let mut best = (n_tried, f32::NEG_INFINITY);
    if let Some(offset) = largest_prior(untried) {
        best = (n_tried + offset, untried[offset].prior * untried_growth * per_weight);
    }
    for (offset, (edge, &weight)) in tried.iter().zip(weights.iter()).enumerate() {
        let visits = tree.child(edge).map_or(0, |child| child.visits) as f32;
        let score = weight * per_weight - visits * per_visit;
        if weight > USELESS && score > best.1 {
            best = (offset, score);
        }
    }
    tree.bring_forward(&node, best.0)
}

/// Marks an action that must not be chosen; weights are not negative.
const USELESS: f32 = -1.0;

/// The value of a child for `mover`, if anything is known of it.
pub(crate) fn mover_q(child: &Node, mover: Color) -> Option<f32> {
    child.q().map(|q| q.to_mover(mover).get())
}

/// The first edge with the largest prior.
pub(crate) fn largest_prior(edges: &[Edge]) -> Option<usize> {
    let mut best: Option<(usize, f32)> = None;
    for (offset, edge) in edges.iter().enumerate() {
        if best.is_none_or(|(_, prior)| edge.prior > prior) {
            best = Some((offset, edge.prior));
        }
    }
    best.map(|(offset, _)| offset)
}
