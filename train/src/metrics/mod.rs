//! What a run measures, and where it is written.
//!
//! Every metric is an entry of [`Metric`], with its unit and meaning; the reference page is made from
//! it. `metrics.jsonl` is the record; TensorBoard shows the same numbers. All of a run's numbers
//! share one axis, the training [`Step`].

mod error;
mod fan_out;
mod jsonl;
mod registry;
mod tensorboard;

pub use error::MetricError;
pub use fan_out::FanOut;
pub use jsonl::{Jsonl, MetricLine, read_lines};
pub use registry::{METRICS, Metric, MetricInfo, MetricName, reference_page};
pub use tensorboard::TensorBoard;

use serde::{Deserialize, Serialize};

/// Number of training steps made so far: the axis of all metrics.
#[derive(
    Copy, Clone, Debug, Default, Eq, PartialEq, Ord, PartialOrd, Hash, Serialize, Deserialize,
)]
pub struct Step(pub u64);

/// Takes the numbers of a run.
pub trait MetricSink {
    /// Takes one number.
    ///
    /// # Errors
    /// If it cannot be written.
    fn scalar(&mut self, name: &MetricName, step: Step, value: f64) -> Result<(), MetricError>;

    /// Takes a line of text: a warning, a score, what was resumed.
    ///
    /// # Errors
    /// If it cannot be written.
    fn text(&mut self, name: &MetricName, step: Step, text: &str) -> Result<(), MetricError>;

    /// Makes what was taken so far visible to readers. Called after each step that is logged.
    ///
    /// # Errors
    /// If it cannot be written.
    fn flush(&mut self) -> Result<(), MetricError>;
}

#[cfg(test)]
mod tests;
