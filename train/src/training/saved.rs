//! A checkpoint's files: what is written, and how a run goes on from it.

use std::fs;
use std::path::{Path, PathBuf};

use gryphon_net::{
    Agent, AgentOrigin, NamedTensor, Network, OptimizerState, TensorFile, TensorMetadata, Weights,
};

use super::TrainingError;
use crate::checkpoint::Checkpoint;
use crate::learner::LearnerState;
use crate::run_folder::{FileAction, FileError, read_bytes};
use crate::selfplay::{GroupState, groups_from_bytes, groups_to_bytes};

/// The agent that plays: averaged weights.
const AGENT: &str = "agent.safetensors";
/// The weights being trained.
const WEIGHTS: &str = "weights.safetensors";
/// The optimizer's state.
const OPTIMIZER: &str = "optimizer.safetensors";
/// The averaged weights in full precision; the agent holds the same numbers.
const AVERAGED: &str = "averaged.safetensors";
/// The games in flight.
const GAMES: &str = "games_in_flight.bin";
/// Metadata entry of the optimizer's file.
const STEPS: &str = "steps";

/// Writes everything that a run needs to go on into `folder`.
pub(super) fn write(
    folder: &Path,
    learner: &LearnerState,
    agent: &Agent,
    groups: &[GroupState],
) -> Result<(), TrainingError> {
    let plain = TensorMetadata::new();
    TensorFile::write(&folder.join(WEIGHTS), learner.weights.tensors(), &plain)?;
    let steps = TensorMetadata::from([(STEPS.to_owned(), learner.optimizer.steps.to_string())]);
    TensorFile::write(&folder.join(OPTIMIZER), &learner.optimizer.tensors, &steps)?;
    if let Some(averaged) = &learner.averaged {
        TensorFile::write(&folder.join(AVERAGED), averaged.tensors(), &plain)?;
    }
    agent.save(&folder.join(AGENT))?;
    let games = folder.join(GAMES);
    let bytes = groups_to_bytes(groups)?;
    fs::write(&games, bytes).map_err(FileError::at(FileAction::Write, &games))?;
    Ok(())
}

/// Reads the learner's state.
pub(super) fn read_learner(checkpoint: &Checkpoint) -> Result<LearnerState, TrainingError> {
    let averaged = checkpoint.file(AVERAGED);
    Ok(LearnerState {
        weights: read_weights(&checkpoint.file(WEIGHTS))?,
        optimizer: read_optimizer(checkpoint.file(OPTIMIZER))?,
        averaged: averaged.exists().then(|| read_weights(&averaged)).transpose()?,
    })
}

/// Reads the games in flight.
pub(super) fn read_groups(checkpoint: &Checkpoint) -> Result<Vec<GroupState>, TrainingError> {
    let path = checkpoint.file(GAMES);
    groups_from_bytes(&read_bytes(&path)?)
        .map_err(|error| TrainingError::Content { path, reason: error.to_string() })
}

/// Opens the agent of a checkpoint.
///
/// # Errors
/// If its file is damaged or of another build.
pub fn load_agent(checkpoint: &Checkpoint) -> Result<Agent, TrainingError> {
    Ok(Agent::load(&checkpoint.file(AGENT))?)
}

/// The agent with the weights of `network`.
pub(super) fn agent(network: Network, generation: u32, step: u64) -> Agent {
    Agent { network, origin: AgentOrigin { checkpoint: generation, step }, strength: None }
}

fn read_weights(path: &Path) -> Result<Weights, TrainingError> {
    Ok(Weights::new(TensorFile::read(path)?.tensors))
}

fn read_optimizer(path: PathBuf) -> Result<OptimizerState, TrainingError> {
    let TensorFile { tensors, metadata } = TensorFile::read(&path)?;
    let steps = metadata.get(STEPS).and_then(|steps| steps.parse().ok());
    let steps = steps.ok_or_else(|| TrainingError::Content {
        path,
        reason: format!("entry `{STEPS}` is {:?}, expected a number", metadata.get(STEPS)),
    })?;
    let tensors: Vec<NamedTensor> = tensors;
    Ok(OptimizerState { steps, tensors })
}
