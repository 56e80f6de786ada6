//! `gryphon verify`.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use gryphon_env::{MaxLeaves, verify};

use super::{ExitStatus, variant_argument};
use crate::run_folder::read_text;

const EXIT_CODES: &str = "Exit codes: 0 all positions agree; 1 some differ; 2 the file cannot be read, \
    holds no positions, or has a line that is no golden position.";

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(super) struct VerifyArgs {
    /// Name of a variant, or path of a variant file
    variant: String,
    /// Golden positions: a JSON object a line with `fen`, `actions`, `check`, `outcome`, and maybe
    /// `perft` and `after`
    file: PathBuf,
    /// Counts of action sequences above this, and those behind them, are not compared
    #[arg(long, default_value = "10000000", value_parser = leaves, allow_negative_numbers = true)]
    max_leaves: u64,
}

fn leaves(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

pub(super) fn run(args: &VerifyArgs) -> Result<ExitStatus> {
    let variant = variant_argument(&args.variant)?;
    let (name, text) = (args.file.display().to_string(), read_text(&args.file)?);
    let report = verify(variant, &name, &text, MaxLeaves(args.max_leaves))?;
    writeln!(stdout().lock(), "{}", report.to_string().trim_end())?;
    Ok(if report.is_success() { ExitStatus::Done } else { ExitStatus::Negative })
}
