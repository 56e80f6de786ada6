//! The command line: one file a subcommand.

mod perft;
mod status;

use std::path::Path;

use anyhow::Result;
use clap::{Parser, Subcommand};
use gryphon_env::Variant;

pub use status::{ExitStatus, report_error};

/// Self-play training for chess variants.
#[derive(Debug, Parser)]
#[command(name = "gryphon", version, about, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Count action sequences: the standard check of a rules engine
    Perft(perft::PerftArgs),
}

impl Cli {
    /// Runs the chosen subcommand.
    ///
    /// # Errors
    /// Whatever the subcommand could not do.
    pub fn run(self) -> Result<ExitStatus> {
        match self.command {
            Command::Perft(args) => perft::run(&args),
        }
    }
}

/// The variant that a command-line argument or a config names: a built-in name, or a file.
pub(crate) fn variant_argument(text: &str) -> Result<&'static Variant> {
    let path = Path::new(text);
    let is_path = path.extension().is_some() || path.components().count() > 1;
    if is_path {
        let content = fs_err::read_to_string(path)?;
        Ok(Variant::from_text(text, &content)?)
    } else {
        Ok(Variant::named(text)?)
    }
}
