//! The loop of a training run.
//!
//! In a generation the workers play a number of rounds with the newest averaged weights while the
//! learner, on a thread of its own, learns from the games of earlier generations. When both are done
//! the weights, the optimizer and the games in flight are saved as a checkpoint. What a generation
//! does follows from the checkpoint before it, so a run that was killed plays the broken generation
//! again and gets the same games.

mod error;
mod evaluation;
mod generation;
mod recorder;
mod run;
mod saved;
mod settings;
mod statistics;

pub use error::TrainingError;
pub use run::{Run, RunEnd};
pub use saved::load_agent;
pub(crate) use settings::{self_play_rules, variant};
