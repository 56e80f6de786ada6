use std::path::Path;

use proptest::prelude::*;

use super::*;

const QUICK: &str = include_str!("../../../configs/quick.toml");

fn quick_with(overrides: &[&str]) -> Result<RunConfig, ConfigError> {
    let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
    RunConfig::from_text("quick.toml", QUICK, &overrides)
}

/// The shipped config, whose values may be tuned, with those that the tests of errors replace.
fn known_text() -> String {
    quick_with(&[
        "search.simulations=16",
        "search.c_visit=50.0",
        "search.c_scale=1.0",
        "search.trees=kept",
        "search.cache_mib=16",
        "selfplay.workers=auto",
        "replay.window_start=30000",
        "replay.batch_size=256",
        "learner.ema_decay=0.99",
    ])
    .unwrap()
    .to_toml()
}

#[track_caller]
fn check_rejects(text: &str, message: &str) {
    let error = RunConfig::from_text("my.toml", text, &[]).unwrap_err().to_string();
    assert!(error.contains(message), "unexpected message:\n{error}");
}

#[track_caller]
fn check_override(text: &str, message: &str) {
    let error = quick_with(&[text]).unwrap_err().to_string();
    assert!(error.contains(message), "unexpected message:\n{error}");
}

fn shipped() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            files.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
        }
    }
    assert!(!files.is_empty());
    files
}

/// Keys of a file that have no comment line right above them.
fn uncommented(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_key = |line: &str| line.contains('=') && !line.starts_with('#');
    let has_comment = |i: usize| i > 0 && lines[i - 1].starts_with("# ");
    (0..lines.len()).filter(|&i| is_key(lines[i]) && !has_comment(i)).map(|i| lines[i]).collect()
}

#[test]
fn shipped_configs_parse_and_comment_every_key() {
    for (name, text) in shipped() {
        RunConfig::from_text(&name, &text, &[]).unwrap();
        assert_eq!(uncommented(&text), Vec::<&str>::new(), "keys without a comment in {name}");
    }
}

#[test]
fn a_missing_comment_is_seen() {
    assert_eq!(uncommented("[a]\n# text\nb = 1\nc = 2\n"), ["c = 2"]);
}

#[test]
fn errors_name_file_key_found_and_expected() {
    let known = known_text();
    let swap = |from: &str, to: &str| {
        assert!(known.contains(from), "`{from}` is not in the text");
        known.replacen(from, to, 1)
    };
    check_rejects("[run", "`my.toml` is not valid TOML: TOML parse error at line 1");
    check_rejects(
        &swap("simulations = 16", "simulatons = 16"),
        "`my.toml`: unknown key `search.simulatons`, did you mean `search.simulations`?",
    );
    check_rejects(
        &swap("c_visit = 50.0", "c_visit = 50.0\nbatch_size = 4"),
        "unknown key `search.batch_size`, did you mean `replay.batch_size`?",
    );
    check_rejects(&swap("[search]", "[serch]"), "unknown key `serch`, did you mean `search`?");
    check_rejects(
        &swap("c_visit = 50.0", "zzzzzzzzzzzzzzzz = 1"),
        "unknown key `search.zzzzzzzzzzzzzzzz`",
    );
    check_rejects(
        &swap("c_visit = 50.0\n", ""),
        "`my.toml`: missing key `search.c_visit`, expected a number of at least 0",
    );
    check_rejects(
        &swap("simulations = 16", "simulations = 0"),
        "`my.toml`: `search.simulations` is `0`, expected a whole number of at least 1",
    );
    check_rejects(&swap("ema_decay = 0.99", "ema_decay = 1.5"), "expected a number from 0 to 1");
    check_rejects(&swap("c_scale = 1.0", "c_scale = nan"), "`search.c_scale` is `nan`");
    check_rejects(
        &swap("workers = \"auto\"", "workers = \"all\""),
        "expected \"auto\" or a whole number",
    );
    check_rejects(
        &swap("window_start = 30000", "window_start = 100"),
        "`replay.batch_size` is `256`, expected at most `replay.window_start`, 100",
    );
    check_rejects(
        &swap("groups = 8", "groups = 1000000000"),
        "`selfplay.groups` is `1000000000`, expected at most 512",
    );
    check_rejects(&swap("games_per_group = 32", "games_per_group = 1000000"), "expected at most");
    check_rejects(
        &swap("simulations = 16", "simulations = 4000000000"),
        "`search.simulations` is `4000000000`, expected at most 2048",
    );
    check_rejects(
        &swap("cache_mib = 16", "cache_mib = 100000"),
        "`search.cache_mib` is `100000`, expected at most 2048",
    );
    check_rejects(
        &swap("trees = \"kept\"", "trees = \"old\""),
        "`search.trees` is `old`, expected \"kept\" or \"fresh\"",
    );
    check_rejects(
        &swap("workers = \"auto\"", "workers = 5000"),
        "`selfplay.workers` is `5000`, expected at most 1024",
    );
    check_rejects("run = 3", "`run` is `3`, expected a section `[run]`");
}

#[test]
fn overrides_replace_single_values() {
    let config = quick_with(&[
        "search.simulations=64",
        "run.variant=chess",
        "selfplay.workers = 3",
        "evaluation.opponents=[\"random\"]",
        "search.simulations=65",
    ])
    .unwrap();
    assert_eq!(config.search.simulations.get(), 65);
    assert_eq!(config.run.variant, VariantChoice::Named("chess".into()));
    assert_eq!(config.selfplay.workers.count().get(), 3);
    assert_eq!(config.evaluation.opponents.names(), ["random"]);
}

#[test]
fn override_errors_name_the_override() {
    check_override("search.simulations", "override `search.simulations`, expected `section.key=");
    check_override("simulations=3", "override `simulations=3`");
    check_override(
        "search.simulation=3",
        "`--set search.simulation=3`: unknown key `search.simulation`, did you mean",
    );
    check_override(
        "search.simulations=many",
        "`--set search.simulations=many`: `search.simulations` is `many`, expected a whole number",
    );
    check_override("run.seed=1\nb=2", "`run.seed` is `1\nb=2`");
}

#[test]
fn printed_config_is_commented_and_reads_back() {
    let config = quick_with(&[]).unwrap();
    let text = config.to_toml();
    assert_eq!(uncommented(&text), Vec::<&str>::new());
    assert_eq!(RunConfig::from_text("printed", &text, &[]).unwrap(), config);
}

#[test]
fn differences_tell_what_may_change() {
    let stored = quick_with(&[]).unwrap();
    assert!(stored.differences(&stored).is_empty());
    let given = quick_with(&["run.generations=99", "network.blocks=9"]).unwrap();
    let found: Vec<(String, bool)> =
        given.differences(&stored).iter().map(|d| (d.key.path(), d.is_allowed())).collect();
    assert_eq!(found, [("run.generations".into(), true), ("network.blocks".into(), false)]);
    assert_ne!(stored.hash(), given.hash());
}

#[test]
fn reference_page_is_current() {
    crate::generated_page::check("config.md", &reference_page());
}

proptest! {
    #[test]
    fn any_numbers_survive_printing(seed in 0..=i64::MAX, cap in 1u32.., rate in 1e-9f64..1e9, part in 0.0f64..=1.0) {
        let config = quick_with(&[
            &format!("run.seed={seed}"),
            &format!("selfplay.max_plies={cap}"),
            &format!("learner.learning_rate={rate:?}"),
            &format!("learner.ema_decay={part:?}"),
        ]).unwrap();
        prop_assert_eq!(config.learner.learning_rate.get(), rate);
        prop_assert_eq!(RunConfig::from_text("printed", &config.to_toml(), &[]).unwrap(), config);
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,80}") {
        let _ = RunConfig::from_text("x", &text, &[]);
        let _ = quick_with(&[&text]);
        let _ = quick_with(&[&format!("run.{text}")]);
    }
}
