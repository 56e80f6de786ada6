//! `gryphon perft`.

use std::io::{Write, stderr, stdout};
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use gryphon_env::{Actor, Position};

use super::{ExitStatus, variant_argument};

#[derive(Debug, Args)]
pub(super) struct PerftArgs {
    /// Name of a variant, or path of a variant file
    variant: String,
    /// Length of the action sequences, in plies, from 0 to 20
    #[arg(value_parser = depth, allow_negative_numbers = true)]
    depth: u32,
    /// Position to start from, instead of the variant's own
    #[arg(long)]
    fen: Option<String>,
    /// Print the count behind every first action
    #[arg(long)]
    divide: bool,
}

/// Deeper counts do not fit 64 bits in most variants.
const MAX_DEPTH: u32 = 20;

fn depth(text: &str) -> Result<u32, String> {
    let depth = text.parse().ok().filter(|depth| *depth <= MAX_DEPTH);
    depth.ok_or_else(|| format!("expected a whole number from 0 to {MAX_DEPTH}"))
}

pub(super) fn run(args: &PerftArgs) -> Result<ExitStatus> {
    let variant = variant_argument(&args.variant)?;
    let position = match &args.fen {
        Some(fen) => Position::from_fen(variant, fen)?,
        None => variant.start(),
    };
    let mut out = stdout().lock();
    let start = Instant::now();
    let nodes = match args.depth.checked_sub(1) {
        Some(rest) if args.divide => divide(&position, rest, &mut out)?,
        _ => position.perft(args.depth),
    };
    let seconds = start.elapsed().as_secs_f64();
    writeln!(out, "{nodes}")?;
    let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
    // Only talk: a closed standard error stream is no failure.
    let _ = writeln!(stderr(), "{seconds:.2} s, {speed:.1} M nodes/s");
    Ok(ExitStatus::Done)
}

fn divide(position: &Position, depth: u32, out: &mut impl Write) -> Result<u64> {
    let mut actions = Vec::new();
    if position.actor() == Actor::Chance {
        let mut outcomes = Vec::new();
        position.chance_outcomes(&mut outcomes);
        actions.extend(outcomes.iter().map(|outcome| outcome.action));
    } else {
        position.legal_actions(&mut actions);
    }
    let mut lines: Vec<(String, u64)> = actions
        .iter()
        .map(|&action| {
            let mut next = position.clone();
            next.play(action);
            (position.variant().action_text(action), next.perft(depth))
        })
        .collect();
    lines.sort();
    for (action, nodes) in &lines {
        writeln!(out, "{action} {nodes}")?;
    }
    Ok(lines.iter().map(|(_, nodes)| nodes).sum())
}
