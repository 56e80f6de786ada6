//! One game's search: the state machine that walks the tree.

mod leaf;
mod walk;

use gryphon_env::{Action, Actor, ChanceOutcome, Color, Game, ObservationContext};
use rand_chacha::ChaCha8Rng;

use self::leaf::Leaf;
use self::walk::Flow;
use crate::gumbel::GumbelRoot;
use crate::history::History;
use crate::improved::Tried;
use crate::puct;
use crate::tree::{NodeId, NodeKind, Tree};
use crate::{Evaluation, EvaluationCache, Query, RootPolicy, SearchConfig};

/// What a search needs next.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Step {
    /// Leaves need their evaluation: answer [`Search::queries`] with [`Search::apply`].
    Evaluate,
    /// All simulations are spent, the root is proven, it has a single action, or no side acts there.
    Done,
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
    /// What the root's observation needs besides its position.
    root_context: ObservationContext,
    phase: Phase,
    /// What the root's selection remembers; `None` until the root is evaluated.
    pub(crate) root_search: Option<RootSearch>,
    pub(crate) simulations_run: u32,
    /// Leaves waiting for their evaluation, in the order in which they were found.
    leaves: Vec<Leaf>,
    /// The nodes of the current simulation, root first.
    path: Vec<NodeId>,
    /// Memory used again.
    spare_paths: Vec<Vec<NodeId>>,
    rolls: Vec<ChanceOutcome>,
    legal: Vec<Action>,
    tried: Vec<Tried>,
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
    /// The root has no evaluation yet.
    NewRoot,
    /// Simulations can go on.
    Running,
    /// As soon as the root has its evaluation, the search ends.
    Stopping,
    /// The result is there.
    Done,
}

impl Search {
    /// A search from `game`'s current position. All of the search's randomness comes from `rng`.
    ///
    /// Where the game is over or the die acts next, [`Search::gather`] answers [`Step::Done`] and
    /// there is no result.
    #[must_use]
    pub fn new(game: &Game, config: SearchConfig, rng: ChaCha8Rng) -> Self {
        let mut search = Self {
            config,
            rng,
            tree: Tree::default(),
            history: History::default(),
            root_context: ObservationContext::default(),
            phase: Phase::Idle,
            root_search: None,
            simulations_run: 0,
            leaves: Vec::new(),
            path: Vec::new(),
            spare_paths: Vec::new(),
            rolls: Vec::new(),
            legal: Vec::new(),
            tried: Vec::new(),
        };
        search.start(game);
        search
    }

    /// Runs simulations until as many leaves wait for an evaluation as may, or all simulations are
    /// spent. Evaluations that `cache` remembers are used without asking. While leaves wait, calling
    /// again adds others if there is room.
    pub fn gather(&mut self, cache: &mut EvaluationCache) -> Step {
        if matches!(self.phase, Phase::NewRoot | Phase::Stopping) && self.leaves.is_empty() {
            self.reach_root(cache);
        }
        while self.phase == Phase::Running && self.has_room() {
            match self.run_simulation(cache) {
                Flow::Finished | Flow::Waits => {}
                Flow::Blocked => break,
            }
        }
        if self.leaves.is_empty() { Step::Done } else { Step::Evaluate }
    }

    /// The leaves that wait for their evaluation, in the order in which [`Search::apply`] takes the
    /// answers. Empty before [`Search::gather`] and where it says [`Step::Done`].
    pub fn queries(&self) -> impl ExactSizeIterator<Item = Query<'_>> {
        self.leaves.iter().map(|leaf| leaf.query(&self.tree))
    }

    /// Expands all waiting leaves and backs their values up.
    ///
    /// # Panics
    /// If no leaf is waiting, or `evaluations` are not one for each of [`Search::queries`] with one
    /// logit a legal action.
    pub fn apply<'a>(&mut self, evaluations: impl IntoIterator<Item = &'a Evaluation>) {
        assert!(!self.leaves.is_empty(), "no leaf is waiting");
        let mut evaluations = evaluations.into_iter();
        let mut leaves = std::mem::take(&mut self.leaves);
        for leaf in leaves.drain(..) {
            let evaluation = evaluations.next().expect("there is one evaluation a leaf");
            for &id in &leaf.path {
                self.tree.node_mut(id).in_flight -= 1;
            }
            self.expand(leaf.node, &evaluation.logits, evaluation.wdl);
            self.finish(&leaf.path);
            self.spare_paths.push(leaf.path);
        }
        assert!(evaluations.next().is_none(), "there is one evaluation a leaf");
        self.leaves = leaves;
        self.check_end();
    }

    /// Moves the root down by `actions` of sides and the die, keeping the subtree, with the budget
    /// renewed. `game` is the game after them. Waiting leaves are dropped.
    ///
    /// Where the game is over or the die acts next, [`Search::gather`] answers [`Step::Done`] and
    /// there is no result; after the roll, call this again with the roll.
    pub fn advance(&mut self, game: &Game, actions: &[Action]) {
        self.drop_leaves();
        let below = |id: NodeId, &action: &Action| {
            self.tree.edges_of(id).find(|edge| edge.action == action)?.child
        };
        match self.tree.root().and_then(|root| actions.iter().try_fold(root, below)) {
            Some(id) if self.is_inner_node_of(id, game) => self.tree.keep_subtree(id),
            _ => self.tree.clear(),
        }
        self.start(game);
    }

    /// Begins again at the same root, keeping the tree, with other settings and another source of
    /// randomness. `game` is the game that stands at the root; another one begins from nothing.
    ///
    /// This is how pondering ends: a search of the opponent's position is advanced by what the opponent
    /// played, and started again with the settings of a move.
    pub fn restart(&mut self, game: &Game, config: SearchConfig, rng: ChaCha8Rng) {
        self.drop_leaves();
        self.config = config;
        self.rng = rng;
        if self.tree.root().is_some_and(|root| !self.is_inner_node_of(root, game)) {
            self.tree.clear();
        }
        self.start(game);
    }

    /// Ends the search with what it has; waiting leaves are dropped. A root that has no evaluation yet
    /// gets it first.
    ///
    /// A Gumbel root plans for all of its budget, so for a clock PUCT is the better root.
    pub fn stop(&mut self) {
        match self.phase {
            Phase::Idle | Phase::Done | Phase::Stopping => {}
            Phase::NewRoot => self.phase = Phase::Stopping,
            Phase::Running => {
                self.drop_leaves();
                self.phase = Phase::Done;
            }
        }
    }

    /// The settings.
    #[must_use]
    pub const fn config(&self) -> &SearchConfig {
        &self.config
    }

    /// Simulations run since the root was set, those in flight not counted.
    #[must_use]
    pub const fn simulations_run(&self) -> u32 {
        self.simulations_run
    }

    /// Number of nodes in the tree.
    #[must_use]
    pub fn n_nodes(&self) -> usize {
        self.tree.nodes.len()
    }

    /// Bytes of memory that the tree takes, spare room included. Positions of boards with more than
    /// 192 squares take as much again beside it.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.tree.memory()
    }

    /// Whether a result is there.
    pub(crate) fn is_done(&self) -> bool {
        self.phase == Phase::Done
    }

    fn is_inner_node_of(&self, id: NodeId, game: &Game) -> bool {
        self.tree.node(id).edges.len > 0
            && self.tree.position(id).key() == game.position().key()
            && self.tree.position(id).halfmove_clock() == game.position().halfmove_clock()
            && game.outcome().is_none()
    }

    /// Begins a search at the current position of `game`, with the tree kept for it or an empty one.
    fn start(&mut self, game: &Game) {
        self.history.set(game);
        self.simulations_run = 0;
        self.root_search = None;
        self.root_context = game.observation_context();
        let position = game.position();
        self.phase = Phase::Idle;
        if game.outcome().is_some() || position.actor() == Actor::Chance {
            return;
        }
        position.legal_actions(&mut self.legal);
        if let Some(root) = self.tree.root() {
            self.tree.order_edges(root, &self.legal);
        } else {
            let n_nodes = self.config.simulations.get().min(MAX_NODES_RESERVED) as usize + 1;
            self.tree.reserve(n_nodes, self.legal.len());
            self.tree.positions.push(position.clone());
            self.push_leaf_node(position.side_to_move());
        }
        self.phase = Phase::NewRoot;
        if self.is_evaluated(NodeId::ROOT) {
            self.start_root();
        }
    }

    /// Prepares selection at a root that has its evaluation.
    fn start_root(&mut self) {
        let actions = &self.tree.actions[self.tree.node(NodeId::ROOT).edges.range()];
        if self.tree.position(NodeId::ROOT).winning_action(actions).is_some() {
            self.find_final_actions();
        } else if actions.len() > 1
            && let Some(budget) = self.config.win_probe
        {
            self.probe_for_win(budget);
        }
        let mover = self.mover_of_root();
        let simulations = self.config.simulations.get();
        self.root_search = Some(match self.config.root {
            RootPolicy::Gumbel(config) => RootSearch::Gumbel(GumbelRoot::new(
                &self.tree,
                mover,
                config,
                simulations,
                &mut self.rng,
            )),
            RootPolicy::Puct(config) => {
                let mut priors: Vec<f32> =
                    self.tree.edges_of(NodeId::ROOT).map(|edge| edge.prior).collect();
                if let Some(noise) = config.root_noise {
                    puct::add_noise(&mut priors, noise, &mut self.rng);
                }
                RootSearch::Puct(priors)
            }
        });
        self.phase = match self.phase {
            Phase::Stopping => Phase::Done,
            _ => Phase::Running,
        };
        self.check_end();
    }

    /// Ends a search that has nothing left to do.
    fn check_end(&mut self) {
        if self.phase != Phase::Running {
            return;
        }
        let root = self.tree.node(NodeId::ROOT);
        let is_full = self.tree.nodes.len() >= self.config.max_nodes.get() as usize;
        let is_spent = self.simulations_run >= self.config.simulations.get();
        let needs_none = root.edges.len == 1 || root.bounds.proven().is_some();
        if needs_none || (self.leaves.is_empty() && (is_spent || is_full)) {
            self.drop_leaves();
            self.phase = Phase::Done;
        }
    }

    /// Forgets which leaves wait. Their nodes stay and can be reached again.
    fn drop_leaves(&mut self) {
        for leaf in self.leaves.drain(..) {
            for &id in &leaf.path {
                self.tree.node_mut(id).in_flight -= 1;
            }
        }
    }

    fn is_evaluated(&self, id: NodeId) -> bool {
        !matches!(self.tree.node(id).kind, NodeKind::Waiting(_))
    }

    /// The side that acts at the root.
    pub(crate) fn mover_of_root(&self) -> Color {
        match self.tree.node(NodeId::ROOT).kind {
            NodeKind::Player(mover) | NodeKind::Waiting(mover) => mover,
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
