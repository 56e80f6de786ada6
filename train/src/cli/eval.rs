//! `gryphon eval`.

use std::io::{IsTerminal, Write, stderr, stdout};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use gryphon_env::{PlyCap, RunSeed};
use gryphon_net::{DeviceChoice, set_single_threaded};
use gryphon_play::PlayerSpec;

use super::{ExitStatus, stop_on_signal};
use crate::arena::{self, MatchConfig, MatchReport, OpeningPlies, concurrency, play_match};
use crate::config::TreeUse;
use crate::players::{OpenedAgent, PlayerNeeds, available_threads, open_player, playing_search};
use crate::run_folder::write_bytes;

#[derive(Debug, Args)]
pub(super) struct EvalArgs {
    /// The agent file to measure
    agent: PathBuf,
    /// Its opponent: `random`, `greedy`, `alphabeta:nodes=1000`, `alphabeta:depth=3`, or another
    /// agent file
    #[arg(long)]
    against: PlayerSpec,
    /// Games, half with each color
    #[arg(long, default_value = "200", value_parser = even_games, allow_negative_numbers = true)]
    games: NonZeroU32,
    /// Leaf expansions for each action
    #[arg(long, default_value = "32", value_parser = super::simulations, allow_negative_numbers = true)]
    simulations: NonZeroU32,
    /// Seed of openings and of all choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Plies after which a game counts as a draw [default: the variant's own]
    #[arg(long)]
    max_plies: Option<NonZeroU32>,
    /// Device of the network: auto, cpu or cuda
    #[arg(long, default_value = "auto")]
    device: DeviceChoice,
    /// Exit with code 1 if the score is below this, from 0 to 1
    #[arg(long, value_parser = score, allow_negative_numbers = true)]
    min_score: Option<f64>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Write the games to this new file, as PGN
    #[arg(long)]
    pgn: Option<PathBuf>,
}

fn even_games(text: &str) -> Result<NonZeroU32, String> {
    match text.parse::<NonZeroU32>() {
        Ok(games) if games.get() % 2 == 0 => Ok(games),
        _ => Err("expected an even number of at least 2: every opening is played twice".into()),
    }
}

fn score(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(score) if (0.0..=1.0).contains(&score) => Ok(score),
        _ => Err("expected a number from 0 to 1".into()),
    }
}

pub(super) fn run(args: &EvalArgs) -> Result<ExitStatus> {
    set_single_threaded();
    if let Some(path) = &args.pgn {
        check_new_file(path)?;
    }
    let stop = stop_on_signal()?;
    let report = play(args, &stop)?;
    let mut out = stdout().lock();
    if args.json {
        serde_json::to_writer_pretty(&mut out, &report.summary)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{}", report.summary)?;
    }
    if let Some(path) = &args.pgn {
        let texts: Vec<String> =
            report.games.iter().map(|game| arena::pgn(&report.summary, game)).collect();
        write_bytes(path, texts.join("\n").as_bytes())?;
    }
    if report.summary.stopped {
        return Ok(ExitStatus::Interrupted);
    }
    let is_enough = match (args.min_score, report.summary.score) {
        (Some(wanted), Some(score)) => score >= wanted,
        (Some(_), None) => false,
        (None, _) => true,
    };
    Ok(if is_enough { ExitStatus::Done } else { ExitStatus::Negative })
}

/// Finds out before hours of games, not after them, that their file cannot be written.
fn check_new_file(path: &Path) -> Result<()> {
    if path.exists() {
        bail!("`{}` exists; choose another name for `--pgn`", path.display());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!("`--pgn`: there is no folder `{}`", folder.display());
    }
    Ok(())
}

fn play(args: &EvalArgs, stop: &Arc<AtomicBool>) -> Result<MatchReport> {
    let opened = OpenedAgent::open(&args.agent, args.device)?;
    let variant = opened.agent.variant();
    let needs = PlayerNeeds {
        variant,
        simulations: args.simulations,
        threads: available_threads(),
        trees: TreeUse::Fresh,
        device: args.device,
    };
    let mut first = opened.player(playing_search(args.simulations), needs.threads)?;
    let mut second = open_player(&args.against, needs)?;
    let config = MatchConfig {
        pairs: NonZeroU32::new(args.games.get() / 2).context("an even number of games")?,
        opening: OpeningPlies::SHORT,
        ply_cap: args.max_plies.map_or_else(|| variant.max_plies(), PlyCap),
        seed: RunSeed(args.seed),
        concurrency: concurrency(args.simulations),
    };
    let shows_progress = stderr().is_terminal() && !args.json;
    let mut on_progress = |progress: &arena::Progress| {
        if shows_progress {
            let tally = progress.tally;
            let _ = write!(
                stderr(),
                "\r{} of {} games: {} won, {} drawn, {} lost ",
                tally.n_games(),
                progress.total,
                tally.wins,
                tally.draws,
                tally.losses
            );
        }
    };
    let (first, second) = (first.as_mut(), second.as_mut());
    let report = play_match(variant, first, second, config, &mut on_progress, stop)?;
    if shows_progress {
        let _ = writeln!(stderr());
    }
    Ok(report)
}
