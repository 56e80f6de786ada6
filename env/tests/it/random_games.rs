//! Positions of seeded random games.

use std::num::NonZeroU32;

use gryphon_env::{Action, Actor, Game, PlyCap, RunSeed, Status, Stream, Variant};
use rand::RngExt;

/// Calls `visit` on every position of the `number`-th random game, the last one included.
pub(crate) fn walk(variant: &'static Variant, number: u64, mut visit: impl FnMut(&Game)) {
    let mut rng = RunSeed(5).stream(Stream::Playout(number));
    let cap = PlyCap(NonZeroU32::new(300).unwrap());
    let mut game = Game::new(variant.start());
    visit(&game);
    while game.status(cap) == Status::Ongoing {
        let actions = choices(&game);
        game.play(actions[rng.random_range(0..actions.len())]);
        visit(&game);
    }
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

/// Every built-in variant.
pub(crate) fn variants() -> impl Iterator<Item = &'static Variant> {
    Variant::names().into_iter().map(|name| Variant::named(name).unwrap())
}
