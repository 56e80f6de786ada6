//! The baseline as a player.

use std::num::NonZeroUsize;
use std::thread;

use gryphon_alphabeta::{AlphaBeta, Config, Limit};
use gryphon_env::{Action, Game, Variant};
use rand_chacha::ChaCha8Rng;

use crate::{Player, PlayerError};

/// Table of one engine: games are many and searches short.
const TABLE_BYTES: usize = 8 << 20;

/// Plays by alpha-beta search within a limit. It draws no random numbers, and the number of threads
/// does not change its choices.
pub struct AlphaBetaPlayer {
    engines: Vec<AlphaBeta>,
    limit: Limit,
}

impl AlphaBetaPlayer {
    /// A player of `variant` that searches up to `threads` games at once.
    #[must_use]
    pub fn new(variant: &'static Variant, limit: Limit, threads: NonZeroUsize) -> Self {
        let config = Config { table_bytes: TABLE_BYTES, ..Config::default() };
        let engine = || AlphaBeta::new(variant, config);
        Self { engines: std::iter::repeat_with(engine).take(threads.get()).collect(), limit }
    }

    fn search_all(&mut self, games: &[&Game]) -> Vec<Option<Action>> {
        let limit = self.limit;
        let search = |engine: &mut AlphaBeta, games: &[&Game]| -> Vec<Option<Action>> {
            let answers = games.iter().map(|game| engine.search(game, limit));
            answers.map(|report| report.map(|report| report.action)).collect()
        };
        let share = games.len().div_ceil(self.engines.len()).max(1);
        if games.len() <= share {
            return search(&mut self.engines[0], games);
        }
        thread::scope(|scope| {
            let chunks = games.chunks(share).zip(&mut self.engines);
            let running: Vec<_> =
                chunks.map(|(chunk, engine)| scope.spawn(move || search(engine, chunk))).collect();
            let joined = running.into_iter().map(|handle| match handle.join() {
                Ok(actions) => actions,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            joined.flatten().collect()
        })
    }
}

impl Player for AlphaBetaPlayer {
    fn name(&self) -> String {
        match self.limit {
            Limit::Nodes(nodes) => format!("alphabeta:nodes={nodes}"),
            Limit::Depth(depth) => format!("alphabeta:depth={depth}"),
        }
    }

    fn choose(
        &mut self,
        games: &[&Game],
        _rngs: &mut [ChaCha8Rng],
    ) -> Result<Vec<Action>, PlayerError> {
        let name = self.name();
        let chosen = self.search_all(games);
        let answered = games.iter().zip(chosen).map(|(game, action)| {
            action.ok_or_else(|| PlayerError::nothing_to_choose(&name, game))
        });
        answered.collect()
    }
}
