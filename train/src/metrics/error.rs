//! What can go wrong with metrics.

use std::path::PathBuf;

use crate::run_folder::FileError;

/// Why a metric cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum MetricError {
    /// A file operation failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// A line that is not one of ours.
    #[error("`{path}` line {line}: found {found}, expected an object with `step` and metrics")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// The TensorBoard writer gave up (its only answer to a full disk).
    #[error("the TensorBoard writer in `{path}` stopped: {reason}; `metrics.jsonl` goes on")]
    TensorBoard {
        /// Its folder.
        path: PathBuf,
        /// What it said.
        reason: String,
    },
}
