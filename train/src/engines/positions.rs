//! Positions to measure networks on.

use std::num::NonZeroUsize;

use gryphon_env::{Action, Game, RunSeed, Stream, Variant};
use gryphon_mcts::Query;
use gryphon_play::roll_die;
use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;

use crate::replay::{ReplayError, ReplayWindow, Sample};

/// How many are needed: half for the ranges of numbers, half for the test.
pub const N_POSITIONS: NonZeroUsize = NonZeroUsize::new(512).expect("512 is not 0");
/// The most plies of random play before a position.
const MAX_PLIES: u32 = 80;

/// Games in which a side is to act, and its legal actions.
#[derive(Clone, Debug)]
pub struct Positions(Vec<(Game, Vec<Action>)>);

impl Positions {
    /// Positions from random play; the same for the same seed.
    #[must_use]
    pub fn random(variant: &'static Variant, seed: RunSeed) -> Self {
        let position = |number| {
            let mut rng = seed.stream(Stream::Playout(number));
            let plies = rng.random_range(0..=MAX_PLIES);
            random_position(variant, plies, &mut rng)
        };
        Self((0..N_POSITIONS.get() as u64).map(position).collect())
    }

    /// Positions of the games in `window`.
    ///
    /// # Errors
    /// If it holds none.
    pub fn drawn(window: &mut ReplayWindow, rng: &mut ChaCha8Rng) -> Result<Self, ReplayError> {
        let with_legal = |sample: Sample| {
            let legal = legal_actions(&sample.game);
            (sample.game, legal)
        };
        Ok(Self(window.draw(rng, N_POSITIONS)?.into_iter().map(with_legal).collect()))
    }

    /// What an evaluator is asked about them.
    #[must_use]
    pub fn queries(&self) -> Vec<Query<'_>> {
        self.0.iter().map(query).collect()
    }
}

fn query((game, legal): &(Game, Vec<Action>)) -> Query<'_> {
    Query { position: game.position(), context: game.observation_context(), legal }
}

/// The position after `plies` random plies, or before the last one if the game ends sooner.
fn random_position(
    variant: &'static Variant,
    plies: u32,
    rng: &mut ChaCha8Rng,
) -> (Game, Vec<Action>) {
    let mut game = Game::new(variant.start());
    roll(&mut game, rng);
    let mut legal = legal_actions(&game);
    for _ in 0..plies {
        let mut next = game.clone();
        let Some(&action) = legal.choose(rng) else { break };
        next.play(action);
        roll(&mut next, rng);
        if next.outcome().is_some() {
            break;
        }
        game = next;
        legal = legal_actions(&game);
    }
    (game, legal)
}

fn roll(game: &mut Game, rng: &mut ChaCha8Rng) {
    while let Some(roll) = roll_die(game.position(), rng) {
        game.play(roll);
    }
}

/// In an order that does not depend on how they were found.
fn legal_actions(game: &Game) -> Vec<Action> {
    let mut legal = Vec::new();
    game.position().legal_actions(&mut legal);
    legal.sort_unstable();
    legal
}

#[cfg(test)]
mod tests {
    use gryphon_env::Actor;

    use super::*;

    #[test]
    fn random_positions_of_every_variant_are_going_on_and_repeatable() {
        for name in Variant::names() {
            let variant = Variant::named(name).unwrap();
            let [positions, again] = [(); 2].map(|()| Positions::random(variant, RunSeed(5)));
            for ((game, legal), (same, _)) in positions.0.iter().zip(&again.0) {
                assert!(game.outcome().is_none() && !legal.is_empty(), "{name}");
                assert!(matches!(game.position().actor(), Actor::Player(_)), "{name}");
                assert_eq!(game.position().fen(), same.position().fen());
            }
            assert_eq!(positions.queries().len(), N_POSITIONS.get());
        }
    }
}
