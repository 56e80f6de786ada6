//! The shard that grows: one frame for each finished game.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use gryphon_env::VariantHash;

use super::frame::{self, MAX_CONTENT, Tag};
use super::shard::{self, Form, HEADER, ShardInfo, ShardNumber};
use super::{Damage, GameId, GameRecord, RecordError, ReplayError};
use crate::run_folder::{FileAction, FileError, read_bytes, remove_file, write_bytes};

/// Games appended before the file is synced at the latest. A killed process loses none of them; a
/// power cut may lose so many.
const SYNC_EVERY: u32 = 16;

/// A game in an open shard.
#[derive(Clone, Debug)]
struct Stored {
    id: GameId,
    positions: u32,
    content: Range<usize>,
}

/// An open shard. Every appended game is in the file when [`OpenShard::append`] returns.
#[derive(Debug)]
pub(super) struct OpenShard {
    number: ShardNumber,
    path: PathBuf,
    file: File,
    /// Length of the intact part.
    len: u64,
    games: Vec<Stored>,
    unsynced: u32,
}

/// What was found when an open shard was opened again.
#[derive(Debug, Default)]
pub(super) struct Recovered {
    pub(super) games: Vec<(GameId, u32)>,
    pub(super) torn_bytes: u64,
    pub(super) damage: Vec<Damage>,
}

impl OpenShard {
    pub(super) fn create(
        path: PathBuf,
        variant: VariantHash,
        number: ShardNumber,
    ) -> Result<Self, ReplayError> {
        write_bytes(&path, &shard::header(Form::Open, variant, number))?;
        let file = open_to_append(&path, HEADER as u64)
            .map_err(FileError::at(FileAction::Write, &path))?;
        Ok(Self { number, path, file, len: HEADER as u64, games: Vec::new(), unsynced: 0 })
    }

    /// Opens a shard that a process left open, and cuts a torn tail.
    pub(super) fn recover(
        path: PathBuf,
        variant: VariantHash,
        number: ShardNumber,
    ) -> Result<(Self, Recovered), ReplayError> {
        let bytes = read_bytes(&path)?;
        shard::check_header(&path, &bytes, Form::Open, variant, number)?;
        let scan = frame::scan(&bytes, HEADER, Tag::GAME);
        let (records, damage) = shard::parse_games(&path, &bytes, &scan);
        let games: Vec<Stored> = records
            .into_iter()
            .map(|(record, content)| Stored {
                id: record.id,
                positions: record.n_positions(),
                content,
            })
            .collect();
        let len = scan.end as u64;
        let file = open_to_append(&path, len).map_err(FileError::at(FileAction::Write, &path))?;
        let recovered = Recovered {
            games: games.iter().map(|game| (game.id, game.positions)).collect(),
            torn_bytes: bytes.len() as u64 - len,
            damage,
        };
        Ok((Self { number, path, file, len, games, unsynced: 0 }, recovered))
    }

    /// Appends a finished game. If that fails (a full disk), the file is as before.
    pub(super) fn append(&mut self, record: &GameRecord) -> Result<(), ReplayError> {
        let game = record.id;
        let content = record.to_bytes().map_err(|source| ReplayError::Record { game, source })?;
        if content.len() > MAX_CONTENT {
            let source = RecordError {
                field: "record",
                found: format!("{} bytes", content.len()),
                expected: format!("at most {MAX_CONTENT}"),
            };
            return Err(ReplayError::Record { game, source });
        }
        let mut bytes = Vec::with_capacity(content.len() + frame::HEAD);
        frame::push(&mut bytes, Tag::GAME, &content);
        let at = self.len;
        if let Err(source) = write_at(&mut self.file, at, &bytes) {
            // Recovery would cut a half-written frame too; this spares the report.
            let _ = self.file.set_len(at);
            return Err(FileError::at(FileAction::Write, &self.path)(source).into());
        }
        self.len += bytes.len() as u64;
        let begin = at as usize + frame::HEAD;
        self.games.push(Stored {
            id: game,
            positions: record.n_positions(),
            content: begin..self.len as usize,
        });
        self.unsynced += 1;
        if self.unsynced >= SYNC_EVERY { self.sync() } else { Ok(()) }
    }

    /// Makes all appended games survive a power cut.
    pub(super) fn sync(&mut self) -> Result<(), ReplayError> {
        if self.unsynced > 0 {
            self.file.sync_data().map_err(FileError::at(FileAction::Write, &self.path))?;
            self.unsynced = 0;
        }
        Ok(())
    }

    /// Compresses the games to `finished` and removes the open file, which must not be used again.
    pub(super) fn finish(
        &mut self,
        finished: PathBuf,
        variant: VariantHash,
    ) -> Result<ShardInfo, ReplayError> {
        self.sync()?;
        let bytes = read_bytes(&self.path)?;
        let mut records = Vec::with_capacity(self.games.len());
        for game in &self.games {
            let content = frame::content_at(&bytes, game.content.start - frame::HEAD, Tag::GAME);
            let content = content.filter(|content| *content == game.content);
            let content = content.ok_or_else(|| ReplayError::Shard {
                path: self.path.clone(),
                found: format!("damage at offset {}", game.content.start - frame::HEAD),
                expected: format!("game {}, which was stored there", game.id),
            })?;
            records.push((game.id, game.positions, &bytes[content]));
        }
        let info = shard::write_finished(finished, variant, self.number, &records)?;
        remove_file(&self.path)?;
        Ok(info)
    }

    /// The intact records in the file.
    pub(super) fn records(&self) -> Result<(Vec<GameRecord>, Vec<Damage>), ReplayError> {
        let bytes = read_bytes(&self.path)?;
        let scan = frame::scan(&bytes, HEADER, Tag::GAME);
        let (records, damage) = shard::parse_games(&self.path, &bytes, &scan);
        Ok((records.into_iter().map(|(record, _)| record).collect(), damage))
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = GameId> + '_ {
        self.games.iter().map(|game| game.id)
    }

    pub(super) const fn bytes(&self) -> u64 {
        self.len
    }

    pub(super) fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    pub(super) fn n_games(&self) -> usize {
        self.games.len()
    }

    pub(super) const fn number(&self) -> ShardNumber {
        self.number
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

fn open_to_append(path: &Path, len: u64) -> io::Result<File> {
    let file = OpenOptions::new().write(true).open(path)?;
    if file.metadata()?.len() != len {
        file.set_len(len)?;
        file.sync_all()?;
    }
    Ok(file)
}

fn write_at(file: &mut File, at: u64, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    file.write_all(bytes)
}
