//! `gryphon export`.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use super::ExitStatus;
use crate::checkpoint::Checkpoint;
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
    let checkpoint = open_checkpoint(&args.run)?;
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

fn open_checkpoint(path: &Path) -> Result<Checkpoint> {
    if path.join("state.json").is_file() {
        return Ok(Checkpoint::open(path)?);
    }
    if !path.join("latest").is_file() {
        bail!("`{}` is neither a run with a checkpoint nor a checkpoint", path.display());
    }
    Ok(Checkpoint::open_newest(path)?)
}
