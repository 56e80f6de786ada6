//! `gryphon play`.

use std::io::{IsTerminal, stdin, stdout};
use std::num::NonZeroU32;
use std::path::Path;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use gryphon_env::{Color, Position};
use gryphon_net::{DeviceChoice, set_single_threaded};
use gryphon_play::{BoardStyle, Glyphs, Paint, PlayerSpec, TerminalGame, play_in_terminal};

use super::{ExitStatus, variant_argument};
use crate::config::TreeUse;
use crate::players::{OpenedAgent, PlayerNeeds, available_threads, open_player};

#[derive(Debug, Args)]
pub(super) struct PlayArgs {
    /// Your opponent: an agent file, or `random`, `greedy`, `alphabeta:nodes=1000`,
    /// `alphabeta:depth=3`
    opponent: PlayerSpec,
    /// Name of a variant, or path of a variant file; an agent brings its own
    #[arg(long)]
    variant: Option<String>,
    /// Your side
    #[arg(long, value_enum, default_value_t = Side::White)]
    side: Side,
    /// Leaf expansions for each action of the agent
    #[arg(long, default_value = "200", value_parser = super::simulations, allow_negative_numbers = true)]
    simulations: NonZeroU32,
    /// Position to start from, instead of the variant's own
    #[arg(long)]
    fen: Option<String>,
    /// Draw pieces as letters only
    #[arg(long)]
    ascii: bool,
    /// Seed of the opponent's choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Device of the network: auto, cpu or cuda
    #[arg(long, default_value = "auto")]
    device: DeviceChoice,
}

#[derive(Copy, Clone, Debug, ValueEnum)]
enum Side {
    White,
    Black,
}

pub(super) fn run(args: &PlayArgs) -> Result<ExitStatus> {
    set_single_threaded();
    let variant = match (&args.variant, &args.opponent) {
        (Some(text), _) => variant_argument(text)?,
        (None, PlayerSpec::Agent(spec)) if spec.path.is_file() => agent_variant(&spec.path, args)?,
        (None, PlayerSpec::Agent(spec)) => bail!("no agent file `{}`", spec.path.display()),
        (None, spec) => bail!("`{spec}` plays any variant: choose one with `--variant NAME`"),
    };
    let needs = PlayerNeeds {
        variant,
        simulations: args.simulations,
        threads: available_threads(),
        trees: TreeUse::Kept,
        device: args.device,
    };
    let mut opponent = open_player(&args.opponent, needs)?;
    let start = match &args.fen {
        Some(fen) => Position::from_fen(variant, fen)?,
        None => variant.start(),
    };
    let person = match args.side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    };
    let paint = Paint::choose(stdout().is_terminal(), std::env::var_os("NO_COLOR").as_deref());
    let glyphs = if args.ascii { Glyphs::Letters } else { Glyphs::Unicode };
    let seed = gryphon_env::RunSeed(args.seed);
    let setup = TerminalGame { start, person, style: BoardStyle { glyphs, paint }, seed };
    play_in_terminal(&setup, opponent.as_mut(), &mut stdin().lock(), &mut stdout().lock())?;
    Ok(ExitStatus::Done)
}

fn agent_variant(path: &Path, args: &PlayArgs) -> Result<&'static gryphon_env::Variant> {
    Ok(OpenedAgent::open(path, args.device)?.agent.variant())
}
