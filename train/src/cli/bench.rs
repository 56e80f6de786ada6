//! `gryphon bench`.

use std::io::{Write, stdout};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::{Args, Subcommand};
use gryphon_net::{
    DeviceChoice, EngineKind, InferenceNet, NetError, NetShape, OpenVinoNet, PlayingNet, Precision,
    openvino_library, set_single_threaded,
};
use serde::Serialize;
use tch::Device;

use super::ExitStatus;
use crate::bench::{Subject, measure_engines, measure_self_play};
use crate::engines::{Positions, quantized_net};
use crate::players::available_threads;

#[derive(Debug, Args)]
pub(super) struct BenchArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Positions a second that an engine computes, alone
    Net(MeasureArgs),
    /// Positions a second that self-play has computed, and how much of the engine's speed that is
    Selfplay(MeasureArgs),
}

#[derive(Debug, Args)]
struct MeasureArgs {
    /// A config, or the folder of a run, whose newest weights are used then [default: configs/quick.toml
    /// with fresh weights]
    source: Option<PathBuf>,
    /// The game: a variant's name, or a variant file
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    /// Size of the network: blocks and channels
    #[arg(long, value_name = "BLOCKSxCHANNELS")]
    network: Option<NetShape>,
    /// Batch sizes, for self-play numbers of games a group [default: 8,16,32,64; for self-play the
    /// config's]
    #[arg(long, value_delimiter = ',', value_name = "SIZES", value_parser = batch_size)]
    batch: Vec<NonZeroUsize>,
    /// What computes the network: libtorch-fp32, libtorch-bf16, openvino-fp32, openvino-bf16 or
    /// openvino-int8 [default: all that this machine has]
    #[arg(long = "engine", value_delimiter = ',', value_name = "ENGINES")]
    engines: Vec<EngineKind>,
    /// Threads that compute at once [default: one a core]
    #[arg(long, value_parser = workers)]
    workers: Option<NonZeroUsize>,
    /// Seconds that the measurement takes, not counting its start
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// Replace one value of the config: `section.key=value`; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// Device of the network: auto, cpu or cuda
    #[arg(long, default_value = "auto")]
    device: DeviceChoice,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
}

fn batch_size(text: &str) -> Result<NonZeroUsize, String> {
    at_most(text, 4096)
}

fn workers(text: &str) -> Result<NonZeroUsize, String> {
    at_most(text, 1024)
}

fn at_most(text: &str, most: usize) -> Result<NonZeroUsize, String> {
    let found = text.parse::<NonZeroUsize>().ok().filter(|number| number.get() <= most);
    found.ok_or_else(|| format!("expected a whole number from 1 to {most}"))
}

pub(super) fn run(args: &BenchArgs) -> Result<ExitStatus> {
    set_single_threaded();
    match &args.what {
        What::Net(args) => {
            let bench = Bench::open(args)?;
            let sizes =
                [8, 16, 32, 64].map(|size| NonZeroUsize::new(size).unwrap_or(NonZeroUsize::MIN));
            let sizes = if args.batch.is_empty() { &sizes[..] } else { &args.batch };
            let Bench { subject, nets, workers, time } = &bench;
            print(args, &measure_engines(subject, nets, sizes, *workers, *time)?)
        }
        What::Selfplay(args) => {
            let bench = Bench::open(args)?;
            let Bench { subject, nets, workers, time } = &bench;
            let games = [subject.config.selfplay.games_per_group];
            let games = if args.batch.is_empty() { &games[..] } else { &args.batch };
            print(args, &measure_self_play(subject, nets, games, *workers, *time)?)
        }
    }
}

/// What the arguments ask for.
struct Bench {
    subject: Subject,
    nets: Vec<PlayingNet>,
    workers: NonZeroUsize,
    time: Duration,
}

impl Bench {
    fn open(args: &MeasureArgs) -> Result<Self> {
        let subject = subject(args)?;
        let device = args.device.resolve()?;
        let workers = args.workers.unwrap_or_else(available_threads);
        let engines =
            if args.engines.is_empty() { available(device) } else { args.engines.clone() };
        let net = |kind: &EngineKind| playing_net(&subject, *kind, device, workers);
        let nets = engines.iter().map(net).collect::<Result<_, _>>()?;
        Ok(Self { subject, nets, workers, time: Duration::from_secs(args.seconds) })
    }
}

/// The engines that compute on `device` and are worth their time here.
fn available(device: Device) -> Vec<EngineKind> {
    let has_openvino = device == Device::Cpu && openvino_library().is_ok();
    let has_bf16 = Precision::fastest(device) == Precision::Bf16;
    let is_available = |kind: &EngineKind| match kind {
        EngineKind::Libtorch(precision) => *precision == Precision::F32 || has_bf16,
        EngineKind::OpenVino(precision) => {
            has_openvino && (*precision == Precision::F32 || has_bf16)
        }
        EngineKind::OpenVinoInt8 => has_openvino,
    };
    EngineKind::ALL.into_iter().filter(is_available).collect()
}

fn playing_net(
    subject: &Subject,
    kind: EngineKind,
    device: Device,
    workers: NonZeroUsize,
) -> Result<PlayingNet, NetError> {
    let (network, workers) = (&subject.network, workers.get());
    Ok(match kind {
        EngineKind::Libtorch(precision) => InferenceNet::new(network, device, precision)?.into(),
        EngineKind::OpenVino(precision) => OpenVinoNet::new(network, precision, workers)?.into(),
        // How fast it is does not depend on whether it is accurate enough to be used.
        EngineKind::OpenVinoInt8 => {
            let positions = Positions::random(subject.variant(), subject.config.run.seed);
            quantized_net(network, workers, &positions)?.0.into()
        }
    })
}

fn subject(args: &MeasureArgs) -> Result<Subject> {
    let mut overrides = args.overrides.clone();
    if let Some(variant) = &args.variant {
        overrides.push(format!("run.variant={variant}"));
    }
    if let Some(shape) = args.network {
        overrides.push(format!("network.blocks={}", shape.blocks()));
        overrides.push(format!("network.channels={}", shape.channels()));
    }
    match &args.source {
        None => Ok(Subject::shipped(&overrides)?),
        Some(path) if path.is_dir() => {
            if args.variant.is_some() || args.network.is_some() {
                bail!("`--variant` and `--network` go with a config; a run has its own");
            }
            let subject = Subject::of_run(path, &overrides);
            Ok(subject.with_context(|| format!("run `{}`", path.display()))?)
        }
        Some(path) => Ok(Subject::of_config(path, &overrides)?),
    }
}

fn print(args: &MeasureArgs, report: &(impl Serialize + std::fmt::Display)) -> Result<ExitStatus> {
    let mut out = stdout().lock();
    if args.json {
        serde_json::to_writer_pretty(&mut out, report)?;
        writeln!(out)?;
    } else {
        write!(out, "{report}")?;
    }
    Ok(ExitStatus::Done)
}
