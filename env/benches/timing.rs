//! Speed of the rules in plain figures: perft with counted and with played leaves, random plies.
//!
//! `cargo bench -p gryphon-env --bench timing -- [NAME]…`
//!
//! Rates are per second of this thread's processor time, which other load on the machine disturbs
//! less than the wall clock.

use gryphon_env::{Action, ActionKind, Actor, Position, RunSeed, Stream, Variant};
use rand::RngExt;

const CASES: [(&str, &str, u32, u64); 6] = [
    ("chess", "", 5, 4_865_609),
    ("chess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w AHah - 0 1", 4, 4_085_603),
    ("complicacious", "", 6, 235_246_861),
    ("grant-acedrex", "", 4, 12_199_605),
    ("toulousain", "", 4, 2_906_916),
    ("gryphon-aanca", "", 5, 178_856),
];

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| name == wanted);
    for (name, fen, depth, nodes) in CASES {
        if is_wanted(name) {
            let variant = Variant::named(name).expect("a built-in variant");
            let position = if fen.is_empty() {
                variant.start()
            } else {
                Position::from_fen(variant, fen).expect("a valid FEN")
            };
            let counted = best(|| position.perft(depth), nodes);
            let played = best(|| position.perft_played(depth), nodes);
            println!("{name:18} perft {depth}: {counted:7.1} M/s counted {played:7.1} M/s played");
        }
    }
    for name in Variant::names() {
        if is_wanted(name) {
            let variant = Variant::named(name).expect("a built-in variant");
            let rate = (0..3).map(|_| random_plies(variant, 300_000)).fold(0.0, f64::max);
            println!("{name:34} {rate:7.2} M random plies/s");
        }
    }
}

/// Nodes per microsecond, the best of three.
fn best(mut count: impl FnMut() -> u64, expected: u64) -> f64 {
    let mut rate: f64 = 0.0;
    for _ in 0..3 {
        let start = cpu_seconds();
        assert_eq!(count(), expected);
        rate = rate.max(expected as f64 / (cpu_seconds() - start) / 1e6);
    }
    rate
}

/// Plays random games and gives millions of plies a second.
fn random_plies(variant: &'static Variant, n: u32) -> f64 {
    let mut random = RunSeed(1).stream(Stream::Playout(0));
    let mut actions: Vec<Action> = Vec::new();
    let mut rolls = Vec::new();
    let cap = variant.max_plies().0.get();
    let start = cpu_seconds();
    let mut position = variant.start();
    let mut plies = 0;
    for _ in 0..n {
        if position.actor() == Actor::Chance {
            position.chance_outcomes(&mut rolls);
            if rolls.is_empty() {
                (position, plies) = (variant.start(), 0);
                continue;
            }
            position.play(rolls[random.random_range(0..rolls.len())].action);
        }
        let outcome = position.legal_actions_and_outcome(&mut actions);
        if outcome.is_some() || plies == cap {
            (position, plies) = (variant.start(), 0);
            continue;
        }
        let action = actions[random.random_range(0..actions.len())];
        debug_assert!(!matches!(action.kind(), ActionKind::Roll(_)));
        position.play(action);
        plies += 1;
    }
    f64::from(n) / (cpu_seconds() - start) / 1e6
}

/// Processor time of this process in seconds, as Linux counts it.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("Linux with schedstat");
    let nanoseconds = text.split(' ').next().and_then(|field| field.parse::<f64>().ok());
    nanoseconds.expect("a number of nanoseconds") / 1e9
}
