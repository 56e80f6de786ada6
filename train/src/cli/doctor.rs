//! `gryphon doctor`.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::ExitStatus;
use crate::doctor::examine;

#[derive(Debug, Args)]
pub(super) struct DoctorArgs {
    /// Folder whose disk is looked at: where runs will be
    #[arg(long, default_value = ".")]
    folder: PathBuf,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &DoctorArgs) -> Result<ExitStatus> {
    let report = examine(&args.folder);
    let mut out = stdout().lock();
    if args.json {
        serde_json::to_writer_pretty(&mut out, &report)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{report}")?;
    }
    Ok(ExitStatus::Done)
}
