//! What can end a training run.

use std::path::PathBuf;

use gryphon_env::VariantError;
use gryphon_net::{AgentError, NetError, ShapeError, TensorFileError};
use gryphon_play::PlayerError;

use crate::arena::ArenaError;
use crate::checkpoint::CheckpointError;
use crate::learner::LearnerError;
use crate::metrics::MetricError;
use crate::replay::{RecordError, ReplayError};
use crate::run_folder::{FileError, RunFolderError};
use crate::selfplay::SelfPlayError;

/// Why a run cannot be started or go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// The config names rules that cannot be used.
    #[error("`run.variant`: {0}")]
    Variant(#[from] VariantError),
    /// The config names a network size that there is none of.
    #[error("`network`: {0}")]
    Shape(#[from] ShapeError),
    /// The run's folder.
    #[error(transparent)]
    Folder(#[from] RunFolderError),
    /// A file.
    #[error(transparent)]
    File(#[from] FileError),
    /// A checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A checkpoint's content does not fit the run.
    #[error("checkpoint `{path}`: {reason}")]
    Content {
        /// The checkpoint's file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A file of tensors.
    #[error(transparent)]
    Tensors(#[from] TensorFileError),
    /// The agent file.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// Stored games.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A game in flight.
    #[error("self-play: {0}")]
    Record(#[from] RecordError),
    /// The network.
    #[error(transparent)]
    Net(#[from] NetError),
    /// Self-play.
    #[error(transparent)]
    SelfPlay(#[from] SelfPlayError),
    /// The learner.
    #[error(transparent)]
    Learner(#[from] LearnerError),
    /// The metrics.
    #[error(transparent)]
    Metric(#[from] MetricError),
    /// An evaluation match.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// A player of an evaluation match.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// An opponent of the config that cannot be opened.
    #[error("`evaluation.opponents`: {0}")]
    Opponent(String),
}
