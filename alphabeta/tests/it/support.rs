//! Games to test on.

use gryphon_env::{Action, Actor, ChanceOutcome, Game, RunSeed, Stream, Variant};
use rand::RngExt;
use rand::seq::IndexedRandom;

/// Every built-in variant.
pub(crate) fn variants() -> Vec<&'static Variant> {
    Variant::names().into_iter().map(|name| Variant::named(name).expect("it is built in")).collect()
}

/// A random game of at most `plies` actions, shorter if it ends; the same for the same number.
pub(crate) fn random_game(variant: &'static Variant, number: u64, plies: usize) -> Game {
    let mut rng = RunSeed(11).stream(Stream::Playout(number));
    let mut game = Game::new(variant.start());
    let (mut legal, mut rolls) = (Vec::new(), Vec::<ChanceOutcome>::new());
    while game.actions().len() < plies && game.outcome().is_none() {
        if game.position().actor() == Actor::Chance {
            game.position().chance_outcomes(&mut rolls);
            game.play(rolls[rng.random_range(0..rolls.len())].action);
        } else {
            game.position().legal_actions(&mut legal);
            game.play(*legal.choose(&mut rng).expect("not over"));
        }
    }
    game
}

/// The game after the first `plies` actions of `game`.
pub(crate) fn truncated(game: &Game, plies: usize) -> Game {
    let mut earlier = Game::new(game.start().clone());
    for &action in &game.actions()[..plies] {
        earlier.play(action);
    }
    earlier
}

/// A random game of about `plies` actions that is not over and in which a side acts.
pub(crate) fn ongoing(variant: &'static Variant, number: u64, plies: usize) -> Option<Game> {
    let mut game = random_game(variant, number, plies);
    let mut rolls = Vec::new();
    if game.position().actor() == Actor::Chance {
        game.position().chance_outcomes(&mut rolls);
        game.play(rolls[0].action);
    }
    game.outcome().is_none().then_some(game)
}

/// The legal actions of the current position.
pub(crate) fn legal(game: &Game) -> Vec<Action> {
    let mut legal = Vec::new();
    game.position().legal_actions(&mut legal);
    legal
}
