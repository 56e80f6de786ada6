//! The weakest opponent.

use gryphon_env::{Action, Game};
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use crate::{Player, PlayerError};

/// Plays any legal action, all equally often.
#[derive(Clone, Debug, Default)]
pub struct RandomPlayer {
    legal: Vec<Action>,
}

impl RandomPlayer {
    /// A player without memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Player for RandomPlayer {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn choose(
        &mut self,
        games: &[&Game],
        rngs: &mut [ChaCha8Rng],
    ) -> Result<Vec<Action>, PlayerError> {
        let mut chosen = Vec::with_capacity(games.len());
        for (game, rng) in games.iter().zip(rngs) {
            game.position().legal_actions(&mut self.legal);
            // A seed's choices must not depend on the order of generation.
            self.legal.sort_unstable();
            let action = self.legal.choose(rng).copied();
            chosen.push(action.ok_or_else(|| PlayerError::nothing_to_choose(&self.name(), game))?);
        }
        Ok(chosen)
    }
}
