//! `gryphon export`.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use clap::Args;

use super::ExitStatus;
use crate::checkpoint::Checkpoint;
use crate::run_folder::read_text;
use crate::training::load_agent;

#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// The folder of a run, or of one of its checkpoints
    run: PathBuf,
    /// The agent file to write
    #[arg(long, short, default_value = "agent.safetensors")]
    output: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &ExportArgs) -> Result<ExitStatus> {
    if args.output.exists() && !args.force {
        bail!(
            "`{}` exists; choose another name, or replace it with `--force`",
            args.output.display()
        );
    }
    let checkpoint = Checkpoint::open(&checkpoint_folder(args)?)?;
    let agent = load_agent(&checkpoint)?;
    agent.save(&args.output)?;
    let (variant, origin) = (agent.variant().name(), agent.origin);
    writeln!(
        stdout().lock(),
        "`{}`: an agent for {variant}, from generation {} ({} steps)",
        args.output.display(),
        origin.checkpoint,
        origin.step
    )?;
    Ok(ExitStatus::Done)
}

fn checkpoint_folder(args: &ExportArgs) -> Result<PathBuf> {
    if args.run.join("state.json").is_file() {
        return Ok(args.run.clone());
    }
    let latest = read_text(&args.run.join("latest")).with_context(|| {
        format!("`{}` is neither a run with a checkpoint nor a checkpoint", args.run.display())
    })?;
    Ok(args.run.join("checkpoints").join(latest.trim()))
}
