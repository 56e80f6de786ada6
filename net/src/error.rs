//! What can go wrong inside the network.

use tch::TchError;

use crate::shape::ShapeError;

/// Why the network could not be made, run or filled.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// The requested size is out of range.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The requested device is not there.
    #[error("device `{requested}` is not available: {reason}")]
    Device {
        /// What was asked for.
        requested: String,
        /// Why it cannot be had, and what to do.
        reason: String,
    },
    /// A batch of planes has the wrong form.
    #[error("network input has {found}, expected {expected}")]
    Input {
        /// Shape and kind of the batch.
        found: String,
        /// What the network takes.
        expected: String,
    },
    /// A set of weights belongs to another network.
    #[error("weights: tensor `{name}` {found}, expected {expected}")]
    Weights {
        /// The tensor.
        name: String,
        /// What is there.
        found: String,
        /// What the network has.
        expected: String,
    },
    /// Weights, gradients or answers that are not numbers.
    #[error("{what} is not finite; lower the learning rate or go back to an earlier checkpoint")]
    NotFinite {
        /// What was checked.
        what: String,
    },
    /// A text names no engine.
    #[error("engine `{found}`, expected one of {expected}")]
    Engine {
        /// The text.
        found: String,
        /// All engines.
        expected: String,
    },
    /// OpenVINO's library cannot be loaded.
    #[error("OpenVINO is not available: {reason}")]
    NoOpenVino {
        /// Where it was looked for, and what to do.
        reason: String,
    },
    /// OpenVINO refused an operation.
    #[error("OpenVINO: {0}")]
    OpenVino(String),
    /// Two forms of a network could not be compared.
    #[error("comparing two forms of the network: {reason}")]
    Comparison {
        /// Why not.
        reason: String,
    },
    /// libtorch refused an operation.
    #[error("libtorch: {0}")]
    Torch(String),
}

impl From<TchError> for NetError {
    fn from(error: TchError) -> Self {
        // libtorch appends a C++ backtrace; the first line says what happened.
        let text = error.to_string();
        Self::Torch(text.lines().next().unwrap_or_default().to_owned())
    }
}
