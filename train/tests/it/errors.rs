//! What a person reads who gives the binary something wrong.

use std::fs;

use gryphon_env::Variant;
use tempfile::TempDir;

use crate::gryphon::{fail, gryphon, succeed, train};

#[track_caller]
fn check_message(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in:\n{message}");
    }
}

#[test]
fn a_misspelt_key_is_named_with_the_right_one() {
    let folder = TempDir::new().unwrap();
    let config = folder.path().join("typo.toml");
    let text = fs::read_to_string(crate::gryphon::workspace().join("configs/quick.toml")).unwrap();
    fs::write(&config, text.replace("batch_size", "batchsize")).unwrap();
    let message = fail(gryphon(&["train", config.to_str().unwrap()]), 2);
    check_message(&message, &["typo.toml", "replay.batchsize", "did you mean `replay.batch_size`"]);
    assert!(!folder.path().join("runs").exists());
}

#[test]
fn a_damaged_checkpoint_is_named_and_the_one_before_is_used() {
    let folder = TempDir::new().unwrap();
    let run = folder.path().join("run");
    succeed(train(&run, &["run.generations=2"]));
    let newest = run.join("checkpoints/000001/weights.safetensors");
    let mut bytes = fs::read(&newest).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x40;
    fs::write(&newest, &bytes).unwrap();
    let message = succeed(train(&run, &["run.generations=2"]));
    check_message(
        &message,
        &["000001/weights.safetensors` is damaged: found blake3", "after generation 1 of 2"],
    );

    let oldest = run.join("checkpoints/000000/state.json");
    fs::write(&oldest, "{").unwrap();
    fs::write(run.join("checkpoints/000001/weights.safetensors"), &bytes[..100]).unwrap();
    let before = fs::read(run.join("agent.safetensors")).unwrap();
    let message = fail(train(&run, &["run.generations=3"]), 2);
    check_message(&message, &["none of the 2 checkpoints", "weights.safetensors", "100 bytes"]);
    assert_eq!(fs::read(&oldest).unwrap(), b"{");
    assert_eq!(fs::read(run.join("agent.safetensors")).unwrap(), before);
}

#[test]
fn an_agent_of_another_variant_is_refused() {
    let folder = TempDir::new().unwrap();
    let run = |name: &str, variant: &str| {
        let run = folder.path().join(name);
        let variant = format!("run.variant={variant}");
        succeed(train(&run, &["run.generations=1", &variant]));
        run.join("agent.safetensors").to_str().unwrap().to_owned()
    };
    let limited = run("limited", "complicacious-simplified-limited");
    let free = run("free", "complicacious-simplified");
    let message = fail(gryphon(&["eval", &limited, "--against", &free, "--games", "2"]), 2);
    check_message(
        &message,
        &[&free, "plays `complicacious-simplified`", "`complicacious-simplified-limited`"],
    );
    let message = fail(gryphon(&["eval", &limited, "--against", "nobody", "--games", "2"]), 2);
    check_message(&message, &["no agent file `nobody`", "`greedy`"]);

    let mut bytes = fs::read(&limited).unwrap();
    bytes.truncate(bytes.len() - 10);
    let torn = folder.path().join("torn.safetensors");
    fs::write(&torn, bytes).unwrap();
    let torn = torn.to_str().unwrap();
    for command in [vec!["play", torn], vec!["eval", torn, "--against", "random"]] {
        check_message(&fail(gryphon(&command), 2), &["torn.safetensors"]);
    }
}

#[test]
fn another_run_in_the_folder_is_left_alone() {
    let folder = TempDir::new().unwrap();
    let run = folder.path().join("run");
    succeed(train(&run, &["run.generations=1"]));
    let config = fs::read(run.join("config.toml")).unwrap();
    let message = fail(train(&run, &["network.channels=16"]), 2);
    check_message(&message, &["`network.channels = 8`", "`16`"]);
    let message = fail(train(&run, &["run.variant=complicacious-simplified"]), 2);
    check_message(&message, &["complicacious-simplified"]);
    assert_eq!(fs::read(run.join("config.toml")).unwrap(), config);
}

#[test]
fn unknown_variants_and_positions_are_explained() {
    let message = fail(gryphon(&["perft", "complicated", "2"]), 2);
    check_message(&message, &["unknown variant `complicated`", "complicacious-simplified"]);
    let fen = "4k3/8/8/8/8/8/8/4K2X w - - 0 1";
    let message = fail(gryphon(&["perft", "complicacious", "2", "--fen", fen]), 2);
    check_message(&message, &["FEN field `board`", "X"]);
    assert!(Variant::named("complicated").is_err());
}

#[test]
fn perft_counts_and_divides() {
    let text = succeed(gryphon(&["perft", "complicacious-simplified-limited", "3"]));
    check_message(&text, &["6732"]);
    let text = succeed(gryphon(&["perft", "complicacious", "2", "--divide"]));
    check_message(&text, &["a2a3 21", "441"]);
    for depth in ["-1", "21", "many"] {
        let message = fail(gryphon(&["perft", "chess", depth]), 2);
        check_message(&message, &[depth, "expected a whole number from 0 to 20"]);
    }
    let message = fail(gryphon(&["verify", "chess", "x.jsonl", "--max-leaves", "-1"]), 2);
    check_message(&message, &["'-1'", "expected a whole number from 0"]);
}

#[test]
fn golden_positions_and_variant_files_are_checked() {
    let variant = "complicacious-simplified-limited";
    let fixtures = format!("env/tests/fixtures/{variant}.jsonl");
    succeed(gryphon(&["verify", variant, &fixtures]));
    let message = fail(gryphon(&["verify", "complicacious-circular", &fixtures]), 1);
    check_message(&message, &["8 "]);
    fail(gryphon(&["verify", variant, "no-such-file.jsonl"]), 2);
    let folder = TempDir::new().unwrap();
    let positions = folder.path().join("bad.jsonl");
    fs::write(&positions, "\n{\"fen\": 3}\n").unwrap();
    let message = fail(gryphon(&["verify", variant, positions.to_str().unwrap()]), 2);
    check_message(
        &message,
        &["bad.jsonl`, line 2: key `fen`: found `3`, expected a FEN in quotes"],
    );
    fs::write(&positions, "\n").unwrap();
    let message = fail(gryphon(&["verify", variant, positions.to_str().unwrap()]), 2);
    check_message(&message, &["bad.jsonl` holds no golden positions"]);
    check_message(&succeed(gryphon(&["verify", "--help"])), &["Exit codes: 0 all positions agree"]);

    succeed(gryphon(&["variants", "check", "configs/variants/gardner.toml"]));
    let file = folder.path().join("bad.toml");
    fs::write(&file, "name = \"x\"\nfoo = 3\n").unwrap();
    let message = fail(gryphon(&["variants", "check", file.to_str().unwrap()]), 1);
    check_message(&message, &["bad.toml`, line 2, key `foo`: unknown key"]);
    check_message(&message, &["key `board`: missing", "key `piece`: missing"]);
    check_message(&succeed(gryphon(&["variants", "check", "--help"])), &["1 it has some"]);
    succeed(gryphon(&["variants", "show", "configs/variants/gardner.toml"]));
}
