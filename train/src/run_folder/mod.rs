//! The folder of a run, which is the truth about it.
//!
//! ```text
//! runs/NAME/
//!   config.toml     the resolved config, commented
//!   meta.json       what wrote the run, and the hash of its rules
//!   variant.toml    the rules, self-contained
//!   metrics.jsonl   every metric (see `metrics`)
//!   tb/             the same for TensorBoard, a folder for each start
//!   shards/         games (see `replay`)
//!   checkpoints/    NNNNNN/ for each generation kept (see `checkpoint`)
//!   latest          name of the newest checkpoint
//!   games/          games for people
//!   lock            held by the process that trains
//! ```
//!
//! Whole files are written by [`write_bytes`] only: beside their place, synced, renamed. So a process
//! that is killed leaves old files or new ones, and temporary ones that the next start sweeps away.

mod atomic;
mod error;
mod folder;
mod lock;

pub(crate) use atomic::entries;
pub use atomic::{
    create_folder, read_bytes, read_text, remove_file, sweep_temporaries, sync_folder, write_bytes,
};
pub use error::{FileAction, FileError, RunFolderError};
pub use folder::{Opened, RunFolder, RunMeta};
pub(crate) use gryphon_net::TEMPORARY_PREFIX;

#[cfg(test)]
mod tests;
