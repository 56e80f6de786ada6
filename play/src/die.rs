//! Rolling the die.

use gryphon_env::{Action, Actor, ChanceOutcome, Position};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A roll for `position`, drawn from `rng`; `None`, and nothing drawn, unless the die acts in it.
#[must_use]
pub fn roll_die(position: &Position, rng: &mut ChaCha8Rng) -> Option<Action> {
    if position.actor() != Actor::Chance {
        return None;
    }
    let mut outcomes: Vec<ChanceOutcome> = Vec::new();
    position.chance_outcomes(&mut outcomes);
    let mut at: f32 = rng.random();
    let drawn = outcomes.iter().find(|outcome| {
        at -= outcome.probability;
        at < 0.0
    });
    drawn.or(outcomes.last()).map(|outcome| outcome.action)
}
