//! Self-play, replay, learner, evaluation, and the command gryphon.

pub mod arena;
pub mod bench;
pub mod checkpoint;
pub mod cli;
pub mod config;
pub mod doctor;
pub mod engines;
#[cfg(test)]
mod generated_page;
pub mod learner;
pub mod metrics;
pub mod players;
pub mod progress;
pub mod replay;
pub mod run_folder;
pub mod selfplay;
pub mod training;
