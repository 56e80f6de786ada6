//! One fixed piece of work a call, for counting instructions:
//!
//! `valgrind --tool=callgrind --toggle-collect='*measured*' target/release/deps/instructions-… chess counted`

use gryphon_env::{Action, RunSeed, Stream, Variant};
use rand::RngExt;

fn main() {
    let mut args = std::env::args().skip(1).filter(|arg| !arg.starts_with('-'));
    let (Some(name), Some(work)) = (args.next(), args.next()) else {
        println!("expected a variant and one of `counted`, `played`, `random`");
        return;
    };
    let variant = Variant::named(&name).expect("a built-in variant");
    println!("{name} {work}: {} nodes", measured(variant, &work));
}

/// The work that counts; compiling the variant does not.
#[inline(never)]
fn measured(variant: &'static Variant, work: &str) -> u64 {
    let depth = if variant.size().n_squares() > 64 { 3 } else { 4 };
    match work {
        "counted" => variant.start().perft(depth),
        "played" => variant.start().perft_played(depth),
        _ => random_plies(variant, 20_000),
    }
}

fn random_plies(variant: &'static Variant, n: u64) -> u64 {
    let mut random = RunSeed(1).stream(Stream::Playout(0));
    let mut actions: Vec<Action> = Vec::new();
    let mut position = variant.start();
    for _ in 0..n {
        if position.legal_actions_and_outcome(&mut actions).is_some() {
            position = variant.start();
        } else {
            position.play(actions[random.random_range(0..actions.len())]);
        }
    }
    n
}
