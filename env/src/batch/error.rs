//! What can be wrong with a batch and with what is asked of it.

use crate::{GameNumber, Outcome};

/// Why a batch of games could not be made, or did not advance. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// Too few or too many games or threads.
    #[error("`{key}`: found {found}, expected 1 to {max}")]
    Count {
        /// `n_games` or `n_threads`.
        key: &'static str,
        /// What was asked for.
        found: usize,
        /// What is possible.
        max: usize,
    },
    /// A cap that leaves a side nothing to do.
    #[error("`ply_cap`: found {found}, expected at least {min}: a roll of the die counts as a ply")]
    PlyCap {
        /// What was asked for.
        found: u32,
        /// What is possible.
        min: u32,
    },
    /// The system gave no threads.
    #[error("cannot start the threads of the batch")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// One action a game is needed.
    #[error("found {found} actions, expected {expected}: one for each game")]
    NumberOfActions {
        /// How many there were.
        found: usize,
        /// How many games there are.
        expected: usize,
    },
    /// No action has this index.
    #[error("game {}: found action index {found}, expected less than {n_actions}", game.0)]
    ActionOutOfRange {
        /// The game it was meant for.
        game: GameNumber,
        /// The index.
        found: u16,
        /// Indices of the variant.
        n_actions: usize,
    },
    /// The action is not legal where the game stands.
    #[error(
        "game {}: found action {found} (`{text}`), which is not legal in `{fen}`, expected one of \
         the {n_legal} legal actions, as in {examples}",
        game.0
    )]
    IllegalAction {
        /// The game it was meant for.
        game: GameNumber,
        /// Its index.
        found: u16,
        /// Its text.
        text: String,
        /// The game's position.
        fen: String,
        /// How many actions are legal.
        n_legal: usize,
        /// Some of them.
        examples: String,
    },
    /// Nobody can act in a game that has ended.
    #[error("game {}: found an action for a game that has ended, expected a reset before", game.0)]
    GameEnded {
        /// The game.
        game: GameNumber,
    },
    /// No game has this number.
    #[error("found game number {}, expected less than {n_games}", found.0)]
    NoSuchGame {
        /// The number.
        found: GameNumber,
        /// Games of the batch.
        n_games: usize,
    },
    /// A position to begin at in which the game is over already.
    #[error("`{fen}` is over ({outcome}), expected a position in which a side can act")]
    PositionIsOver {
        /// The position.
        fen: String,
        /// How it ended.
        outcome: Outcome,
    },
    /// A position of other rules.
    #[error("game {}: found a position of `{found}`, expected one of `{expected}`", game.0)]
    WrongVariant {
        /// The game it was meant for.
        game: GameNumber,
        /// The position's variant.
        found: String,
        /// The batch's variant.
        expected: String,
    },
    /// Buffers that were made for another batch.
    #[error("found buffers for {found}, expected some for {expected}")]
    WrongBuffers {
        /// Number of games and variant of the buffers.
        found: String,
        /// Number of games and variant of the batch.
        expected: String,
    },
}
