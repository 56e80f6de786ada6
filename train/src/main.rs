//! The command `gryphon`.

use std::process::ExitCode;

use clap::Parser;
use gryphon_train::cli::{Cli, report_error};

fn main() -> ExitCode {
    match Cli::parse().run() {
        Ok(status) => status.into(),
        Err(error) => report_error(&error),
    }
}
