//! Games to learn from: how they are recorded, stored and drawn.
//!
//! Games are stored, not tensors: a [`GameRecord`] says how to play the game again, so that planes
//! and targets can be made anew when inputs change. A [`ReplayStore`] keeps records in shards, byte
//! by byte as `docs/reference/shards.md` says; a [`ReplayWindow`] holds the newest ones in memory
//! and draws [`Sample`]s by game and then by position.
//!
//! Records are ordered by [`GameId`], not by arrival, so what a batch holds does not depend on
//! threads.

mod budget;
mod bytes;
mod checked;
mod codec;
mod error;
mod frame;
mod open_shard;
mod policy;
mod record;
mod sample;
mod shard;
mod store;
mod window;

pub use budget::ReuseBudget;
pub(crate) use bytes::Reader;
pub use checked::CheckedGame;
pub(crate) use checked::legal_action;
pub(crate) use codec::{cut_short, read_ply, write_ply};
pub use error::{Damage, RecordError, ReplayError};
pub use policy::{PolicyEntry, SparsePolicy, TOP_ACTIONS};
pub use record::{
    GameEnd, GameId, GameRecord, PlyRecord, RecordedAction, SearchRecord, StoredValue,
};
pub use sample::Sample;
pub use shard::{ShardGame, ShardInfo, ShardNumber};
pub use store::{Appended, RecoveryReport, ReplayManifest, ReplayStore};
pub use window::{ReplayWindow, WindowRule};

#[cfg(test)]
mod tests;
