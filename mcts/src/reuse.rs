//! Keeping the part of a tree below an action played.

use gryphon_env::Action;

use crate::backup;
use crate::tree::{NodeId, NodeKind, Tree};

impl Tree {
    /// Makes `new_root` the root and forgets everything that is not below it, without allocating
    /// arenas.
    ///
    /// Children stand behind their parents in every arena, so what stays can slide towards the
    /// front in one pass. Draws by repetition of a position that is forgotten are no longer certain:
    /// their nodes go too, and what was derived from them is computed again.
    pub(crate) fn keep_subtree(&mut self, new_root: NodeId) {
        let places = self.new_places(new_root);
        let mut n_edges = 0;
        let mut n_positions = 0;
        let mut lost_draws = false;
        for (old, place) in places.iter().enumerate() {
            let Some(id) = *place else { continue };
            let mut node = self.nodes[old];
            if let NodeKind::Repeated(first) = &mut node.kind {
                *first = places[first.index()].expect("an ancestor in the tree is kept");
            }
            if node.edges.len > 0 {
                self.positions.swap(n_positions, node.position as usize);
                node.position = n_positions as u32;
                n_positions += 1;
                let range = node.edges.range();
                for (to, from) in (n_edges..).zip(range.clone()) {
                    let child = self.children[from];
                    let kept = child.and_then(|child| places[child.index()]);
                    lost_draws |= kept.is_none() && child.is_some();
                    self.children[to] = kept;
                }
                self.actions.copy_within(range.clone(), n_edges);
                self.priors.copy_within(range, n_edges);
                node.edges.start = n_edges as u32;
                n_edges += usize::from(node.edges.len);
            }
            self.nodes[id.index()] = node;
        }
        let n_nodes = places.iter().flatten().count();
        self.nodes.truncate(n_nodes);
        self.truncate_edges(n_edges);
        self.positions.truncate(n_positions);
        if lost_draws {
            self.recompute_all();
        }
    }

    /// Puts the edges of a node into the order of `actions`, which must be the same actions.
    pub(crate) fn order_edges(&mut self, id: NodeId, actions: &[Action]) {
        let range = self.node(id).edges.range();
        for (place, &action) in range.clone().zip(actions) {
            let found = self.actions[place..range.end].iter().position(|&other| other == action);
            let found = found.expect("a node has an edge for every legal action");
            self.swap_edges(place, place + found);
        }
    }

    /// For every node its place in the tree below `new_root`, `None` for those that go.
    fn new_places(&self, new_root: NodeId) -> Vec<Option<NodeId>> {
        let mut is_kept = vec![false; self.nodes.len()];
        is_kept[new_root.index()] = true;
        let mut places = vec![None; self.nodes.len()];
        let mut n_kept = 0;
        for (old, node) in self.nodes.iter().enumerate().skip(new_root.index()) {
            if !is_kept[old] {
                continue;
            }
            if let NodeKind::Repeated(first) = node.kind
                && !is_kept[first.index()]
            {
                continue;
            }
            places[old] = Some(NodeId::at(n_kept));
            n_kept += 1;
            for child in self.children[node.edges.range()].iter().flatten() {
                is_kept[child.index()] = true;
            }
        }
        places
    }

    /// Computes statistics and bounds of all inner nodes again, children first, and brings the tried
    /// edges of every node back to the front.
    fn recompute_all(&mut self) {
        for index in (0..self.nodes.len()).rev() {
            let id = NodeId::at(index);
            if let NodeKind::Player(_) = self.nodes[index].kind {
                let range = self.nodes[index].edges.range();
                let mut n_tried = 0;
                for place in range.clone() {
                    if self.children[place].is_some() {
                        self.swap_edges(range.start + n_tried, place);
                        n_tried += 1;
                    }
                }
                self.nodes[index].n_tried = n_tried as u16;
            }
            backup::recompute(self, id);
        }
    }
}
