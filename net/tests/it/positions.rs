//! Positions of random games.

use gryphon_env::{Action, Actor, Game, RunSeed, Stream, Variant};
use gryphon_mcts::Query;
use rand::RngExt as _;
use rand::seq::IndexedRandom as _;

/// A game in which a side acts, and its legal actions.
pub(crate) struct Sample {
    game: Game,
    legal: Vec<Action>,
}

impl Sample {
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn legal(&self) -> &[Action] {
        &self.legal
    }

    pub(crate) fn query(&self) -> Query<'_> {
        Query {
            position: self.game.position(),
            context: self.game.observation_context(),
            legal: &self.legal,
        }
    }
}

/// `n` positions from random games, each after some plies.
pub(crate) fn samples(variant: &'static Variant, n: u64) -> Vec<Sample> {
    (0..n).map(|number| sample(variant, number)).collect()
}

fn sample(variant: &'static Variant, number: u64) -> Sample {
    let mut rng = RunSeed(3).stream(Stream::Playout(number));
    let plies = rng.random_range(0..40);
    let mut game = Game::new(variant.start());
    let mut last = None;
    let mut legal = Vec::new();
    let mut outcomes = Vec::new();
    for _ in 0..=plies {
        while game.position().actor() == Actor::Chance {
            game.position().chance_outcomes(&mut outcomes);
            game.play(outcomes[rng.random_range(0..outcomes.len())].action);
        }
        game.position().legal_actions(&mut legal);
        let Some(&action) = legal.choose(&mut rng) else { break };
        if game.outcome().is_some() {
            break;
        }
        last = Some(Sample { game: game.clone(), legal: legal.clone() });
        game.play(action);
    }
    last.expect("the start position is not over")
}
