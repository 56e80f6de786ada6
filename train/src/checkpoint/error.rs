//! What can go wrong with checkpoints.

use std::path::PathBuf;

use crate::run_folder::FileError;

/// Why a checkpoint cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// A file operation failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file is not what the manifest says, or not readable.
    #[error("checkpoint file `{path}` is damaged: found {found}, expected {expected}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What stands there.
        found: String,
        /// What should.
        expected: String,
    },
    /// The owner of weights or optimizer could not write them. Nothing was saved.
    #[error("cannot save checkpoint `{path}`")]
    Content {
        /// The checkpoint.
        path: PathBuf,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// An intact checkpoint of this generation is there.
    #[error("checkpoint `{path}` exists and is intact, expected none of this generation")]
    Exists {
        /// The checkpoint.
        path: PathBuf,
    },
    /// There are checkpoints, but none can be used.
    #[error(
        "none of the {count} checkpoints in `{folder}` is intact (newest: {newest}); restore one, or start a new run"
    )]
    NoneIntact {
        /// The folder of checkpoints.
        folder: PathBuf,
        /// How many there are.
        count: usize,
        /// What is wrong with the newest.
        newest: Box<Self>,
    },
}
