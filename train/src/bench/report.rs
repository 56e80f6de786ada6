//! What was measured, for people and as JSON.

use std::fmt;

use serde::Serialize;

/// Engines alone, at fixed batch sizes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EngineReport {
    /// The game, which sets board and planes.
    pub variant: String,
    /// Size of the network, as in `6x64`.
    pub network: String,
    /// Threads that computed at the same time.
    pub workers: usize,
    /// One row an engine and batch size.
    pub rows: Vec<EngineRow>,
}

/// An engine at one batch size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EngineRow {
    /// Library and kind of numbers.
    pub engine: String,
    /// Positions of a batch.
    pub batch: usize,
    /// Positions a second of all workers together.
    pub positions_per_second: f64,
}

/// Self-play beside its engine alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SelfPlayReport {
    /// The game.
    pub variant: String,
    /// Size of the network, as in `6x64`.
    pub network: String,
    /// Workers.
    pub workers: usize,
    /// Simulations of a search.
    pub simulations: u32,
    /// One row an engine and number of games.
    pub rows: Vec<SelfPlayRow>,
}

/// Self-play with one engine and number of games a group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SelfPlayRow {
    /// Library and kind of numbers.
    pub engine: String,
    /// Games that advance together: the largest batch.
    pub games_per_group: usize,
    /// Mean size of the batches that the searches asked for.
    pub mean_batch: f64,
    /// Positions a second that the engine alone computes, in batches of the same sizes, all workers
    /// together.
    pub engine_positions_per_second: f64,
    /// Positions a second that self-play has computed, all workers together. What the evaluation cache
    /// knew is not counted.
    pub selfplay_positions_per_second: f64,
    /// The second by the first.
    pub ratio: f64,
}

impl fmt::Display for EngineReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variant, network, workers, rows } = self;
        writeln!(f, "{network} on {variant}, {workers} workers\n")?;
        writeln!(f, "{:<14} {:>6} {:>13}", "engine", "batch", "positions/s")?;
        for row in rows {
            let EngineRow { engine, batch, positions_per_second } = row;
            writeln!(f, "{engine:<14} {batch:>6} {positions_per_second:>13.0}")?;
        }
        Ok(())
    }
}

impl fmt::Display for SelfPlayReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variant, network, workers, simulations, rows } = self;
        writeln!(f, "{network} on {variant}, {workers} workers, {simulations} simulations\n")?;
        writeln!(
            f,
            "{:<14} {:>6} {:>11} {:>13} {:>15} {:>6}",
            "engine", "games", "mean batch", "alone, pos/s", "self-play, pos/s", "ratio"
        )?;
        for row in rows {
            let SelfPlayRow { engine, games_per_group, mean_batch, ratio, .. } = row;
            let alone = row.engine_positions_per_second;
            let playing = row.selfplay_positions_per_second;
            writeln!(
                f,
                "{engine:<14} {games_per_group:>6} {mean_batch:>11.1} {alone:>13.0} \
                 {playing:>16.0} {ratio:>6.3}"
            )?;
        }
        Ok(())
    }
}
