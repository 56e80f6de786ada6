//! The command line: one file a subcommand.

mod bench;
mod doctor;
mod eval;
mod export;
mod perft;
mod play;
mod status;
mod train;
mod variants;
mod verify;

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use clap::{Parser, Subcommand};
use gryphon_env::Variant;
use gryphon_play::PlayerSpec;

pub use status::{ExitStatus, report_error};

/// Self-play training for chess variants.
#[derive(Debug, Parser)]
#[command(name = "gryphon", version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Train an agent: self-play, learning, evaluation; goes on where it was
    Train(train::TrainArgs),
    /// Measure an agent against an opponent: paired games, Elo with a 95 % interval
    Eval(eval::EvalArgs),
    /// Write the agent of a run's newest checkpoint to a file
    Export(export::ExportArgs),
    /// Play against an agent, or any other opponent, in the terminal
    Play(play::PlayArgs),
    /// Count action sequences: the standard check of a rules engine
    Perft(perft::PerftArgs),
    /// List the variants, show one's rules, or check a variant file
    Variants(variants::VariantsArgs),
    /// Compare a variant's rules with a file of golden positions
    Verify(verify::VerifyArgs),
    /// Measure how fast networks are computed, alone and in self-play
    Bench(bench::BenchArgs),
    /// Say what this machine offers for training, and what is missing
    Doctor(doctor::DoctorArgs),
}

impl Cli {
    /// Runs the chosen subcommand.
    ///
    /// # Errors
    /// Whatever the subcommand could not do.
    pub fn run(self) -> Result<ExitStatus> {
        match self.command {
            Command::Train(args) => train::run(&args),
            Command::Eval(args) => eval::run(&args),
            Command::Export(args) => export::run(&args),
            Command::Verify(args) => verify::run(&args),
            Command::Variants(args) => variants::run(&args),
            Command::Bench(args) => bench::run(&args),
            Command::Doctor(args) => doctor::run(&args),
            Command::Play(args) => play::run(&args),
            Command::Perft(args) => perft::run(&args),
        }
    }
}

/// The variant that a command-line argument or a config names: a built-in name, or a file.
pub(crate) fn variant_argument(text: &str) -> Result<&'static Variant> {
    let path = Path::new(text);
    let is_path = path.extension().is_some() || path.components().count() > 1 || path.is_file();
    if is_path {
        let content = fs_err::read_to_string(path)?;
        Ok(Variant::from_text(text, &content)?)
    } else {
        Ok(Variant::named(text)?)
    }
}

/// A flag that the first Ctrl-C (or termination signal) raises; the second ends the process at once.
pub(crate) fn stop_on_signal() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            status::abort();
        }
    })?;
    Ok(stop)
}

/// A number of simulations whose trees fit into memory.
pub(crate) fn simulations(text: &str) -> Result<NonZeroU32, String> {
    let most = PlayerSpec::MAX_SIMULATIONS;
    let found = text.parse::<NonZeroU32>().ok().filter(|number| number.get() <= most);
    found.ok_or_else(|| format!("expected a whole number from 1 to {most}"))
}
