//! An agent as a player: search guided by a network, many games in one batch.

use gryphon_env::{Action, Game};
use gryphon_mcts::{Evaluator, Search, SearchConfig, run_batch};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::{Player, PlayerError};

/// Plays the action that a search guided by `E` finds, with the search of every game in one batch.
///
/// For the strongest play the configuration has no noise: Gumbel with scale 0, or PUCT without
/// root noise.
#[derive(Debug)]
pub struct AgentPlayer<E> {
    name: String,
    evaluator: E,
    config: SearchConfig,
}

impl<E: Evaluator> AgentPlayer<E> {
    /// A player that reports call `name`.
    #[must_use]
    pub const fn new(name: String, evaluator: E, config: SearchConfig) -> Self {
        Self { name, evaluator, config }
    }
}

impl<E: Evaluator + Send> Player for AgentPlayer<E> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(
        &mut self,
        games: &[&Game],
        rngs: &mut [ChaCha8Rng],
    ) -> Result<Vec<Action>, PlayerError> {
        let mut searches = Vec::with_capacity(games.len());
        for (game, rng) in games.iter().zip(rngs) {
            if game.outcome().is_some() {
                return Err(PlayerError::nothing_to_choose(&self.name, game));
            }
            searches.push(Search::new(game, self.config, ChaCha8Rng::from_rng(rng)));
        }
        run_batch(&mut searches, &mut self.evaluator).map_err(|error| PlayerError {
            player: self.name.clone(),
            reason: error.to_string(),
        })?;
        Ok(searches.iter().map(|search| search.result().action).collect())
    }
}
