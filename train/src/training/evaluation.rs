//! Matches of the newest network against fixed opponents.

use std::num::NonZeroU32;
use std::sync::atomic::AtomicBool;

use gryphon_env::Variant;
use gryphon_net::{DeviceChoice, InferenceNet};
use gryphon_play::PlayerSpec;

use super::TrainingError;
use crate::arena::{MatchConfig, MatchSummary, OpeningPlies, Progress, concurrency, play_match};
use crate::config::{RunConfig, TreeUse};
use crate::players::{PlayerNeeds, available_threads, network_player, open_player, playing_search};

/// The opponents of the config, read.
pub(super) fn opponents(config: &RunConfig) -> Result<Vec<PlayerSpec>, TrainingError> {
    let parse = |text: &String| text.parse().map_err(|e| TrainingError::Opponent(format!("{e}")));
    config.evaluation.opponents.names().iter().map(parse).collect()
}

/// Plays `games` games (an odd one more is rounded up) of the network against each of the config's
/// opponents; a stopped match is left out.
pub(super) fn evaluate(
    config: &RunConfig,
    variant: &'static Variant,
    net: &InferenceNet,
    games: NonZeroU32,
    on_progress: &mut dyn FnMut(&PlayerSpec, &Progress),
    stop: &AtomicBool,
) -> Result<Vec<MatchSummary>, TrainingError> {
    let simulations = config.evaluation.simulations;
    let threads = available_threads();
    let trees = TreeUse::Fresh;
    let needs = PlayerNeeds { variant, simulations, threads, trees, device: DeviceChoice::Auto };
    let search = playing_search(simulations);
    let match_config = MatchConfig {
        pairs: NonZeroU32::new(games.get().div_ceil(2)).unwrap_or(NonZeroU32::MIN),
        opening: OpeningPlies::SHORT,
        ply_cap: config.selfplay.max_plies,
        seed: config.run.seed,
        concurrency: concurrency(simulations),
    };
    let mut summaries = Vec::new();
    for spec in opponents(config)? {
        let mut first = network_player("network", net, variant, search, threads)?;
        let mut second = open_player(&spec, needs)
            .map_err(|error| TrainingError::Opponent(error.to_string()))?;
        let mut progress = |progress: &Progress| on_progress(&spec, progress);
        let (first, second) = (first.as_mut(), second.as_mut());
        let report = play_match(variant, first, second, match_config, &mut progress, stop)?;
        if !report.summary.stopped {
            summaries.push(report.summary);
        }
    }
    Ok(summaries)
}
