//! Speed of the rules: perft, random play, attack tests, on 8×8 and 12×12.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gryphon_env::{Action, Actor, ChanceOutcome, Color, Position, RunSeed, Stream, Variant};
use rand::RngExt;

const GAMES: [&str; 4] = ["chess", "complicacious", "grant-acedrex", "toulousain"];

fn variant(name: &str) -> &'static Variant {
    Variant::named(name).expect("a built-in variant")
}

/// Perft from the start position with the last ply counted, and with every last action played.
fn perft(c: &mut Criterion) {
    let cases = [
        ("chess", 4, 197_281),
        ("complicacious", 4, 280_477),
        ("grant-acedrex", 3, 206_209),
        ("toulousain", 3, 66_518),
    ];
    let mut group = c.benchmark_group("perft");
    for (name, depth, nodes) in cases {
        let start = variant(name).start();
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(BenchmarkId::new("counted", name), |bencher| {
            bencher.iter(|| assert_eq!(black_box(&start).perft(depth), nodes));
        });
        group.bench_function(BenchmarkId::new("played", name), |bencher| {
            bencher.iter(|| assert_eq!(black_box(&start).perft_played(depth), nodes));
        });
    }
    group.finish();
}

/// Random legal play with the outcome test of every position.
fn random_play(c: &mut Criterion) {
    const PLIES: u64 = 1000;
    let mut group = c.benchmark_group("random play");
    group.throughput(Throughput::Elements(PLIES));
    for name in Variant::names() {
        let mut player = RandomPlayer::new(variant(name));
        group.bench_function(name, |bencher| {
            bencher.iter(|| (0..PLIES).for_each(|_| player.step()));
        });
    }
    group.finish();
}

struct RandomPlayer {
    variant: &'static Variant,
    position: Position,
    random: rand_chacha::ChaCha8Rng,
    actions: Vec<Action>,
    rolls: Vec<ChanceOutcome>,
}

impl RandomPlayer {
    fn new(variant: &'static Variant) -> Self {
        let random = RunSeed(1).stream(Stream::Playout(0));
        Self { variant, position: variant.start(), random, actions: Vec::new(), rolls: Vec::new() }
    }

    /// One ply with its roll, or a new game.
    fn step(&mut self) {
        if self.position.actor() == Actor::Chance {
            self.position.chance_outcomes(&mut self.rolls);
            if let Some(roll) = self.rolls.get(self.random.random_range(0..self.rolls.len().max(1)))
            {
                self.position.play(roll.action);
            }
        }
        if self.position.legal_actions_and_outcome(&mut self.actions).is_some() {
            self.position = self.variant.start();
        } else {
            self.position.play(self.actions[self.random.random_range(0..self.actions.len())]);
        }
    }
}

/// Whether each square is attacked, in a position of the middle game.
fn attack_test(c: &mut Criterion) {
    let mut group = c.benchmark_group("attack test");
    for name in GAMES {
        let mut player = RandomPlayer::new(variant(name));
        (0..40).for_each(|_| player.step());
        let position = player.position;
        let size = position.variant().size();
        group.throughput(Throughput::Elements(size.n_squares() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                size.squares().filter(|&square| position.is_attacked(square, Color::Black)).count()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, perft, random_play, attack_test);
criterion_main!(benches);
