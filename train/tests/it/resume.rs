//! A run that is stopped, killed or moved to other numbers of threads is the same run.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use gryphon_env::{RunSeed, Stream, Variant};
use gryphon_net::openvino_library;
use gryphon_train::replay::{GameRecord, ReplayStore};
use rand::RngExt;
use tempfile::TempDir;

use crate::gryphon::{succeed, train};

/// The stored games of a run.
fn games(run: &Path) -> BTreeMap<(u32, u64), GameRecord> {
    let variant = Variant::named("complicacious-simplified-limited").unwrap();
    let (store, recovery) = ReplayStore::open(&run.join("shards"), variant.hash()).unwrap();
    assert!(recovery.damage.is_empty(), "{recovery}");
    let shards = store.records().map(|shard| shard.unwrap());
    shards
        .flat_map(|(records, damage)| {
            assert!(damage.is_empty());
            records
        })
        .map(|record| ((record.id.generation, record.id.number), record))
        .collect()
}

fn agent(run: &Path) -> Vec<u8> {
    std::fs::read(run.join("agent.safetensors")).unwrap()
}

/// Runs with `overrides` in one go with one worker, and in three with two; both must be the same.
#[track_caller]
fn check_threads_and_stops(overrides: &[&str]) {
    let folder = TempDir::new().unwrap();
    let [straight, stopped] = ["straight", "stopped"].map(|name| folder.path().join(name));
    let go = |run: &Path, more: &[&str]| {
        succeed(train(run, &[overrides, more].concat()));
    };
    go(&straight, &["selfplay.workers=1"]);
    go(&stopped, &["selfplay.workers=2", "run.generations=1"]);
    go(&stopped, &["selfplay.workers=2", "run.generations=3"]);
    go(&stopped, &["selfplay.workers=2"]);
    assert!(games(&straight).len() > 4);
    assert_eq!(games(&straight), games(&stopped));
    assert!(agent(&straight) == agent(&stopped), "the agents differ");
}

#[test]
fn threads_and_stops_do_not_change_a_run() {
    check_threads_and_stops(&["selfplay.backend=libtorch"]);
}

#[test]
fn threads_and_stops_do_not_change_a_run_on_openvino() {
    if let Err(error) = openvino_library() {
        let is_required = std::env::var_os("GRYPHON_REQUIRE_OPENVINO").is_some();
        assert!(!is_required, "{error}");
        eprintln!("SKIPPED: {error}");
        return;
    }
    // Long generations, so that the last ones test their engine on positions of the window.
    check_threads_and_stops(&["selfplay.backend=openvino", "selfplay.rounds_per_generation=50"]);
}

#[test]
fn kills_at_random_moments_lose_no_finished_game_and_change_nothing() {
    let folder = TempDir::new().unwrap();
    let [straight, killed] = ["straight", "killed"].map(|name| folder.path().join(name));
    succeed(train(&straight, &[]));
    let expected = games(&straight);
    let mut rng = RunSeed(20).stream(Stream::Playout(0));
    for _ in 0..6 {
        let mut child =
            train(&killed, &[]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(rng.random_range(100..1500)));
        child.kill().unwrap();
        child.wait().unwrap();
        if killed.join("shards").exists() {
            for (id, record) in games(&killed) {
                assert_eq!(expected.get(&id), Some(&record), "game {id:?}");
            }
        }
    }
    succeed(train(&killed, &[]));
    assert_eq!(expected, games(&killed));
    assert!(agent(&straight) == agent(&killed), "the agents differ");
}
