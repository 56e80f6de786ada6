//! The policy and value network: training and evaluation on libtorch, evaluation on OpenVINO too if
//! that is there, agent files.
//!
//! A [`Network`] is trained by one thread. An [`InferenceNet`] is its frozen form, an [`OpenVinoNet`]
//! another one; a [`NetEvaluator`] makes either an evaluator of the search. Nothing here knows a rule: boards,
//! planes and action indices come from the variant.

mod agent;
mod agreement;
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
mod onnx;
mod openvino;
mod optimizer;
mod playing;
mod policy_map;
mod schedule;
mod shape;
mod tensor_file;
mod tensors;
mod trunk;

pub use agent::{Agent, AgentError, AgentOrigin};
pub use agreement::Agreement;
pub use body::NetOutput;
pub use device::{DeviceChoice, Precision, cpu_has_bf16, cpu_has_vnni, set_single_threaded};
pub use error::NetError;
pub use evaluator::NetEvaluator;
pub use files::{TEMPORARY_PREFIX, write_atomically};
pub use inference::InferenceNet;
pub use layers::Mode;
pub use network::Network;
pub use onnx::Quantization;
pub use openvino::{OpenVinoNet, openvino_library};
pub use optimizer::{AdamW, AdamWConfig, OptimizerState, clip_gradients, zero_gradients};
pub use playing::{EngineKind, PlayingNet};
pub use schedule::{warmup, warmup_cosine};
pub use shape::{NetShape, ShapeError};
pub use tensor_file::{TensorFile, TensorFileError, TensorMetadata};
pub use tensors::{NamedTensor, Weights};
