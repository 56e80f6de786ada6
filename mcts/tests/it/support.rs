//! Evaluators that are pure functions, and positions of random games.

use std::num::NonZeroU32;

use gryphon_env::{Action, Actor, Game, PlyCap, RunSeed, Status, Stream, Variant};
use gryphon_mcts::{
    Evaluation, EvaluationCache, Evaluator, EvaluatorError, FirstPlayUrgency, GumbelConfig,
    PuctConfig, Query, RootPolicy, Search, SearchConfig, SearchResult, Wdl, run_batch,
};
use rand::RngExt;

/// Priors and values from a hash of the position: sharp, senseless, and always the same.
#[derive(Copy, Clone, Debug)]
pub(crate) struct HashEvaluator {
    pub(crate) seed: u64,
    /// Logits lie between plus and minus this.
    pub(crate) spread: f32,
    /// Values lie between plus and minus this.
    pub(crate) value: f32,
}

impl Evaluator for HashEvaluator {
    fn evaluate(&mut self, queries: &[Query<'_>]) -> Result<Vec<Evaluation>, EvaluatorError> {
        Ok(queries.iter().map(|query| self.answer(query)).collect())
    }
}

impl HashEvaluator {
    pub(crate) const fn new(seed: u64) -> Self {
        Self { seed, spread: 2.0, value: 0.8 }
    }

    fn answer(&self, query: &Query<'_>) -> Evaluation {
        let mut state = query.position.key().0 ^ self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut draw = || {
            state = mix(state);
            (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        };
        let score = self.value * draw();
        let draws = 0.5 * (1.0 - score.abs());
        let win = (1.0 - draws + score) / 2.0;
        Evaluation {
            wdl: Wdl { win, draw: draws, loss: 1.0 - draws - win },
            logits: query.legal.iter().map(|_| self.spread * draw()).collect(),
        }
    }
}

/// One step of SplitMix64.
const fn mix(state: u64) -> u64 {
    let z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

pub(crate) fn gumbel(simulations: u32, considered: u32, noise_scale: f32) -> SearchConfig {
    let gumbel = GumbelConfig {
        considered: NonZeroU32::new(considered).unwrap(),
        noise_scale,
        c_visit: 50.0,
        c_scale: 0.1,
    };
    SearchConfig::new(NonZeroU32::new(simulations).unwrap(), RootPolicy::Gumbel(gumbel))
}

pub(crate) const PUCT: PuctConfig =
    PuctConfig { c_puct: 1.5, first_play: FirstPlayUrgency::BelowParent(0.2), root_noise: None };

pub(crate) fn puct(simulations: u32) -> SearchConfig {
    SearchConfig::new(NonZeroU32::new(simulations).unwrap(), RootPolicy::Puct(PUCT))
}

/// Both root policies with enough considered actions for any position.
pub(crate) fn thorough(simulations: u32) -> [SearchConfig; 2] {
    [gumbel(simulations, 1000, 1.0), puct(simulations)]
}

pub(crate) fn new_search(game: &Game, config: SearchConfig, seed: u64) -> Search {
    Search::new(game, config, RunSeed(seed).stream(Stream::Playout(0)))
}

pub(crate) fn run(
    game: &Game,
    config: SearchConfig,
    seed: u64,
    evaluator: &mut impl Evaluator,
) -> SearchResult {
    let mut searches = [new_search(game, config, seed)];
    finish(&mut searches, evaluator);
    searches[0].result()
}

/// Runs searches to their end without a cache.
pub(crate) fn finish(searches: &mut [Search], evaluator: &mut impl Evaluator) {
    run_batch(searches, evaluator, &mut EvaluationCache::off()).unwrap();
}

pub(crate) fn game_at(variant: &str, fen: &str) -> Game {
    let variant = Variant::named(variant).unwrap();
    Game::new(gryphon_env::Position::from_fen(variant, fen).unwrap())
}

pub(crate) fn start_of(variant: &str) -> Game {
    Game::new(Variant::named(variant).unwrap().start())
}

/// Every game of a random game from its start to its end, the finished one included.
pub(crate) fn random_game(variant: &str, number: u64) -> Vec<Game> {
    let mut rng = RunSeed(11).stream(Stream::Playout(number));
    let cap = PlyCap(NonZeroU32::new(300).unwrap());
    let mut game = start_of(variant);
    let mut games = vec![game.clone()];
    while game.status(cap) == Status::Ongoing {
        let actions = choices(&game);
        game.play(actions[rng.random_range(0..actions.len())]);
        games.push(game.clone());
    }
    games
}

/// Legal actions, or the rolls.
pub(crate) fn choices(game: &Game) -> Vec<Action> {
    let mut actions = Vec::new();
    match game.position().actor() {
        Actor::Player(_) => game.position().legal_actions(&mut actions),
        Actor::Chance => {
            let mut rolls = Vec::new();
            game.position().chance_outcomes(&mut rolls);
            actions.extend(rolls.iter().map(|roll| roll.action));
        }
    }
    actions
}

pub(crate) fn after(game: &Game, action: Action) -> Game {
    let mut next = game.clone();
    next.play(action);
    next
}

/// Every rule set of the program.
pub(crate) fn variants() -> Vec<&'static str> {
    Variant::names()
}
