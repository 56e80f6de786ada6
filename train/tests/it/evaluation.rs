//! `gryphon eval` and `gryphon export`.

use serde_json::Value;
use tempfile::TempDir;

use crate::gryphon::{fail, gryphon, succeed, train};

#[test]
fn an_agent_is_measured_exported_and_measured_again() {
    let folder = TempDir::new().unwrap();
    let run = folder.path().join("run");
    succeed(train(&run, &["run.generations=1"]));
    let copy = folder.path().join("copy.safetensors");
    let [run, copy] = [&run, &copy].map(|path| path.to_str().unwrap());
    succeed(gryphon(&["export", run, "--output", copy]));
    let message = fail(gryphon(&["export", run, "--output", copy]), 2);
    assert!(message.contains("exists"), "{message}");

    let eval = |more: &[&str]| {
        let common = ["eval", copy, "--against", "random", "--games", "4", "--simulations", "4"];
        gryphon(&[&common[..], more].concat())
    };
    let json: Value = serde_json::from_str(&succeed(eval(&["--json"]))).unwrap();
    assert_eq!(json["games"], 4);
    assert_eq!(json["second"], "random");
    let score = json["score"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&score));
    assert!(json["estimate"]["elo"].as_f64().unwrap().is_finite());
    let again: Value = serde_json::from_str(&succeed(eval(&["--json"]))).unwrap();
    assert_eq!(json, again);

    succeed(eval(&["--min-score", &score.to_string()]));
    if score < 1.0 {
        fail(eval(&["--min-score", "1"]), 1);
    }
    fail(eval(&["--games", "3"]), 2);

    let before = std::fs::read(copy).unwrap();
    let message = fail(eval(&["--pgn", copy]), 2);
    assert!(message.contains("exists"), "{message}");
    assert!(std::fs::read(copy).unwrap() == before, "the agent was overwritten");
    let message = fail(eval(&["--pgn", "/no/such/folder/a.pgn"]), 2);
    assert!(message.contains("`/no/such/folder`"), "{message}");
    let pgn = folder.path().join("games.pgn");
    succeed(eval(&["--pgn", pgn.to_str().unwrap()]));
    let games = std::fs::read_to_string(&pgn).unwrap();
    assert_eq!(games.matches("[Variant ").count(), 4);
}
