//! Anything that chooses actions.

use gryphon_env::{Action, Game};
use rand_chacha::ChaCha8Rng;

/// Why a player could not choose.
#[derive(Debug, thiserror::Error)]
#[error("{player}: {reason}")]
pub struct PlayerError {
    /// The player's name.
    pub player: String,
    /// What went wrong.
    pub reason: String,
}

impl PlayerError {
    /// The player was asked in a game that is over, or in which the die acts.
    #[must_use]
    pub fn nothing_to_choose(player: &str, game: &Game) -> Self {
        let reason = format!("nothing to choose in `{}`", game.position().fen());
        Self { player: player.to_owned(), reason }
    }
}

/// Chooses actions in games of one variant. All its randomness comes from the stream it is given.
pub trait Player: Send {
    /// How reports call it: `random`, `alphabeta:nodes=1000`, an agent's file name.
    fn name(&self) -> String;

    /// Chooses one action in each of several games at once, so that a network sees full batches.
    /// In every game a side acts and the game is not over. `rngs` has one stream a game.
    ///
    /// # Errors
    /// If the player cannot go on (its network fails).
    fn choose(
        &mut self,
        games: &[&Game],
        rngs: &mut [ChaCha8Rng],
    ) -> Result<Vec<Action>, PlayerError>;
}
