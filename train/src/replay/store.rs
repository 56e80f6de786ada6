//! The folder of shards: one open, the others finished.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use gryphon_env::VariantHash;
use serde::{Deserialize, Serialize};

use super::open_shard::OpenShard;
use super::{
    Damage, GameId, GameRecord, ReplayError, ReplayWindow, ShardInfo, ShardNumber, WindowRule,
};
use crate::run_folder::{create_folder, entries, remove_file};

/// All games of a run. One process, one store.
#[derive(Debug)]
pub struct ReplayStore {
    folder: PathBuf,
    variant: VariantHash,
    finished: Vec<ShardInfo>,
    open: Option<OpenShard>,
    /// Every stored game and its number of positions to learn from.
    games: BTreeMap<GameId, u32>,
}

/// Whether a game was stored.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Appended {
    /// It was.
    New,
    /// A game with its id is there already; nothing was written.
    Known,
}

/// What recovery found and did.
#[derive(Clone, Debug, Default)]
pub struct RecoveryReport {
    /// Open shards whose end was torn by a crash, and the bytes cut from each.
    pub torn: Vec<(PathBuf, u64)>,
    /// Unreadable parts, which are skipped.
    pub damage: Vec<Damage>,
}

/// What a checkpoint says about the games it has learned from.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayManifest {
    /// Games of all generations so far.
    pub games: u64,
    /// Their positions to learn from.
    pub positions: u64,
    /// The newest of them.
    pub newest: Option<GameId>,
    /// Files of the finished shards.
    pub shards: Vec<String>,
}

/// An open shard is finished when it has this many bytes.
const SHARD_BYTES: u64 = 8 << 20;

impl RecoveryReport {
    /// Whether nothing was wrong.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.torn.is_empty() && self.damage.is_empty()
    }
}

impl fmt::Display for RecoveryReport {
    /// One line for each finding.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (path, bytes) in &self.torn {
            writeln!(f, "shard `{}`: cut {bytes} bytes of a torn tail", path.display())?;
        }
        self.damage.iter().try_for_each(|damage| writeln!(f, "{damage}"))
    }
}

impl ReplayStore {
    /// Opens the shards in `folder`, which is made if it is missing. Torn tails are cut, unreadable
    /// parts are reported.
    ///
    /// # Errors
    /// If a file cannot be read, is not a shard in this build's format, or is of other rules.
    pub fn open(
        folder: &Path,
        variant: VariantHash,
    ) -> Result<(Self, RecoveryReport), ReplayError> {
        create_folder(folder)?;
        let mut store = Self {
            folder: folder.into(),
            variant,
            finished: Vec::new(),
            open: None,
            games: BTreeMap::new(),
        };
        let mut report = RecoveryReport::default();
        let mut open = Vec::new();
        for path in entries(folder)? {
            match file_name(&path) {
                Some((number, "shard")) => {
                    let (shard, damage) = ShardInfo::open(path, variant, number)?;
                    report.damage.extend(damage);
                    store.add_finished(shard);
                }
                Some((number, "open")) => open.push((number, path)),
                _ => {}
            }
        }
        for (number, path) in open {
            store.recover(number, path, &mut report)?;
        }
        Ok((store, report))
    }

    fn add_finished(&mut self, shard: ShardInfo) {
        for game in &shard.games {
            self.games.entry(game.id).or_insert(game.positions);
        }
        self.finished.push(shard);
    }

    fn recover(
        &mut self,
        number: ShardNumber,
        path: PathBuf,
        report: &mut RecoveryReport,
    ) -> Result<(), ReplayError> {
        let (shard, recovered) = OpenShard::recover(path.clone(), self.variant, number)?;
        if recovered.torn_bytes > 0 {
            report.torn.push((path.clone(), recovered.torn_bytes));
        }
        report.damage.extend(recovered.damage);
        if shard.ids().all(|id| self.games.contains_key(&id)) {
            // Killed between writing the finished shard and removing the open one, or before the
            // first game.
            return Ok(remove_file(&path)?);
        }
        if self.finished.iter().any(|other| other.number == number) {
            return Err(ReplayError::Shard {
                path,
                found: "games that the finished shard of its number lacks".into(),
                expected: "a number of its own".into(),
            });
        }
        self.finish_shard()?;
        self.games.extend(recovered.games);
        self.open = Some(shard);
        Ok(())
    }

    /// Stores a finished game; when this returns, killing the process loses it no more.
    ///
    /// # Errors
    /// If the disk fails, the record is of other rules, or cannot be written in this format. All
    /// other games are stored then; this one may be.
    pub fn append(&mut self, record: &GameRecord) -> Result<Appended, ReplayError> {
        if self.games.contains_key(&record.id) {
            return Ok(Appended::Known);
        }
        if record.variant != self.variant {
            return Err(super::window::wrong_rules(record, self.variant));
        }
        let mut shard = match self.open.take() {
            Some(shard) => shard,
            None => {
                let number = self.next_number();
                let path = self.folder.join(shard_name(number, "open"));
                OpenShard::create(path, self.variant, number)?
            }
        };
        let appended = shard.append(record);
        // A failed sync leaves the game in the file: it is stored, and the error is told.
        if shard.ids().last() == Some(record.id) {
            self.games.insert(record.id, record.n_positions());
        }
        let is_full = shard.bytes() >= SHARD_BYTES;
        self.open = Some(shard);
        appended?;
        if is_full {
            self.finish_shard()?;
        }
        Ok(Appended::New)
    }

    /// Makes all games survive a power cut.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn sync(&mut self) -> Result<(), ReplayError> {
        self.open.as_mut().map_or(Ok(()), OpenShard::sync)
    }

    /// Compresses the open shard and gives it an index; the next game begins a new one. Happens by
    /// itself every 8 MiB.
    ///
    /// # Errors
    /// If the disk fails; the open shard stays then.
    pub fn finish_shard(&mut self) -> Result<(), ReplayError> {
        let Some(shard) = self.open.as_mut().filter(|shard| !shard.is_empty()) else {
            return Ok(());
        };
        let path = self.folder.join(shard_name(shard.number(), "shard"));
        self.finished.push(shard.finish(path, self.variant)?);
        self.open = None;
        Ok(())
    }

    fn next_number(&self) -> ShardNumber {
        let newest = self.finished.iter().map(|shard| shard.number).max();
        ShardNumber(newest.map_or(1, |number| number.0 + 1))
    }

    /// The finished shards, oldest first.
    #[must_use]
    pub fn shards(&self) -> &[ShardInfo] {
        &self.finished
    }

    /// The file of the open shard, if there is one, and its number of games.
    #[must_use]
    pub fn open_shard(&self) -> Option<(&Path, usize)> {
        self.open.as_ref().map(|shard| (shard.path(), shard.n_games()))
    }

    /// Size of all shards' files over the positions to learn from that they hold; `None` if they hold
    /// none or the disk does not say.
    #[must_use]
    pub fn bytes_per_position(&self) -> Option<f64> {
        let mut bytes = self.open.as_ref().map_or(0, OpenShard::bytes);
        for ShardInfo { path, .. } in &self.finished {
            bytes += fs::metadata(path).ok()?.len();
        }
        let positions: u64 = self.games.values().map(|&positions| u64::from(positions)).sum();
        (positions > 0).then(|| bytes as f64 / positions as f64)
    }

    /// Numbers of the stored games of a generation.
    #[must_use]
    pub fn games_of(&self, generation: u32) -> BTreeSet<u64> {
        let first = GameId { generation, number: 0 };
        let last = GameId { generation, number: u64::MAX };
        self.games.range(first..=last).map(|(id, _)| id.number).collect()
    }

    /// What a checkpoint that has learned from all games through `generation` says about them.
    #[must_use]
    pub fn manifest(&self, generation: u32) -> ReplayManifest {
        let games = || self.games.range(..=GameId { generation, number: u64::MAX });
        let name = |shard: &ShardInfo| shard.path.file_name().map(|n| n.to_string_lossy().into());
        ReplayManifest {
            games: games().count() as u64,
            positions: games().map(|(_, &positions)| u64::from(positions)).sum(),
            newest: games().next_back().map(|(&id, _)| id),
            shards: self.finished.iter().filter_map(name).collect(),
        }
    }

    /// Every stored game, one shard at a time, with what could not be read.
    ///
    /// # Errors
    /// If a file cannot be read; then the iterator goes on with the next.
    pub fn records(
        &self,
    ) -> impl Iterator<Item = Result<(Vec<GameRecord>, Vec<Damage>), ReplayError>> + '_ {
        let finished = self.finished.iter().map(ShardInfo::records);
        finished.chain(self.open.iter().map(OpenShard::records))
    }

    /// The window after all games through `generation`, and what could not be read.
    ///
    /// # Errors
    /// If a shard cannot be read, or a game cannot be played by the variant's rules.
    pub fn load_window(
        &self,
        variant: &'static gryphon_env::Variant,
        rule: WindowRule,
        generation: u32,
    ) -> Result<(ReplayWindow, Vec<Damage>), ReplayError> {
        let manifest = self.manifest(generation);
        let oldest = self.oldest_in_window(&manifest, rule);
        let newest = GameId { generation, number: u64::MAX };
        let in_window = |id: &GameId| oldest.is_some_and(|oldest| (oldest..=newest).contains(id));
        let mut window = ReplayWindow::new(variant, rule);
        let mut damage = Vec::new();
        let holds_some = |shard: &&ShardInfo| shard.games.iter().any(|game| in_window(&game.id));
        let finished = self.finished.iter().filter(holds_some).map(ShardInfo::records);
        for shard in finished.chain(self.open.iter().map(OpenShard::records)) {
            let (records, bad) = shard?;
            damage.extend(bad);
            for record in records.into_iter().filter(|record| in_window(&record.id)) {
                window.insert(record)?;
            }
        }
        window.set_total(manifest.positions);
        Ok((window, damage))
    }

    /// The oldest game of the smallest set of newest games that fills the window.
    fn oldest_in_window(&self, manifest: &ReplayManifest, rule: WindowRule) -> Option<GameId> {
        let mut wanted = rule.size(manifest.positions);
        let mut oldest = None;
        for (&id, &positions) in self.games.range(..=manifest.newest?).rev() {
            oldest = Some(id);
            wanted = wanted.saturating_sub(u64::from(positions));
            if wanted == 0 {
                break;
            }
        }
        oldest
    }
}

fn shard_name(number: ShardNumber, extension: &str) -> String {
    format!("{:06}.{extension}", number.0)
}

/// Number and extension of a shard's file name.
fn file_name(path: &Path) -> Option<(ShardNumber, &str)> {
    let (stem, extension) = path.file_name()?.to_str()?.split_once('.')?;
    Some((ShardNumber(stem.parse().ok()?), extension))
}
