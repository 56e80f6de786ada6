//! Lines of play: what a search expects, for the screen.

use std::cmp::Ordering;

use gryphon_env::{Action, Color};

use crate::improved::mover_q;
use crate::tree::{Edge, Node, NodeId, NodeKind, Tree};
use crate::{Search, ValueWhite, backup};

/// One of the root's actions and how the game is expected to go on.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The root's action and the best answers found, never empty. Ends where the die falls.
    pub actions: Vec<Action>,
    /// Simulations through the root's action, those of a kept tree included.
    pub visits: u32,
    /// Mean value of these simulations, or the proven value; `None` if nothing is known.
    pub value: Option<ValueWhite>,
    /// Actions from the root to the end of the game, this line's first included, if `value` is proven.
    pub end_in: Option<u16>,
}

impl Search {
    /// The `n` best actions of the root as far as the search has come, best first, each with its
    /// principal variation. The first begins with what [`Search::result`] would choose. Empty while the
    /// root has no evaluation.
    #[must_use]
    pub fn lines(&self, n: usize) -> Vec<Line> {
        if self.root_search.is_none() {
            return Vec::new();
        }
        let mover = self.mover_of_root();
        let chosen = self.chosen(mover);
        let mut edges: Vec<(usize, Edge)> = self.tree.edges_of(NodeId::ROOT).enumerate().collect();
        edges.sort_by(|&(a, edge_a), &(b, edge_b)| {
            let is_chosen = (b == chosen).cmp(&(a == chosen));
            is_chosen.then_with(|| by_promise(&self.tree, mover, edge_a, edge_b))
        });
        edges.truncate(n);
        edges.into_iter().map(|(_, edge)| self.line(edge)).collect()
    }

    fn line(&self, edge: Edge) -> Line {
        let mut line = Line { actions: vec![edge.action], visits: 0, value: None, end_in: None };
        let Some(first) = edge.child else { return line };
        let node = self.tree.node(first);
        line.visits = node.visits;
        line.value = node.q();
        line.end_in = node.bounds.proven().map(|_| node.distance.saturating_add(1));
        let mut last = first;
        while let Some(edge) = best_edge(&self.tree, last) {
            line.actions.push(edge.action);
            let Some(child) = edge.child else { return line };
            last = child;
        }
        self.add_winning_action(last, &mut line.actions);
        line
    }

    /// Nodes whose mover wins at once have no edges: the action is looked up again.
    fn add_winning_action(&self, last: NodeId, actions: &mut Vec<Action>) {
        let node = self.tree.node(last);
        if node.kind != NodeKind::Settled || node.distance != 1 {
            return;
        }
        let mut position = self.tree.position(NodeId::ROOT).clone();
        actions.iter().for_each(|&action| position.play(action));
        let mut legal = Vec::new();
        position.legal_actions(&mut legal);
        actions.extend(position.winning_action(&legal));
    }
}

/// The edge of a side's node that play is expected to take, if any was visited.
fn best_edge(tree: &Tree, id: NodeId) -> Option<Edge> {
    let NodeKind::Player(mover) = tree.node(id).kind else { return None };
    let visited = tree
        .edges_of(id)
        .filter(|edge| edge.child.is_some_and(|child| tree.node(child).q().is_some()));
    visited.min_by(|&a, &b| by_promise(tree, mover, a, b))
}

/// The better edge first: proven wins, the shortest first; then what is open, the most visited first;
/// then certain draws and losses, the longest last stand first.
fn by_promise(tree: &Tree, mover: Color, a: Edge, b: Edge) -> Ordering {
    let child = |edge: Edge| edge.child.map(|child| tree.node(child));
    let class = |node: Option<&Node>| match node.and_then(|node| node.bounds.proven()) {
        Some(value) if value.to_mover(mover).get() >= 1.0 => 0,
        Some(value) if value.to_mover(mover).get() <= -1.0 => 2,
        Some(_) | None => 1,
    };
    let (node_a, node_b) = (child(a), child(b));
    class(node_a).cmp(&class(node_b)).then_with(|| match (node_a, node_b) {
        (Some(a), Some(b)) if class(node_a) != 1 => {
            backup::is_better_proof(mover, b, a).cmp(&backup::is_better_proof(mover, a, b))
        }
        _ => {
            let visits = |node: Option<&Node>| node.map_or(0, |node| node.visits);
            let q =
                |node: Option<&Node>| node.and_then(|node| mover_q(node, mover)).unwrap_or(-1.0);
            let by_visits = visits(node_b).cmp(&visits(node_a));
            let by_value = || q(node_b).total_cmp(&q(node_a));
            by_visits.then_with(by_value).then_with(|| b.prior.total_cmp(&a.prior))
        }
    })
}
