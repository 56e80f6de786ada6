//! How fast networks are computed, alone and in self-play: what is behind `gryphon bench`.
//!
//! A machine's speed changes from second to second, so whatever is compared takes turns within one run.

mod engines;
mod report;
mod selfplay;
mod subject;

use std::time::Duration;

use gryphon_net::NetError;

pub use engines::measure_engines;
pub use report::{EngineReport, EngineRow, SelfPlayReport, SelfPlayRow};
pub use selfplay::measure_self_play;
pub use subject::{Subject, SubjectError};

use crate::selfplay::SelfPlayError;

/// Why there are no figures.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The engine.
    #[error(transparent)]
    Net(#[from] NetError),
    /// Self-play.
    #[error(transparent)]
    SelfPlay(#[from] SelfPlayError),
    /// No batch was computed in the time.
    #[error(
        "{engine} with {games_per_group} games a group computed nothing in the time it had; expected more `--seconds` or \
         a smaller `--batch`"
    )]
    TooShort {
        /// The engine.
        engine: String,
        /// Games of a group.
        games_per_group: usize,
    },
}

/// Positions computed, and how long that took: of one worker.
#[derive(Copy, Clone, Debug, Default)]
struct Tally {
    batches: u64,
    positions: u64,
    time: Duration,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.batches += other.batches;
        self.positions += other.positions;
        self.time += other.time;
    }

    /// Positions a second; 0 if nothing was measured.
    fn rate(self) -> f64 {
        let seconds = self.time.as_secs_f64();
        if seconds > 0.0 { self.positions as f64 / seconds } else { 0.0 }
    }
}

/// Positions a second of all workers together.
fn total_rate(workers: impl IntoIterator<Item = Tally>) -> f64 {
    workers.into_iter().map(Tally::rate).sum()
}
