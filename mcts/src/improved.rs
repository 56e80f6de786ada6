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
    /// Completion of the node `id`, in which `mover` acts.
    pub(crate) fn of(tree: &Tree, id: NodeId, mover: Color, config: &GumbelConfig) -> Self {
        let mut sums = Sums::default();
        for edge in tree.edges_of(id) {
            if let Some(child) = edge.child {
                sums.add(edge.prior, tree.node(child), mover);
            }
        }
        sums.completion(tree.node(id), mover, config)
    }

    /// Completed Q of an edge, for `mover`.
    pub(crate) fn q(&self, tree: &Tree, edge: Edge, mover: Color) -> f32 {
        edge.child.and_then(|child| mover_q(tree.node(child), mover)).unwrap_or(self.v_mix)
    }
}

/// What is summed up over the visited actions of a node.
#[derive(Default)]
struct Sums {
    visits: u32,
    max_visits: u32,
    prior: f32,
    weighted_q: f32,
}

impl Sums {
    /// Adds an action; gives its Q, for `mover`.
    fn add(&mut self, prior: f32, child: &Node, mover: Color) -> Option<f32> {
        let q = mover_q(child, mover);
        if child.visits > 0 {
            self.visits += child.visits;
            self.max_visits = self.max_visits.max(child.visits);
            // A prior of 0 must not erase what its visits found.
            let weight = prior.max(f32::MIN_POSITIVE);
            self.prior += weight;
            self.weighted_q += weight * q.unwrap_or(0.0);
        }
        q
    }

    fn completion(&self, node: &Node, mover: Color, config: &GumbelConfig) -> Completion {
        let own_value = node.own_value.to_mover(mover).get();
        let v_mix = if self.visits == 0 {
            own_value
        } else {
            let visits = self.visits as f32;
            (own_value + visits * self.weighted_q / self.prior) / (1.0 + visits)
        };
        let sigma = (config.c_visit + self.max_visits as f32) * config.c_scale;
        Completion { v_mix, sigma }
    }
}

/// An action with a child, as [`select`] weighs it.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Tried {
    prior: f32,
    q: Option<f32>,
    visits: u32,
    is_useless: bool,
}

/// The action of a node below the root: the one whose share of visits lags most behind its share in
/// the improved policy (equation 14 of the paper). Simulations in flight count as visits.
///
/// The actions with children come first among the node's edges; of the others only the one with the
/// largest prior can be chosen, and it is moved to the front of them.
pub(crate) fn select(
    tree: &mut Tree,
    id: NodeId,
    mover: Color,
    config: &GumbelConfig,
    all_tried: &mut Vec<Tried>,
) -> EdgeIndex {
    let node = *tree.node(id);
    let own_bounds = node.bounds.to_mover(mover);
    let mut sums = Sums::default();
    let mut untried_mass = 1.0;
    all_tried.clear();
    let tried = node.edges.first(node.n_tried);
    for (&prior, &child) in tree.priors[tried.clone()].iter().zip(&tree.children[tried]) {
        let Some(child) = child else { continue };
        let child = tree.node(child);
        untried_mass -= prior;
        all_tried.push(Tried {
            prior,
            q: sums.add(prior, child, mover),
            visits: child.visits_begun(),
            is_useless: child.bounds.to_mover(mover).is_useless_in(own_bounds),
        });
    }
    let Completion { v_mix, sigma } = sums.completion(&node, mover, config);
    let untried = untried(tree, &node);
    let mut largest_q = if untried.is_empty() { -1.0 } else { v_mix };
    for tried in all_tried.iter() {
        largest_q = largest_q.max(tried.q.unwrap_or(v_mix));
    }
    let growth = |q: f32| ((q - largest_q) * sigma).exp();
    let mut total = 0.0;
    for tried in all_tried.iter_mut() {
        // From here on the prior is the weight in the improved policy.
        tried.prior *= growth(tried.q.unwrap_or(v_mix));
        total += if tried.is_useless { 0.0 } else { tried.prior };
    }
    let untried_growth = growth(v_mix);
    if !untried.is_empty() {
        total += untried_mass.max(0.0) * untried_growth;
    }
    let per_weight = 1.0 / total.max(f32::MIN_POSITIVE);
    let per_visit = 1.0 / node.visits_begun().max(1) as f32;
    let n_tried = all_tried.len();
    let mut best = (n_tried, f32::NEG_INFINITY);
    if let Some((offset, prior)) = largest(untried) {
        best = (n_tried + offset, prior * untried_growth * per_weight);
    }
    for (offset, tried) in all_tried.iter().enumerate() {
        let score = tried.prior * per_weight - tried.visits as f32 * per_visit;
        if !tried.is_useless && score > best.1 {
            best = (offset, score);
        }
    }
    tree.bring_forward(&node, best.0)
}

/// The value of a child for `mover`, if anything is known of it.
pub(crate) fn mover_q(child: &Node, mover: Color) -> Option<f32> {
    child.q().map(|q| q.to_mover(mover).get())
}

/// The priors of the actions of a node below the root that have no child.
pub(crate) fn untried<'a>(tree: &'a Tree, node: &Node) -> &'a [f32] {
    &tree.priors[node.edges.range()][usize::from(node.n_tried)..]
}

/// The first of the largest numbers, with its place.
///
/// Found in two passes over eight lanes, which compilers turn into vector instructions: with a hundred
/// legal actions this is where selection spends its time.
pub(crate) fn largest(numbers: &[f32]) -> Option<(usize, f32)> {
    let greater = |a: f32, b: f32| if b > a { b } else { a };
    let mut lanes = [f32::NEG_INFINITY; 8];
    let mut chunks = numbers.chunks_exact(8);
    for chunk in &mut chunks {
        for (lane, &number) in lanes.iter_mut().zip(chunk) {
            *lane = greater(*lane, number);
        }
    }
    let all = lanes.iter().chain(chunks.remainder());
    let max = all.copied().fold(f32::NEG_INFINITY, greater);
    numbers.iter().position(|&number| number == max).map(|place| (place, max))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::largest;

    proptest! {
        #[test]
        fn the_first_of_the_largest_is_found(numbers in prop::collection::vec(0u8..20, 0..40)) {
            let numbers: Vec<f32> = numbers.into_iter().map(f32::from).collect();
            let mut expected: Option<(usize, f32)> = None;
            for (place, &number) in numbers.iter().enumerate() {
                if expected.is_none_or(|(_, best)| number > best) {
                    expected = Some((place, number));
                }
            }
            prop_assert_eq!(largest(&numbers), expected);
        }
    }
}
