//! Every metric of the registry is written.

use std::collections::BTreeMap;
use std::path::Path;

use gryphon_net::openvino_library;
use gryphon_train::metrics::{METRICS, Metric};
use serde_json::Value;
use tempfile::TempDir;

use crate::gryphon::{succeed, train};

/// Metrics of networks with 8-bit numbers.
const INT8: &[Metric] = &[Metric::EnginePolicyKl, Metric::EngineValueError];
const SHARES: &[Metric] =
    &[Metric::BatchFill, Metric::CacheHits, Metric::TopAction, Metric::TrainingShare];

/// The last value of every metric of a run, by name.
fn newest(run: &Path) -> BTreeMap<String, Value> {
    let text = std::fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    let lines =
        text.lines().map(|line| serde_json::from_str::<BTreeMap<String, Value>>(line).unwrap());
    lines.flatten().collect()
}

fn number(found: &BTreeMap<String, Value>, metric: Metric) -> f64 {
    let name = metric.info().name;
    found.get(name).and_then(Value::as_f64).unwrap_or_else(|| panic!("no `{name}` in {found:?}"))
}

/// Trains with `overrides`; all metrics but those of `absent` must be there, and these must not.
#[track_caller]
fn check_metrics(overrides: &[&str], absent: &[Metric]) -> BTreeMap<String, Value> {
    let folder = TempDir::new().unwrap();
    succeed(train(folder.path(), overrides));
    let found = newest(folder.path());
    for info in METRICS {
        let is_it = |key: &String| match info.name.strip_suffix("_vs") {
            Some(_) => key.starts_with(&format!("{}_", info.name)),
            None => key == info.name,
        };
        let is_wanted = !absent.contains(&info.metric);
        assert_eq!(found.keys().any(is_it), is_wanted, "`{}` in {found:#?}", info.name);
    }
    found
}

#[test]
fn a_run_writes_every_metric() {
    let absent = [INT8, &[Metric::Warning]].concat();
    // A search that begins anew asks again what the one before it asked.
    let found = check_metrics(&["selfplay.backend=libtorch", "search.trees=fresh"], &absent);
    for &metric in SHARES {
        let share = number(&found, metric);
        assert!(share > 0.0 && share <= 1.0, "{metric:?} {share}");
    }
    // Six games a batch, so at least one evaluation for six places. A position needs fewer evaluations
    // than its four simulations and the root.
    assert!(number(&found, Metric::BatchFill) >= 1.0 / 6.0);
    let [evaluations, positions] = [Metric::EvaluationsPerSecond, Metric::PositionsPerSecond]
        .map(|metric| number(&found, metric));
    assert!(evaluations > 0.0 && evaluations <= 5.0 * positions, "{evaluations} {positions}");
    assert!(number(&found, Metric::PolicySurprise) > 0.0);
    // Games are learned from in the generations after theirs; the last is the fourth.
    let age = number(&found, Metric::SampleAge);
    assert!((1.0..=3.0).contains(&age), "{age}");
    let bytes = number(&found, Metric::BytesPerPosition);
    assert!((2.0..1000.0).contains(&bytes), "{bytes}");
    assert!(number(&found, Metric::ResidentBytes) > 1e7);
}

#[test]
fn a_run_without_a_cache_has_no_share_of_hits() {
    let absent = [INT8, &[Metric::Warning, Metric::CacheHits]].concat();
    check_metrics(&["selfplay.backend=libtorch", "search.cache_mib=0"], &absent);
}

#[test]
fn a_run_on_openvino_writes_how_close_8_bit_numbers_are() {
    if let Err(error) = openvino_library() {
        let is_required = std::env::var_os("GRYPHON_REQUIRE_OPENVINO").is_some();
        assert!(!is_required, "{error}");
        eprintln!("SKIPPED: {error}");
        return;
    }
    let found = check_metrics(&["selfplay.backend=openvino"], &[Metric::Warning]);
    for &metric in INT8 {
        assert!(number(&found, metric) > 0.0);
    }
}
