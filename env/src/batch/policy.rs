//! Random play, to drive a batch in benchmarks and tests, or as a first opponent.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{BatchEnv, BatchError, GameNumber};
use crate::{ActionIndex, RunSeed, Stream};

/// Chooses among the legal actions of every game, each with the same probability.
#[derive(Clone, Debug)]
pub struct RandomPolicy {
    random: ChaCha8Rng,
}

impl RandomPolicy {
    /// The policy that draws from [`Stream::BatchPolicy`] of `seed`.
    #[must_use]
    pub fn new(seed: RunSeed) -> Self {
        Self { random: seed.stream(Stream::BatchPolicy) }
    }

    /// Replaces the content of `actions` with one legal action for each game.
    ///
    /// # Errors
    /// If a game has ended and was not reset.
    pub fn choose(
        &mut self,
        env: &BatchEnv,
        actions: &mut Vec<ActionIndex>,
    ) -> Result<(), BatchError> {
        actions.clear();
        for game in (0..env.n_games()).map(GameNumber) {
            let legal = env.legal_actions(game).unwrap_or_default();
            if legal.is_empty() {
                return Err(BatchError::GameEnded { game });
            }
            let chosen = self.random.random_range(0..legal.len() as u32);
            actions.push(legal[chosen as usize]);
        }
        Ok(())
    }
}
