//! `gryphon bench`: that it measures, not how fast.

use serde_json::Value;
use tempfile::TempDir;

use crate::gryphon::{fail, gryphon, succeed, train};

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&succeed(gryphon(arguments))).unwrap()
}

#[track_caller]
fn check_rate(row: &Value, key: &str) {
    assert!(row[key].as_f64().is_some_and(|rate| rate > 0.0), "`{key}` in {row}");
}

#[test]
fn engines_are_measured_at_every_batch_size() {
    let command = "bench net --variant grant-acedrex --network 1x8 --batch 2,5 --workers 2 --seconds 1 \
                   --engine libtorch-fp32 --device cpu --json";
    let report = json(&command.split_whitespace().collect::<Vec<_>>());
    assert_eq!(report["variant"], "grant-acedrex");
    assert_eq!((&report["network"], &report["workers"]), (&"1x8".into(), &2.into()));
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| row["batch"].clone()).collect::<Vec<_>>(), [2, 5]);
    rows.iter().for_each(|row| check_rate(row, "positions_per_second"));
}

#[test]
fn self_play_is_measured_beside_its_engine() {
    let command = "bench selfplay --network 1x8 --batch 3 --workers 2 --seconds 3 --device cpu --json \
                   --engine libtorch-fp32 --set search.simulations=4 --set selfplay.groups=2";
    let report = json(&command.split_whitespace().collect::<Vec<_>>());
    assert_eq!(report["simulations"], 4);
    let row = &report["rows"][0];
    assert!(row["mean_batch"].as_f64().is_some_and(|mean| (1.0..=3.0).contains(&mean)), "{row}");
    let keys = ["engine_positions_per_second", "selfplay_positions_per_second", "ratio"];
    keys.iter().for_each(|key| check_rate(row, key));
}

#[test]
fn a_runs_newest_weights_can_be_measured() {
    let folder = TempDir::new().unwrap();
    let run = folder.path().join("run");
    let path = run.to_str().unwrap();
    succeed(train(&run, &["run.generations=1"]));
    let table = succeed(gryphon(&["bench", "net", path, "--batch", "1", "--seconds", "1"]));
    assert!(table.contains("1x8 on complicacious-simplified-limited"), "{table}");
    let message = fail(gryphon(&["bench", "net", path, "--network", "2x8"]), 2);
    assert!(message.contains("a run has its own"), "{message}");
    let message = fail(gryphon(&["bench", "net", "--engine", "torch"]), 2);
    assert!(message.contains("expected one of libtorch-fp32, "), "{message}");
    let message = fail(gryphon(&["bench", "net", "--network", "2x9"]), 2);
    assert!(message.contains("multiple of 8"), "{message}");
}
