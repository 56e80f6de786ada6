//! What a search does with its simulations.

use std::num::{NonZeroU16, NonZeroU32};

use crate::ValueMover;

/// Settings of one search.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct SearchConfig {
    /// Leaf expansions per action, at least 1.
    pub simulations: NonZeroU32,
    /// How the root spends them and picks its action.
    pub root: RootPolicy,
    /// Leaves that may wait for their evaluation at the same time. More than one fills the batches of
    /// a single game's search, and makes each simulation worth less; self-play, with many games, has
    /// one.
    pub in_flight: NonZeroU16,
    /// No simulation begins in a tree of so many nodes, those kept from earlier searches included. A
    /// simulation adds one node, and one for each roll it passes.
    pub max_nodes: NonZeroU32,
    /// Positions looked at, before the first simulation, for a win that the root's side can force in a
    /// few actions whatever the evaluator says; `None` leaves that to the simulations.
    pub win_probe: Option<NonZeroU32>,
}

impl SearchConfig {
    /// A search with one leaf in flight, in a tree of at most four times as many nodes as there are
    /// simulations, without a probe for wins.
    #[must_use]
    pub const fn new(simulations: NonZeroU32, root: RootPolicy) -> Self {
        let max_nodes = simulations.saturating_mul(NonZeroU32::new(4).expect("4 is not 0"));
        Self { simulations, root, in_flight: NonZeroU16::MIN, max_nodes, win_probe: None }
    }
}

/// How the root is searched.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum RootPolicy {
    /// Gumbel AlphaZero (Danihelka et al. 2022): sequential halving over sampled actions.
    Gumbel(GumbelConfig),
    /// PUCT (Silver et al. 2017), visits decide.
    Puct(PuctConfig),
}

/// Settings of the Gumbel root and of the improved policy below it.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct GumbelConfig {
    /// Number of actions that enter sequential halving.
    pub considered: NonZeroU32,
    /// Scale of the Gumbel noise: 1 in self-play, 0 for the strongest deterministic choice.
    pub noise_scale: f32,
    /// Visits added to the maximum visit count in the Q transform (50 in the paper).
    pub c_visit: f32,
    /// Weight of completed Q against logits (1.0 in the paper, 0.1 for values in `[-1, 1]`).
    pub c_scale: f32,
}

/// Settings of PUCT.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct PuctConfig {
    /// Exploration constant, finite and positive.
    pub c_puct: f32,
    /// What an action never tried is worth.
    pub first_play: FirstPlayUrgency,
    /// `None` for evaluation games.
    pub root_noise: Option<RootNoise>,
}

/// What PUCT takes for the value of an action never tried, for the side that chooses.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum FirstPlayUrgency {
    /// Always the same: 1 tries every action once before any twice, 0 is AlphaZero's, -1 takes
    /// unknown actions for lost.
    Fixed(ValueMover),
    /// The node's mean value less this much (Gelly and Wang 2006; Leela Zero).
    BelowParent(f32),
    /// The node's mean value less this much times the square root of the priors of the actions tried:
    /// the more of the policy was looked at, the less is hoped from the rest (KataGo, Lc0).
    BelowParentByTried(f32),
}

/// Dirichlet noise on the root's priors.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct RootNoise {
    /// Concentration, about 10 / number of legal actions.
    pub alpha: f32,
    /// Share of the noise in the prior, 0.25 in AlphaZero.
    pub fraction: f32,
}
