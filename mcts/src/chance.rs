//! Nodes in which the die acts.

use gryphon_env::Color;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::ValueWhite;
use crate::bounds::Bounds;
use crate::tree::{EdgeIndex, NodeId, Tree};

/// The roll to look at next: the first is drawn, so that single visits are unbiased, then always the
/// one that lags most behind its probability. A roll whose value is proven is passed over while
/// another is not.
pub(crate) fn choose(tree: &Tree, id: NodeId, rng: &mut ChaCha8Rng) -> EdgeIndex {
    let node = tree.node(id);
    if node.visits_begun() == 0 {
        return node.edges.edge(draw(tree.edges_of(id).map(|edge| edge.prior), rng));
    }
    let total = node.visits_begun() as f32 + 1.0;
    let mut best = (0, f32::NEG_INFINITY);
    for (offset, edge) in tree.edges_of(id).enumerate() {
        let child = edge.child.map(|child| tree.node(child));
        if child.is_some_and(|child| child.bounds.proven().is_some()) {
            continue;
        }
        let lag = edge.prior * total - child.map_or(0.0, |child| child.visits_begun() as f32);
        if lag > best.1 {
            best = (offset, lag);
        }
    }
    node.edges.edge(best.0)
}

/// Expectation of White's value over the rolls seen so far, by their probabilities; a draw if none
/// was seen.
pub(crate) fn expectation(tree: &Tree, id: NodeId) -> f64 {
    let (mut sum, mut mass) = (0.0, 0.0);
    for edge in tree.edges_of(id) {
        if let Some(q) = edge.child.and_then(|child| tree.node(child).q()) {
            let probability = f64::from(edge.prior);
            sum += probability * f64::from(q.get());
            mass += probability;
        }
    }
    if mass > 0.0 { sum / mass } else { 0.0 }
}

/// Bounds of a chance node, and the longest of its proven ways to the end.
pub(crate) fn bounds(tree: &Tree, id: NodeId) -> (Bounds, u16) {
    let (mut lower, mut upper, mut mass) = (0.0f64, 0.0f64, 0.0f64);
    let mut distance = 0;
    for edge in tree.edges_of(id) {
        let child = edge.child.map(|child| tree.node(child));
        let range = child.map_or(Bounds::UNKNOWN, |child| child.bounds).to_mover(Color::White);
        let probability = f64::from(edge.prior);
        lower += probability * f64::from(range.lower);
        upper += probability * f64::from(range.upper);
        mass += probability;
        distance = distance.max(child.map_or(0, |child| child.distance.saturating_add(1)));
    }
    // Dividing by the sum of the rounded probabilities makes certain results exactly certain.
    let value = |sum: f64| ValueWhite::new((sum / mass) as f32);
    let bounds = Bounds::between(value(lower), value(upper));
    (bounds, if bounds.proven().is_some() { distance } else { 0 })
}

/// Draws an index with the given probabilities.
fn draw(probabilities: impl Iterator<Item = f32>, rng: &mut ChaCha8Rng) -> usize {
    let mut left = rng.random::<f32>();
    let mut last = 0;
    for (index, probability) in probabilities.enumerate() {
        last = index;
        left -= probability;
        if left < 0.0 {
            break;
        }
    }
    last
}
