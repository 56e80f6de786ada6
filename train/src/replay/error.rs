//! What can be wrong with records, shards and samples.

use std::fmt;
use std::path::PathBuf;

use super::GameId;
use crate::run_folder::FileError;

/// Bytes that are not a record, or a game that its rules do not allow.
#[derive(Clone, Debug, thiserror::Error)]
#[error("field `{field}`: found {found}, expected {expected}")]
pub struct RecordError {
    /// The part of the record.
    pub field: &'static str,
    /// What stands there.
    pub found: String,
    /// What should.
    pub expected: String,
}

/// Why games cannot be stored or drawn.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// A file operation failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// A shard's frame of reference is damaged.
    #[error(
        "shard `{path}`: found {found}, expected {expected}; move the file out of the folder to go on without its games"
    )]
    Shard {
        /// The shard.
        path: PathBuf,
        /// What stands there.
        found: String,
        /// What should.
        expected: String,
    },
    /// A shard of other rules.
    #[error("shard `{path}` holds games of the rules {found}, this run plays {expected}")]
    WrongVariant {
        /// The shard.
        path: PathBuf,
        /// Hash of its rules.
        found: String,
        /// Hash of the run's rules.
        expected: String,
    },
    /// A record that cannot be written or played again.
    #[error("game {game}: {source}")]
    Record {
        /// The game.
        game: GameId,
        /// What is wrong.
        source: RecordError,
    },
    /// Too little to draw from.
    #[error("the replay window holds no position to learn from")]
    EmptyWindow,
}

/// A part of a shard that is not a readable record. Its games are skipped, the others are kept.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Damage {
    /// The shard.
    pub path: PathBuf,
    /// Where the part begins: bytes from the file's begin (in a finished shard: of the block).
    pub offset: u64,
    /// Its length in bytes.
    pub bytes: u64,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, offset, bytes, reason } = self;
        write!(f, "shard `{}`: {bytes} bytes at offset {offset}: {reason}; skipped", path.display())
    }
}
