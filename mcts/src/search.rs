//! One game's search: the state machine that walks the tree.

mod leaf;

use gryphon_env::{Action, Actor, ChanceOutcome, Color, Game, ObservationContext, Position};
use rand_chacha::ChaCha8Rng;

use self::leaf::Arrival;
use crate::gumbel::GumbelRoot;
use crate::history::History;
use crate::tree::{EdgeIndex, NodeId, NodeKind, Tree};
use crate::{Evaluation, Query, RootPolicy, SearchConfig};
use crate::{backup, chance, improved, puct};

/// What [`Search::gather`] found.
#[derive(Debug)]
pub enum Step<'a> {
    /// A leaf needs an evaluation; answer with [`Search::apply`].
    Evaluate(&'a Leaf),
    /// All simulations are spent, the root is proven, or it has a single action.
    Done,
}

/// A leaf waiting for its evaluation.
#[derive(Debug)]
pub struct Leaf {
    /// The position.
    pub position: Position,
    /// What its observation needs besides.
    pub context: ObservationContext,
    /// Its legal actions.
    pub legal: Vec<Action>,
}

impl Leaf {
    /// The leaf as a query.
    #[must_use]
    pub fn query(&self) -> Query<'_> {
        Query { position: &self.position, context: self.context, legal: &self.legal }
    }
}

/// The search of one position, a state machine that never blocks.
///
/// Simulations are leaf expansions and visits of certain results; the first evaluation, of the root
/// itself, is not counted. A root whose result is proven, or with a single action, ends the search
/// early. A win at once is seen without a simulation at the root, and without an evaluation at a
/// leaf.
#[derive(Debug)]
pub struct Search {
    config: SearchConfig,
    rng: ChaCha8Rng,
    pub(crate) tree: Tree,
    history: History,
    phase: Phase,
    /// What the root's selection remembers; `None` until the root is expanded.
    pub(crate) root_search: Option<RootSearch>,
    pub(crate) simulations_run: u32,
    leaf: Leaf,
    /// The nodes of the current simulation, root first.
    path: Vec<NodeId>,
    rolls: Vec<ChanceOutcome>,
    weights: Vec<f32>,
}

/// What a root's selection remembers.
#[derive(Debug)]
pub(crate) enum RootSearch {
    Gumbel(GumbelRoot),
    /// The priors with noise, one an edge.
    Puct(Vec<f32>),
}

#[derive(Copy, Clone, Debug, Eq, PartialEq)]
enum Phase {
    /// No side acts at the root: the game is over, or the die is about to be rolled.
    Idle,
    /// Simulations can go on.
    Running,
    /// The root, as the leaf, waits for its evaluation.
    RootWaits,
    /// The leaf behind an edge waits for its evaluation.
    LeafWaits(EdgeIndex),
    /// The result is there.
    Done,
}

impl Search {
    /// A search from `game`'s current position, which must not be over and in which a side acts.
    /// All of the search's randomness comes from `rng`.
    #[must_use]
    pub fn new(game: &Game, config: SearchConfig, rng: ChaCha8Rng) -> Self {
        let leaf = Leaf {
            position: game.position().clone(),
            context: game.observation_context(),
            legal: Vec::new(),
        };
        let mut search = Self {
            config,
            rng,
            tree: Tree::default(),
            history: History::default(),
            phase: Phase::Idle,
            root_search: None,
            simulations_run: 0,
            leaf,
            path: Vec::new(),
            rolls: Vec::new(),
            weights: Vec::new(),
        };
        search.start(game);
        search
    }

    /// Runs simulations until one needs an evaluation or all are spent. While a leaf waits, answers
    /// with that leaf again.
    pub fn gather(&mut self) -> Step<'_> {
        while self.phase == Phase::Running {
            self.run_simulation();
        }
        match self.phase {
            Phase::RootWaits | Phase::LeafWaits(_) => Step::Evaluate(&self.leaf),
            Phase::Idle | Phase::Running | Phase::Done => Step::Done,
        }
    }

    /// Expands the waiting leaf and backs its value up.
    ///
    /// # Panics
    /// If no leaf is waiting, or `evaluation` is not for its legal actions.
    pub fn apply(&mut self, evaluation: &Evaluation) {
        match self.phase {
            Phase::RootWaits => {
                self.expand(evaluation);
                self.start_root();
            }
            Phase::LeafWaits(edge) => {
                let id = self.expand(evaluation);
                self.attach(edge, id);
                self.path.push(id);
                self.finish_simulation();
            }
            Phase::Idle | Phase::Running | Phase::Done => panic!("no leaf is waiting"),
        }
    }

    /// Moves the root to the child of `action`, keeping its subtree, with the budget renewed.
    /// `game` is the game after `action`. A waiting leaf is dropped.
    ///
    /// Where the game is over or the die acts next, [`Search::gather`] answers [`Step::Done`] and
    /// there is no result; after the roll, call this again with the roll.
    pub fn advance(&mut self, game: &Game, action: Action) {
        let child = self.tree.root().and_then(|root| {
            let edge = self.tree.edges_of(root).iter().find(|edge| edge.action == action)?;
            edge.child
        });
        match child {
            Some(id) if self.is_inner_node_of(id, game) => self.tree.keep_subtree(id),
            _ => self.tree.clear(),
        }
        self.start(game);
    }

    /// Whether a result is there.
    pub(crate) fn is_done(&self) -> bool {
        self.phase == Phase::Done
    }

    /// The settings.
    #[must_use]
    pub const fn config(&self) -> &SearchConfig {
        &self.config
    }

    fn is_inner_node_of(&self, id: NodeId, game: &Game) -> bool {
        self.tree.node(id).edges.len > 0
            && self.tree.position(id).key() == game.position().key()
            && game.outcome().is_none()
    }

    /// Begins a search at the current position of `game`, with the tree kept for it or an empty one.
    fn start(&mut self, game: &Game) {
        self.history.set(game);
        self.simulations_run = 0;
        self.root_search = None;
        self.leaf.position.clone_from(game.position());
        self.leaf.context = game.observation_context();
        let is_over = game.outcome().is_some();
        self.phase = match game.position().actor() {
            Actor::Player(_) if !is_over => Phase::RootWaits,
            Actor::Player(_) | Actor::Chance => Phase::Idle,
        };
        if self.phase == Phase::Idle {
            return;
        }
        self.leaf.position.legal_actions(&mut self.leaf.legal);
        if let Some(root) = self.tree.root() {
            self.tree.order_edges(root, &self.leaf.legal);
            self.start_root();
        } else {
            let n_nodes = self.config.simulations.get().min(MAX_NODES_RESERVED) as usize + 1;
            self.tree.reserve(n_nodes, self.leaf.legal.len());
        }
    }

    /// Prepares selection at a root that has its edges.
    fn start_root(&mut self) {
        let root = NodeId::at(0);
        if self.leaf.position.winning_action(&self.leaf.legal).is_some() {
            self.find_final_actions(root);
        }
        let mover = self.mover_of(root);
        let simulations = self.config.simulations.get();
        self.root_search = Some(match self.config.root {
            RootPolicy::Gumbel(config) => RootSearch::Gumbel(GumbelRoot::new(
                &self.tree,
                root,
                mover,
                config,
                simulations,
                &mut self.rng,
            )),
            RootPolicy::Puct(config) => {
                let mut priors: Vec<f32> =
                    self.tree.edges_of(root).iter().map(|edge| edge.prior).collect();
                if let Some(noise) = config.root_noise {
                    puct::add_noise(&mut priors, noise, &mut self.rng);
                }
                RootSearch::Puct(priors)
            }
        });
        self.phase = if self.is_spent() { Phase::Done } else { Phase::Running };
    }

    /// Adds the children of a root that end the game.
    fn find_final_actions(&mut self, root: NodeId) {
        self.path.clear();
        self.path.push(root);
        let block = self.tree.node(root).edges;
        let mut has_news = false;
        for offset in 0..usize::from(block.len) {
            let edge = block.edge(offset);
            if self.tree.edge(edge).child.is_none() {
                self.enter(root, edge);
                let outcome = self.leaf.position.outcome();
                if let Some(node) = self.final_node(self.occurrences(), outcome) {
                    let id = self.tree.push_node(node);
                    self.tree.edge_mut(edge).child = Some(id);
                    has_news = true;
                }
            }
        }
        if has_news {
            backup::update_bounds(&mut self.tree, root);
        }
    }

    fn is_spent(&self) -> bool {
        let root = self.tree.node(NodeId::at(0));
        self.simulations_run >= self.config.simulations.get()
            || root.edges.len == 1
            || root.bounds.proven().is_some()
    }

    /// Walks from the root to a new leaf or a certain value.
    fn run_simulation(&mut self) {
        let mut id = NodeId::at(0);
        self.path.clear();
        self.path.push(id);
        let mut edge = self.select_at_root(id);
        loop {
            id = match self.tree.edge(edge).child {
                Some(child) => child,
                None => match self.arrive(id, edge) {
                    Arrival::Node(child) => child,
                    Arrival::Leaf => {
                        self.phase = Phase::LeafWaits(edge);
                        return;
                    }
                },
            };
            self.path.push(id);
            if self.tree.node(id).bounds.proven().is_some() {
                self.finish_simulation();
                return;
            }
            edge = self.select(id);
        }
    }

    fn select_at_root(&mut self, root: NodeId) -> EdgeIndex {
        let left = self.config.simulations.get() - self.simulations_run;
        let mover = self.mover_of(root);
        match (&mut self.root_search, &self.config.root) {
            (Some(RootSearch::Gumbel(gumbel)), _) => gumbel.next(&self.tree, root, left),
            (Some(RootSearch::Puct(priors)), RootPolicy::Puct(config)) => {
                puct::select_root(&self.tree, root, mover, config, priors)
            }
            _ => unreachable!("a running search has prepared its root"),
        }
    }

    fn select(&mut self, id: NodeId) -> EdgeIndex {
        match self.tree.node(id).kind {
            NodeKind::Player(mover) => match &self.config.root {
                RootPolicy::Gumbel(config) => {
                    improved::select(&mut self.tree, id, mover, config, &mut self.weights)
                }
                RootPolicy::Puct(config) => puct::select(&mut self.tree, id, mover, config),
            },
            NodeKind::Chance => chance::choose(&self.tree, id, &mut self.rng),
            NodeKind::Settled | NodeKind::Repeated(_) => {
                unreachable!("a node without edges has a certain value")
            }
        }
    }

    /// Hangs a new node behind `edge` of the last node on the path.
    fn attach(&mut self, edge: EdgeIndex, id: NodeId) {
        self.tree.edge_mut(edge).child = Some(id);
        if let Some(&parent) = self.path.last() {
            self.tree.node_mut(parent).n_tried += 1;
        }
    }

    fn finish_simulation(&mut self) {
        backup::back_up(&mut self.tree, &self.path);
        self.simulations_run += 1;
        self.phase = if self.is_spent() { Phase::Done } else { Phase::Running };
    }

    /// The side that acts at the root.
    pub(crate) fn mover_of(&self, root: NodeId) -> Color {
        match self.tree.node(root).kind {
            NodeKind::Player(mover) => mover,
            NodeKind::Chance | NodeKind::Settled | NodeKind::Repeated(_) => {
                unreachable!("a search begins where a side acts")
            }
        }
    }
}

/// Rooms for nodes taken in advance; larger trees grow.
const MAX_NODES_RESERVED: u32 = 512;

#[cfg(test)]
mod tests;
