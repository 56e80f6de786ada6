//! Running the real binary.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Overrides of `configs/quick.toml` that make a run of seconds: a tiny network, few games.
pub(crate) const TINY: &[&str] = &[
    "run.generations=4",
    "network.blocks=1",
    "network.channels=8",
    "search.simulations=4",
    "search.trees=kept",
    "search.cache_mib=1",
    "selfplay.groups=2",
    "selfplay.games_per_group=6",
    "selfplay.rounds_per_generation=12",
    "selfplay.max_plies=40",
    "selfplay.workers=2",
    "selfplay.backend=libtorch",
    "replay.window_start=200",
    "replay.batch_size=16",
    "learner.warmup_steps=4",
    "evaluation.every=100",
    "evaluation.final_games=2",
    "evaluation.simulations=2",
    "checkpoints.keep=2",
];

/// The workspace's root.
pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// `gryphon` with `arguments`, not started yet.
pub(crate) fn gryphon(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gryphon"));
    command.args(arguments).current_dir(workspace()).env("NO_COLOR", "1");
    command
}

/// A tiny training run in `folder`, with more overrides.
pub(crate) fn train(folder: &Path, overrides: &[&str]) -> Command {
    let mut command = gryphon(&["train", "configs/quick.toml", "--device", "cpu", "--run"]);
    command.arg(folder);
    for text in TINY.iter().chain(overrides) {
        command.args(["--set", text]);
    }
    command
}

/// Runs to the end, which must be a success; what it printed.
#[track_caller]
pub(crate) fn succeed(mut command: Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}:\n{}", text(&output));
    text(&output)
}

/// Runs to the end, which must be exit code `code`; what it printed.
#[track_caller]
pub(crate) fn fail(mut command: Command, code: i32) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{command:?}:\n{}", text(&output));
    text(&output)
}

fn text(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    format!("{out}{err}")
}
