//! `gryphon train`.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use gryphon_net::{DeviceChoice, set_single_threaded};

use super::{ExitStatus, stop_on_signal};
use crate::config::RunConfig;
use crate::progress::{self, Colors};
use crate::training::{Run, RunEnd};

#[derive(Debug, Args)]
pub(super) struct TrainArgs {
    /// The config, such as configs/quick.toml
    config: PathBuf,
    /// Folder of the run; the same folder again goes on with it [default: runs/ and the config's
    /// name]
    #[arg(long)]
    run: Option<PathBuf>,
    /// Replace one value of the config: `section.key=value`; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// Device of the network: auto, cpu or cuda
    #[arg(long, default_value = "auto")]
    device: DeviceChoice,
}

pub(super) fn run(args: &TrainArgs) -> Result<ExitStatus> {
    set_single_threaded();
    let config = RunConfig::from_file(&args.config, &args.overrides)?;
    let stop = stop_on_signal()?;
    let root = args.run.clone().unwrap_or_else(|| default_folder(&args.config));
    let mut progress = progress::for_stderr(Colors::from_environment());
    let mut run = Run::open(&root, config, args.device, progress.as_mut())?;
    let end = run.train(progress.as_mut(), &stop);
    progress.finish();
    let mut out = stdout().lock();
    match end? {
        RunEnd::Complete { evaluation } => {
            let agent = run.export(&evaluation)?;
            let agent = agent.display();
            let program = std::env::args().next().unwrap_or_else(|| "gryphon".to_owned());
            writeln!(out, "\nThe agent is `{agent}`. Play against it:\n")?;
            writeln!(out, "    {program} play {agent}")?;
        }
        RunEnd::Stopped { done } => {
            writeln!(out, "Stopped after generation {done}; the same command goes on.")?;
        }
    }
    Ok(ExitStatus::Done)
}

/// `runs/quick` for `configs/quick.toml`.
fn default_folder(config: &Path) -> PathBuf {
    Path::new("runs").join(config.file_stem().unwrap_or(config.as_os_str()))
}
