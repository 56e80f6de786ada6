//! `gryphon variants`.

use std::io::{Write, stdout};

use anyhow::Result;
use clap::{Args, Subcommand};
use gryphon_env::Variant;

use super::{ExitStatus, variant_argument};

#[derive(Debug, Args)]
pub(super) struct VariantsArgs {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the built-in variants (the default)
    List,
    /// Print a variant's start position and its pieces
    Show {
        /// Name of a variant, or path of a variant file
        variant: String,
    },
}

pub(super) fn run(args: &VariantsArgs) -> Result<ExitStatus> {
    let mut out = stdout().lock();
    match &args.action {
        None | Some(Action::List) => list(&mut out)?,
        Some(Action::Show { variant }) => show(variant_argument(variant)?, &mut out)?,
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

fn show(variant: &'static Variant, out: &mut impl Write) -> Result<()> {
    let start = variant.start();
    writeln!(out, "{}: {}\n", variant.name(), variant.title())?;
    writeln!(out, "{}\n", start.board_text().trim_end())?;
    writeln!(out, "FEN     {}", start.fen())?;
    writeln!(out, "actions {} indices", variant.action_space().len())?;
    writeln!(out, "planes  {}\n", variant.observation().n_planes())?;
    for kind in variant.kinds() {
        let (letter, name, betza) =
            (variant.letter(kind), variant.kind_name(kind), variant.betza(kind));
        write!(out, "{letter}  {name:<12} {betza:<16}")?;
        let next = variant.changes_to(kind);
        if next != kind {
            write!(out, " becomes {} when it moves", variant.kind_name(next))?;
        }
        if let Some(limit) = variant.limit(kind) {
            write!(out, " (at most {limit})")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
