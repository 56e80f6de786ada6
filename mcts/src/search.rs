//! One game's search.

use gryphon_env::{Action, Game, ObservationContext, Position};
use rand_chacha::ChaCha8Rng;

use crate::{Evaluation, Query, SearchConfig, ValueWhite};

/// What [`Search::gather`] found.
#[derive(Debug)]
pub enum Step<'a> {
    /// A leaf needs an evaluation; answer with [`Search::apply`].
    Evaluate(&'a Leaf),
    /// All simulations are spent, or the root is proven.
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

/// One action of the root after a search.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct RootAction {
    /// The action.
    pub action: Action,
    /// The evaluator's probability.
    pub prior: f32,
    /// Simulations through it.
    pub visits: u32,
    /// Mean value of its simulations; `None` if never visited.
    pub q: Option<ValueWhite>,
    /// The improved policy's probability: the training target. Sums to 1 over the root.
    pub improved: f32,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The action to play.
    pub action: Action,
    /// Value of the root after the search.
    pub value: ValueWhite,
    /// All legal actions of the root.
    pub actions: Vec<RootAction>,
    /// Simulations run.
    pub simulations: u32,
}

/// The search of one position, a state machine that never blocks.
#[derive(Debug)]
pub struct Search {}

impl Search {
    /// A search from `game`'s current position, which must not be over and in which a side acts.
    /// All of the search's randomness comes from `rng`.
    #[must_use]
    pub fn new(game: &Game, config: SearchConfig, rng: ChaCha8Rng) -> Self {
        let _ = (game, config, rng);
        todo!()
    }

    /// Runs simulations until one needs an evaluation or all are spent.
    pub fn gather(&mut self) -> Step<'_> {
        todo!()
    }

    /// Expands the waiting leaf and backs its value up.
    ///
    /// # Panics
    /// If no leaf is waiting, or `evaluation` is not for its legal actions.
    pub fn apply(&mut self, evaluation: &Evaluation) {
        let _ = evaluation;
        todo!()
    }

    /// What was found.
    ///
    /// # Panics
    /// If [`Search::gather`] did not yet answer [`Step::Done`].
    #[must_use]
    pub fn result(&self) -> SearchResult {
        todo!()
    }

    /// Moves the root to the child of `action`, keeping its subtree, with the budget renewed.
    /// `game` is the game after `action`.
    pub fn advance(&mut self, game: &Game, action: Action) {
        let _ = (game, action);
        todo!()
    }
}
