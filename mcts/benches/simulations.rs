//! Simulations a second with an evaluator that costs nothing, one thread:
//! `cargo bench -p gryphon-mcts [-- VARIANT …]`.

#![expect(clippy::unwrap_used, reason = "a failing benchmark panics")]

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use gryphon_env::{Actor, Game, PlyCap, RunSeed, Status, Stream, Variant};
use gryphon_mcts::{
    Evaluation, EvaluationCache, GumbelConfig, RootPolicy, Search, SearchConfig, Step, Wdl,
};
use rand::RngExt;

const SIMULATIONS: u32 = 32;
const TIME: Duration = Duration::from_secs(2);

fn main() {
    let chosen: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let names = Variant::names();
    for name in names.iter().filter(|name| chosen.is_empty() || chosen.iter().any(|c| c == *name)) {
        let positions = positions(Variant::named(name).unwrap());
        let start = Instant::now();
        let mut total = Counts::default();
        while start.elapsed() < TIME {
            for (number, game) in positions.iter().enumerate() {
                search(game, number as u64, &mut total);
            }
        }
        let per_second = total.simulations as f64 / start.elapsed().as_secs_f64();
        println!(
            "{name}: {per_second:.0} simulations/s, {:.1} actions at the root, {:.0} bytes a node",
            total.actions as f64 / total.searches as f64,
            total.bytes as f64 / total.nodes as f64,
        );
    }
}

/// Positions in which a side acts, from random games of up to 60 plies.
fn positions(variant: &'static Variant) -> Vec<Game> {
    let cap = PlyCap(NonZeroU32::new(60).unwrap());
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
            } else if game.actions().len() % 10 < 2 {
                positions.push(game.clone());
            }
            game.play(actions[rng.random_range(0..actions.len())]);
        }
    }
    positions
}

#[derive(Default)]
struct Counts {
    searches: usize,
    simulations: u64,
    /// Legal actions of roots.
    actions: usize,
    nodes: usize,
    bytes: usize,
}

/// One search, counted.
fn search(game: &Game, number: u64, total: &mut Counts) {
    let gumbel = GumbelConfig {
        considered: NonZeroU32::new(16).unwrap(),
        noise_scale: 1.0,
        c_visit: 50.0,
        c_scale: 0.1,
    };
    let config =
        SearchConfig::new(NonZeroU32::new(SIMULATIONS).unwrap(), RootPolicy::Gumbel(gumbel));
    let mut search = Search::new(game, config, RunSeed(2).stream(Stream::Playout(number)));
    let mut evaluation = Evaluation { logits: Vec::new(), wdl: Wdl::DRAW };
    let mut cache = EvaluationCache::off();
    while search.gather(&mut cache) == Step::Evaluate {
        let n_legal = search.queries().map(|query| query.legal.len()).sum();
        // Uneven priors, so that trees grow in depth as they do with a network.
        evaluation.logits.clear();
        evaluation.logits.extend((0..n_legal).map(|index| (index * 7 % 16) as f32 * 0.2));
        search.apply([&evaluation]);
    }
    let result = search.result();
    total.searches += 1;
    total.simulations += u64::from(result.simulations);
    total.actions += result.actions.len();
    total.nodes += search.n_nodes();
    total.bytes += search.memory();
}
