//! Full steps of reinforcement learning a second, one thread: play, planes, mask, outcome, automatic
//! reset and a random policy, for all ways to store observations.
//!
//! `cargo bench -p gryphon-env --bench batch -- [VARIANT]… [games=1024] [planes=u8|packed|f32]`
//!
//! Rates are per second of this thread's processor time, which other load on the machine disturbs
//! less than the wall clock; medians of several runs.

use gryphon_env::{
    AutoReset, Batch, BatchConfig, BatchEnv, ObservationFormat, Packed, RandomPolicy, RunSeed,
    Variant,
};

const N_RUNS: usize = 5;
/// Steps of one game in a run, and before the first: games must have come to differ.
const N_STEPS: usize = 400;
const N_WARM_UP: usize = 250;

/// Measures one variant with this many games.
type Run = fn(&'static Variant, usize) -> String;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let n_games = args.iter().find_map(|arg| arg.strip_prefix("games=")?.parse().ok());
    let n_games = n_games.unwrap_or(1024);
    let is_wanted = |name: &str| {
        let mut names = args.iter().filter(|arg| !arg.contains('=')).peekable();
        names.peek().is_none() || names.any(|wanted| name == wanted)
    };
    let formats: [(&str, Run); 3] =
        [("u8", rates::<u8>), ("packed", rates::<Packed>), ("f32", rates::<f32>)];
    let planes = args.iter().find_map(|arg| arg.strip_prefix("planes="));
    let formats = formats.iter().filter(|(name, _)| planes.is_none_or(|wanted| wanted == *name));
    println!("thousand steps/s, {n_games} games, one thread, median (least to most) of {N_RUNS}");
    let heads: String = formats.clone().map(|(name, _)| format!("{name:>22}")).collect();
    println!("{:34} {heads}", "variant");
    for name in Variant::names().into_iter().filter(|name| is_wanted(name)) {
        let variant = Variant::named(name).expect("a built-in variant");
        let rates: String =
            formats.clone().map(|(_, run)| format!("{:>22}", run(variant, n_games))).collect();
        println!("{name:34} {rates}");
    }
}

fn rates<F: ObservationFormat>(variant: &'static Variant, n_games: usize) -> String {
    let config = BatchConfig {
        n_games,
        n_threads: 1,
        auto_reset: AutoReset::SameStep,
        ply_cap: variant.max_plies(),
    };
    let mut env = BatchEnv::try_new(variant, config, RunSeed(1)).expect("a valid batch");
    let mut batch = Batch::<F>::new(&env);
    let mut policy = RandomPolicy::new(RunSeed(1));
    let mut actions = Vec::new();
    let mut advance = |n_steps| {
        for _ in 0..n_steps {
            policy.choose(&env, &mut actions).expect("games that go on");
            env.step(&actions, &mut batch).expect("legal actions");
        }
    };
    advance(N_WARM_UP);
    let mut rates: Vec<f64> = (0..N_RUNS)
        .map(|_| {
            let start = cpu_seconds();
            advance(N_STEPS);
            (n_games * N_STEPS) as f64 / (cpu_seconds() - start) / 1e3
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    format!("{:.0} ({:.0}-{:.0})", rates[N_RUNS / 2], rates[0], rates[N_RUNS - 1])
}

/// Processor time of this process in seconds, as Linux counts it.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("Linux with schedstat");
    let nanoseconds = text.split(' ').next().and_then(|field| field.parse::<f64>().ok());
    nanoseconds.expect("a number of nanoseconds") / 1e9
}
