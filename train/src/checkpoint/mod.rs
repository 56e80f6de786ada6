//! Checkpoints: everything a run needs to go on, one folder for each generation kept.
//!
//! ```text
//! checkpoints/000012/
//!   state.json      counters, and which games were learned from
//!   manifest.json   length and blake3 of every other file
//!   …               weights, averages and optimizer, written by their owner
//! ```
//!
//! A checkpoint is built in a temporary folder, synced and renamed, then `latest` is switched: a
//! folder with a number is complete. Opening checks the manifest, and falls back to the checkpoint
//! before a damaged one.

mod error;
mod manifest;
mod state;
mod store;

pub use error::CheckpointError;
pub use state::CheckpointState;
pub use store::{Checkpoint, CheckpointStore, Found, KeepRule};

#[cfg(test)]
mod tests;
