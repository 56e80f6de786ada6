//! Carrying a leaf's value and what is proven up to the root.

use gryphon_env::Color;

use crate::bounds::{Bounds, MoverBounds};
use crate::chance;
use crate::tree::{Node, NodeId, NodeKind, Tree};

/// Counts one more visit of the last node of `path` (root first) and of all nodes before it.
///
/// The last node is new, or its value is proven. Sums change by differences: a node's
/// contribution to its parent is recomputed at every level, so that a proof or a new expectation
/// at a chance node corrects earlier visits too.
pub(crate) fn back_up(tree: &mut Tree, path: &[NodeId]) {
    let Some((&leaf, ancestors)) = path.split_last() else { return };
    let node = tree.node_mut(leaf);
    let before = node.contribution();
    node.visits += 1;
    node.value_sum += f64::from(node.bounds.proven().unwrap_or(node.own_value).get());
    let mut change = node.contribution() - before;
    let mut is_proof_news = node.bounds != Bounds::UNKNOWN;
    for &id in ancestors.iter().rev() {
        let node = tree.node_mut(id);
        let before = node.contribution();
        node.visits += 1;
        node.value_sum += change;
        if node.kind == NodeKind::Chance {
            let visits = f64::from(node.visits);
            tree.node_mut(id).value_sum = visits * chance::expectation(tree, id);
        }
        is_proof_news = is_proof_news && update_bounds(tree, id);
        change = tree.node(id).contribution() - before;
    }
}

/// Recomputes what is proven of a node from its children; says whether anything changed.
pub(crate) fn update_bounds(tree: &mut Tree, id: NodeId) -> bool {
    let old = *tree.node(id);
    let (bounds, distance) = match old.kind {
        NodeKind::Player(mover) => choice_bounds(tree, id, mover),
        NodeKind::Chance => chance::bounds(tree, id),
        NodeKind::Waiting(_) | NodeKind::Settled | NodeKind::Repeated(_) => return false,
    };
    let node = tree.node_mut(id);
    node.bounds = bounds;
    node.distance = distance;
    bounds != old.bounds || distance != old.distance
}

/// Recomputes what is proven of a node and, unless that settles it, its visits and sum from its
/// children. For a player's node those are its own evaluation and one visit plus theirs.
pub(crate) fn recompute(tree: &mut Tree, id: NodeId) {
    update_bounds(tree, id);
    let node = *tree.node(id);
    let own_visits = match node.kind {
        NodeKind::Player(_) => 1,
        NodeKind::Chance => 0,
        NodeKind::Waiting(_) | NodeKind::Settled | NodeKind::Repeated(_) => return,
    };
    if node.bounds.proven().is_some() {
        return;
    }
    let mut visits = own_visits;
    let mut sum = f64::from(own_visits) * f64::from(node.own_value.get());
    for child in tree.children_of(id) {
        visits += child.visits;
        sum += child.contribution();
    }
    if node.kind == NodeKind::Chance {
        sum = f64::from(visits) * chance::expectation(tree, id);
    }
    let node = tree.node_mut(id);
    node.visits = visits;
    node.value_sum = sum;
}

/// Bounds and distance of a node in which `mover` chooses.
fn choice_bounds(tree: &Tree, id: NodeId, mover: Color) -> (Bounds, u16) {
    let mut best = MoverBounds::WORST;
    let mut n_known = 0;
    for child in tree.children_of(id) {
        best = best.or_better(child.bounds.to_mover(mover));
        n_known += 1;
    }
    if n_known < tree.node(id).edges.len {
        best = best.or_better(Bounds::UNKNOWN.to_mover(mover));
    }
    let bounds = Bounds::of_mover(best, mover);
    let Some(value) = bounds.proven() else { return (bounds, 0) };
    let lengths = tree
        .children_of(id)
        .filter(|child| child.bounds.proven() == Some(value))
        .map(|child| child.distance.saturating_add(1));
    let distance = if value.to_mover(mover).get() > 0.0 { lengths.min() } else { lengths.max() };
    (bounds, distance.unwrap_or(0))
}

/// The most sensible of a node's certain choices: the best value, won fast or lost slowly.
pub(crate) fn is_better_proof(mover: Color, a: &Node, b: &Node) -> bool {
    let value = |node: &Node| node.bounds.to_mover(mover).lower;
    let (value_a, value_b) = (value(a), value(b));
    if value_a != value_b {
        return value_a > value_b;
    }
    if value_a > 0.0 { a.distance < b.distance } else { a.distance > b.distance }
}
