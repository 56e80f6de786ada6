//! The policy and value network on libtorch: evaluation, training step, agent files.
//!
//! A [`Network`] is trained by one thread. An [`InferenceNet`] is its frozen form; a
//! [`NetEvaluator`] makes that one an evaluator of the search. Nothing here knows a rule: boards,
//! planes and action indices come from the variant.

mod agent;
mod body;
mod device;
mod engine;
mod error;
mod evaluator;
mod files;
mod folded;
mod heads;
mod inference;
mod layers;
mod network;
mod optimizer;
mod policy_map;
mod schedule;
mod shape;
mod tensor_file;
mod tensors;
mod trunk;

pub use agent::{Agent, AgentError, AgentOrigin};
pub use body::NetOutput;
pub use device::{DeviceChoice, Precision, cpu_has_bf16, set_single_threaded};
pub use error::NetError;
pub use evaluator::NetEvaluator;
pub use files::{TEMPORARY_PREFIX, write_atomically};
pub use inference::InferenceNet;
pub use layers::Mode;
pub use network::Network;
pub use optimizer::{AdamW, AdamWConfig, OptimizerState, clip_gradients, zero_gradients};
pub use schedule::{warmup, warmup_cosine};
pub use shape::{NetShape, ShapeError};
pub use tensor_file::{TensorFile, TensorFileError, TensorMetadata};
pub use tensors::{NamedTensor, Weights};
