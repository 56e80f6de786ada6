//! How often positions are learned from.

use serde::{Deserialize, Serialize};

/// Balances samples drawn against positions played, so that neither self-play nor learning starves
/// and no position is learned from too often on average.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReuseBudget {
    samples_per_position: f64,
    positions: u64,
    samples: u64,
}

impl ReuseBudget {
    /// An empty budget of this many samples for each position.
    #[must_use]
    pub const fn new(samples_per_position: f64) -> Self {
        Self { samples_per_position, positions: 0, samples: 0 }
    }

    /// A budget after so many positions and samples.
    #[must_use]
    pub const fn resumed(samples_per_position: f64, positions: u64, samples: u64) -> Self {
        Self { samples_per_position, positions, samples }
    }

    /// Notes positions that were played.
    pub const fn add_positions(&mut self, positions: u64) {
        self.positions += positions;
    }

    /// Samples that may be drawn now.
    #[must_use]
    pub fn available(&self) -> u64 {
        let allowed = (self.positions as f64 * self.samples_per_position) as u64;
        allowed.saturating_sub(self.samples)
    }

    /// Training steps of `batch_size` samples that may be made now.
    #[must_use]
    pub fn steps(&self, batch_size: std::num::NonZeroUsize) -> u64 {
        self.available() / batch_size.get() as u64
    }

    /// Notes samples that were drawn.
    pub const fn spend(&mut self, samples: u64) {
        self.samples += samples;
    }

    /// Positions played so far.
    #[must_use]
    pub const fn positions(&self) -> u64 {
        self.positions
    }

    /// Samples drawn so far.
    #[must_use]
    pub const fn samples(&self) -> u64 {
        self.samples
    }

    /// Samples drawn for each position so far; 0 before the first.
    #[must_use]
    pub fn reuse(&self) -> f64 {
        if self.positions == 0 { 0.0 } else { self.samples as f64 / self.positions as f64 }
    }
}
