//! `gryphon variants`.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, Subcommand};
use gryphon_env::{Variant, check_report};

use super::{ExitStatus, variant_argument};
use crate::run_folder::read_text;

#[derive(Debug, Args)]
pub(super) struct VariantsArgs {
    #[command(subcommand)]
    action: Option<Action>,
}

const CHECK_EXIT_CODES: &str =
    "Exit codes: 0 the file has no mistakes; 1 it has some; 2 it cannot be read.";

#[derive(Debug, Subcommand)]
enum Action {
    /// List the built-in variants (the default)
    List,
    /// Print a variant's rules, start board and piece moves
    Show {
        /// Name of a variant, or path of a variant file
        variant: String,
    },
    /// Explain every mistake of a variant file, with its line and key
    #[command(after_help = CHECK_EXIT_CODES)]
    Check {
        /// The file
        file: PathBuf,
    },
}

pub(super) fn run(args: &VariantsArgs) -> Result<ExitStatus> {
    let mut out = stdout().lock();
    match &args.action {
        None | Some(Action::List) => list(&mut out)?,
        Some(Action::Show { variant }) => {
            writeln!(out, "{}", variant_argument(variant)?.rules_text().trim_end())?;
        }
        Some(Action::Check { file }) => return check(file, &mut out),
    }
    Ok(ExitStatus::Done)
}

fn list(out: &mut impl Write) -> Result<()> {
    for name in Variant::names() {
        let variant = Variant::named(name)?;
        let size = variant.size();
        writeln!(out, "{name:<34} {}×{}  {}", size.files(), size.ranks(), variant.title())?;
    }
    Ok(())
}

fn check(file: &Path, out: &mut impl Write) -> Result<ExitStatus> {
    let mistakes = Variant::mistakes(&file.display().to_string(), &read_text(file)?);
    writeln!(out, "{}", check_report(&file.display().to_string(), &mistakes).trim_end())?;
    Ok(if mistakes.is_empty() { ExitStatus::Done } else { ExitStatus::Negative })
}
