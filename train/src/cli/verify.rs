//! `gryphon verify`.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use gryphon_env::{MaxLeaves, verify};

use super::{ExitStatus, variant_argument};
use crate::run_folder::read_text;

#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    /// Name of a variant, or path of a variant file
    variant: String,
    /// Golden positions: a JSON object a line with `fen`, `actions`, `check`, `outcome`, and maybe
    /// `perft` and `after`
    file: PathBuf,
    /// Counts of action sequences above this are not compared
    #[arg(long, default_value_t = 10_000_000)]
    max_leaves: u64,
}

pub(super) fn run(args: &VerifyArgs) -> Result<ExitStatus> {
    let variant = variant_argument(&args.variant)?;
    let report = verify(variant, &read_text(&args.file)?, MaxLeaves(args.max_leaves));
    writeln!(stdout().lock(), "{}", report.to_string().trim_end())?;
    Ok(if report.is_success() { ExitStatus::Done } else { ExitStatus::Negative })
}
