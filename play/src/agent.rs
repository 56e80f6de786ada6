//! An agent as a player: search guided by a network, many games in one batch.

use gryphon_env::{Action, Game};
use gryphon_mcts::{EvaluationCache, Evaluator, Search, SearchConfig, run_batch};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::{Player, PlayerError};

/// Memory of the evaluation cache of one player.
const CACHE_BYTES: usize = 32 << 20;

/// Plays the action that a search guided by `E` finds, with the search of every game in one batch.
///
/// For the strongest play the configuration has no noise: Gumbel with scale 0, or PUCT without
/// root noise.
#[derive(Debug)]
pub struct AgentPlayer<E> {
    name: String,
    evaluator: E,
    config: SearchConfig,
    cache: EvaluationCache,
    /// `None` unless trees are kept.
    last: Option<LastSearch>,
}

/// The search of a single game, to go on from.
#[derive(Debug, Default)]
struct LastSearch(Option<(Game, Search)>);

impl<E: Evaluator> AgentPlayer<E> {
    /// A player that reports call `name`. Every choice begins with an empty tree, so that games do not
    /// depend on which of them are played together.
    #[must_use]
    pub fn new(name: String, evaluator: E, config: SearchConfig) -> Self {
        let cache = EvaluationCache::with_bytes(CACHE_BYTES);
        Self { name, evaluator, config, cache, last: None }
    }

    /// The same player for one game at a time, which keeps the tree of its last choice as long as that
    /// game goes on.
    #[must_use]
    pub fn keeping_tree(self) -> Self {
        Self { last: Some(LastSearch::default()), ..self }
    }

    /// The search of `game`, with what is known from the last choice.
    fn search(&mut self, game: &Game, rng: ChaCha8Rng) -> Search {
        let last = self.last.as_mut().and_then(|last| last.0.take());
        match last.and_then(|(past, search)| Some((actions_since(&past, game)?, search))) {
            Some((actions, mut search)) => {
                search.advance(game, actions);
                search.restart(game, self.config, rng);
                search
            }
            None => Search::new(game, self.config, rng),
        }
    }
}

/// The actions of `game` after those of `past`, if it begins with them.
fn actions_since<'a>(past: &Game, game: &'a Game) -> Option<&'a [Action]> {
    let is_same_start = past.start().key() == game.start().key()
        && past.start().halfmove_clock() == game.start().halfmove_clock()
        && past.start().fullmove_number() == game.start().fullmove_number();
    is_same_start.then(|| game.actions().strip_prefix(past.actions())).flatten()
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
            searches.push(self.search(game, ChaCha8Rng::from_rng(rng)));
        }
        let run = run_batch(&mut searches, &mut self.evaluator, &mut self.cache);
        run.map_err(|error| PlayerError { player: self.name.clone(), reason: error.to_string() })?;
        let actions = searches.iter().map(|search| search.result().action).collect();
        if let (Some(last), [game], Some(search)) = (&mut self.last, games, searches.pop()) {
            last.0 = Some(((*game).clone(), search));
        }
        Ok(actions)
    }
}
