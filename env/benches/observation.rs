//! Observations and action indices a second, one thread:
//! `cargo bench -p gryphon-env --bench observation [-- VARIANT …]`.

#![expect(clippy::unwrap_used, reason = "a failing benchmark panics")]

use std::hint::black_box;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use gryphon_env::{Action, Actor, Game, PlyCap, RunSeed, Status, Stream, Variant};
use rand::RngExt;

const TIME: Duration = Duration::from_secs(1);

fn main() {
    let chosen: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let names = Variant::names();
    for name in names.iter().filter(|name| chosen.is_empty() || chosen.iter().any(|c| c == *name)) {
        let variant = Variant::named(name).unwrap();
        let positions = positions(variant);
        let layout = variant.observation();
        let mut planes = vec![0.0; layout.n_planes() * variant.size().n_squares()];
        let encode = nanoseconds(positions.len(), || {
            for (game, _) in &positions {
                layout.encode(game.position(), game.observation_context(), &mut planes);
                black_box(&planes);
            }
        });
        let space = variant.action_space();
        let n_actions = positions.iter().map(|(_, actions)| actions.len()).sum();
        let index = nanoseconds(n_actions, || {
            for (game, actions) in &positions {
                let mover = game.position().side_to_move();
                for &action in actions {
                    black_box(space.index(action, mover));
                }
            }
        });
        println!("{name}: {encode:.0} ns an observation, {index:.1} ns an action index");
    }
}

/// Mean time of one of the `n` things that `run` does.
fn nanoseconds(n: usize, mut run: impl FnMut()) -> f64 {
    let start = Instant::now();
    let mut rounds = 0;
    while start.elapsed() < TIME {
        run();
        rounds += 1;
    }
    start.elapsed().as_secs_f64() * 1e9 / (rounds * n) as f64
}

/// Positions of random games in which a side acts, with their legal actions.
fn positions(variant: &'static Variant) -> Vec<(Game, Vec<Action>)> {
    let cap = PlyCap(NonZeroU32::new(100).unwrap());
    let mut positions = Vec::new();
    for number in 0..8 {
        let mut rng = RunSeed(1).stream(Stream::Playout(number));
        let mut game = Game::new(variant.start());
        let (mut actions, mut rolls) = (Vec::new(), Vec::new());
        while game.status(cap) == Status::Ongoing {
            game.position().legal_actions(&mut actions);
            if game.position().actor() == Actor::Chance {
                game.position().chance_outcomes(&mut rolls);
                actions.extend(rolls.iter().map(|roll| roll.action));
            } else {
                positions.push((game.clone(), actions.clone()));
            }
            game.play(actions[rng.random_range(0..actions.len())]);
        }
    }
    positions
}
