//! What a search does with its simulations.

use std::num::NonZeroU32;

/// Settings of one search.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct SearchConfig {
    /// Leaf expansions per action, at least 1.
    pub simulations: NonZeroU32,
    /// How the root spends them and picks its action.
    pub root: RootPolicy,
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
    /// Subtracted from the parent's value for actions never tried.
    pub fpu_reduction: f32,
    /// `None` for evaluation games.
    pub root_noise: Option<RootNoise>,
}

/// Dirichlet noise on the root's priors.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct RootNoise {
    /// Concentration, about 10 / number of legal actions.
    pub alpha: f32,
    /// Share of the noise in the prior, 0.25 in AlphaZero.
    pub fraction: f32,
}
