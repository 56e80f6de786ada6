//! Random games to their end, every variant, all cores: each must end by an outcome or the ply cap,
//! with the hash and the FEN in step all along.
//!
//! `cargo bench -p gryphon-env --bench games -- [GAMES]` (100,000 unless said)

use std::collections::BTreeMap;
use std::time::Instant;

use gryphon_env::{
    Action, Actor, DrawReason, Game, Outcome, Position, RunSeed, Status, Stream, Variant, WinReason,
};
use rand::RngExt;
use rayon::prelude::*;

/// Every how many plies hash and FEN are made again from nothing.
const CHECK_EVERY: usize = 16;

fn main() {
    let given = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let n_games = given.map_or(100_000, |text| text.parse().expect("a number of games"));
    for name in Variant::names() {
        let variant = Variant::named(name).expect("a built-in variant");
        let start = Instant::now();
        let total = (0..n_games)
            .into_par_iter()
            .map(|number| Total::of(&play(variant, number)))
            .reduce(Total::default, Total::plus);
        let (plies, time) = (total.plies, start.elapsed().as_secs_f64());
        println!("{name}: {n_games} games, {plies} plies, {time:.0} s");
        for (end, n) in total.ends {
            println!("    {:6.2} % {end}", 100.0 * n as f64 / n_games as f64);
        }
    }
}

/// Plays one random game to its end.
///
/// # Panics
/// If it breaks a promise.
fn play(variant: &'static Variant, number: u64) -> Game {
    let mut random = RunSeed(1).stream(Stream::Playout(number));
    let mut game = Game::new(variant.start());
    let (mut actions, mut rolls): (Vec<Action>, Vec<_>) = (Vec::new(), Vec::new());
    while game.status(variant.max_plies()) == Status::Ongoing {
        let position = game.position();
        if game.actions().len().is_multiple_of(CHECK_EVERY) {
            check(position);
        }
        if position.actor() == Actor::Chance {
            position.chance_outcomes(&mut rolls);
            actions.clear();
            actions.extend(rolls.iter().map(|roll| roll.action));
        } else {
            position.legal_actions(&mut actions);
        }
        assert!(!actions.is_empty(), "no action but no end: {}", position.fen());
        game.play(actions[random.random_range(0..actions.len())]);
    }
    check(game.position());
    game
}

fn check(position: &Position) {
    let fen = position.fen();
    assert_eq!(position.key(), position.computed_key(), "{fen}");
    let read = Position::from_fen(position.variant(), &fen).expect("a FEN of its own");
    assert_eq!((read.fen(), read.key()), (fen, position.key()));
}

/// What many games came to.
#[derive(Default)]
struct Total {
    plies: usize,
    ends: BTreeMap<&'static str, u64>,
}

impl Total {
    fn of(game: &Game) -> Self {
        let end = game.outcome().map_or("ply cap", |outcome| match outcome {
            Outcome::Decisive { reason: WinReason::Checkmate, .. } => "mate",
            Outcome::Decisive { reason: WinReason::Stalemate, .. } => "won by stalemate",
            Outcome::Decisive { reason: WinReason::BareKing, .. } => "bare king",
            Outcome::Draw { reason: DrawReason::Stalemate } => "stalemate",
            Outcome::Draw { reason: DrawReason::OnlyKings } => "only kings",
            Outcome::Draw { reason: DrawReason::Clock } => "clock",
            Outcome::Draw { reason: DrawReason::InsufficientMaterial } => "too little material",
            Outcome::Draw { reason: DrawReason::Repetition } => "repetition",
        });
        Self { plies: game.actions().len(), ends: BTreeMap::from([(end, 1)]) }
    }

    fn plus(mut self, other: Self) -> Self {
        self.plies += other.plies;
        for (end, n) in other.ends {
            *self.ends.entry(end).or_default() += n;
        }
        self
    }
}
