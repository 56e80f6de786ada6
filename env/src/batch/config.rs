//! What a batch of games is like.

use crate::{PlyCap, Variant};

use super::BatchError;

/// The number of a game in its batch, from 0.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct GameNumber(pub usize);

/// What happens to a game that has ended.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum AutoReset {
    /// The step that ends a game also begins the next, from the variant's start position: rewards,
    /// `terminated` and `truncated` tell of the game that ended; observation, mask and actor are
    /// those of the new game.
    SameStep,
    /// The game stays as it ended, with an empty mask, until it is reset; acting in it is an error.
    Off,
}

/// Number of games and threads, and how games end.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct BatchConfig {
    /// Games that advance together, from 1 to [`BatchConfig::MAX_GAMES`].
    pub n_games: usize,
    /// Threads that advance them, from 1 to [`BatchConfig::MAX_THREADS`]. With 1, the caller's
    /// thread does all the work.
    pub n_threads: usize,
    /// What happens to games that have ended.
    pub auto_reset: AutoReset,
    /// Plies after which a game is truncated, rolls of the die included;
    /// [`Variant::max_plies`] is a sensible choice.
    pub ply_cap: PlyCap,
}

impl BatchConfig {
    /// The largest number of games of a batch.
    pub const MAX_GAMES: usize = 65_536;
    /// The largest number of threads of a batch.
    pub const MAX_THREADS: usize = 256;

    pub(super) fn check(&self, variant: &Variant) -> Result<(), BatchError> {
        let at_most = |key, found, max| {
            let is_valid = (1..=max).contains(&found);
            if is_valid { Ok(()) } else { Err(BatchError::Count { key, found, max }) }
        };
        at_most("n_games", self.n_games, Self::MAX_GAMES)?;
        at_most("n_threads", self.n_threads, Self::MAX_THREADS)?;
        let min = if variant.faces().is_empty() { 1 } else { 2 };
        let found = self.ply_cap.0.get();
        if found < min {
            return Err(BatchError::PlyCap { found, min });
        }
        Ok(())
    }
}
