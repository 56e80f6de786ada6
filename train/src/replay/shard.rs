//! Shard files: their header, and finished shards with compressed blocks and an index.

use std::fs::File;
use std::io::{Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use gryphon_env::VariantHash;

use super::bytes::Reader;
use super::frame::{self, MAX_CONTENT, Tag};
use super::{Damage, GameId, GameRecord, ReplayError};
use crate::run_folder::{FileAction, FileError, read_bytes, write_bytes};

/// Number of a shard in its folder, from 1.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct ShardNumber(pub u32);

/// One game of a finished shard.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct ShardGame {
    /// Which game.
    pub id: GameId,
    /// Its plies that can be learned from.
    pub positions: u32,
    /// Offset of its block's frame in the file.
    pub block: u64,
    /// Offset of its frame in the block.
    pub offset: u32,
}

/// A finished shard and its index.
#[derive(Clone, Debug)]
pub struct ShardInfo {
    /// Its number.
    pub number: ShardNumber,
    /// Its file.
    pub path: PathBuf,
    /// Its games, in the order they were stored.
    pub games: Vec<ShardGame>,
}

/// Whether a shard still grows.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) enum Form {
    /// Games are appended as they finish.
    Open,
    /// Compressed, with an index.
    Finished,
}

const MAGIC: &[u8; 8] = b"GRYSHARD";
const END_MAGIC: &[u8; 8] = b"GRYINDEX";
const FORMAT: u16 = 1;

/// Bytes of the header.
pub(super) const HEADER: usize = 64;
/// Bytes of the trailer of a finished shard: the index's offset and a magic.
const TRAILER: usize = 16;

/// A block is closed when it holds this many bytes, so that damage costs few games.
const BLOCK_BYTES: usize = 256 << 10;

/// Compression level: measured sizes hardly fall beyond it, times do rise.
const LEVEL: i32 = 3;

pub(super) fn header(form: Form, variant: VariantHash, number: ShardNumber) -> [u8; HEADER] {
    let mut bytes = [0; HEADER];
    bytes[..8].copy_from_slice(MAGIC);
    bytes[8..10].copy_from_slice(&FORMAT.to_le_bytes());
    bytes[10] = match form {
        Form::Open => 0,
        Form::Finished => 1,
    };
    bytes[12..44].copy_from_slice(&variant.0);
    bytes[44..48].copy_from_slice(&number.0.to_le_bytes());
    let sum = crc32fast::hash(&bytes[..60]);
    bytes[60..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Checks that `bytes` begin with the header of shard `number` in this form, of these rules.
pub(super) fn check_header(
    path: &Path,
    bytes: &[u8],
    form: Form,
    variant: VariantHash,
    number: ShardNumber,
) -> Result<(), ReplayError> {
    let expected = header(form, variant, number);
    let bad = |found: String, expected: &str| ReplayError::Shard {
        path: path.into(),
        found,
        expected: expected.into(),
    };
    let Some(found) = bytes.get(..HEADER) else {
        return Err(bad(format!("{} bytes", bytes.len()), "a header of 64 bytes"));
    };
    if found == expected {
        return Ok(());
    }
    if found[..8] != *MAGIC {
        return Err(bad("another kind of file".into(), "the magic `GRYSHARD`"));
    }
    if found[60..] != crc32fast::hash(&found[..60]).to_le_bytes() {
        return Err(bad("a damaged header".into(), "one whose checksum agrees"));
    }
    if found[8..10] != expected[8..10] {
        let version = u16::from_le_bytes([found[8], found[9]]);
        return Err(bad(format!("format {version}"), "format 1, which this build reads"));
    }
    if found[12..44] != variant.0 {
        let hash = |bytes: &[u8]| bytes.iter().take(6).map(|b| format!("{b:02x}")).collect();
        return Err(ReplayError::WrongVariant {
            path: path.into(),
            found: hash(&found[12..44]),
            expected: hash(&variant.0),
        });
    }
    Err(bad("another shard's header".into(), "the form and number of the file's name"))
}

/// Writes records, given as bytes with what the index says of them, to a finished shard.
pub(super) fn write_finished(
    path: PathBuf,
    variant: VariantHash,
    number: ShardNumber,
    records: &[(GameId, u32, &[u8])],
) -> Result<ShardInfo, ReplayError> {
    let mut games = Vec::with_capacity(records.len());
    let mut file = Vec::from(header(Form::Finished, variant, number));
    let mut block = Vec::new();
    for (i, &(id, positions, bytes)) in records.iter().enumerate() {
        let offset = u32::try_from(block.len()).expect("blocks are closed long before 4 GiB");
        games.push(ShardGame { id, positions, block: file.len() as u64, offset });
        frame::push(&mut block, Tag::GAME, bytes);
        if block.len() >= BLOCK_BYTES || i + 1 == records.len() {
            push_block(&mut file, &block).map_err(FileError::at(FileAction::Write, &path))?;
            block.clear();
        }
    }
    let index_at = file.len() as u64;
    frame::push(&mut file, Tag::INDEX, &index_bytes(&games));
    file.extend(index_at.to_le_bytes());
    file.extend(END_MAGIC);
    write_bytes(&path, &file)?;
    Ok(ShardInfo { number, path, games })
}

fn push_block(file: &mut Vec<u8>, block: &[u8]) -> std::io::Result<()> {
    let len = u32::try_from(block.len()).expect("blocks are closed long before 4 GiB");
    let mut content = Vec::from(len.to_le_bytes());
    content.extend(zstd::bulk::compress(block, LEVEL)?);
    frame::push(file, Tag::BLOCK, &content);
    Ok(())
}

fn index_bytes(games: &[ShardGame]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(28 * games.len());
    for game in games {
        bytes.extend(game.id.generation.to_le_bytes());
        bytes.extend(game.id.number.to_le_bytes());
        bytes.extend(game.positions.to_le_bytes());
        bytes.extend(game.block.to_le_bytes());
        bytes.extend(game.offset.to_le_bytes());
    }
    bytes
}

fn index_from_bytes(bytes: &[u8]) -> Option<Vec<ShardGame>> {
    let mut reader = Reader::new(bytes);
    let mut games = Vec::new();
    while !reader.is_empty() {
        games.push(ShardGame {
            id: GameId { generation: reader.u32()?, number: reader.u64()? },
            positions: reader.u32()?,
            block: reader.u64()?,
            offset: reader.u32()?,
        });
    }
    Some(games)
}

impl ShardInfo {
    /// Reads header and index of the finished shard at `path`; with a damaged index, all of it.
    pub(super) fn open(
        path: PathBuf,
        variant: VariantHash,
        number: ShardNumber,
    ) -> Result<(Self, Vec<Damage>), ReplayError> {
        let parts = read_ends(&path).map_err(FileError::at(FileAction::Read, &path))?;
        check_header(&path, &parts.header, Form::Finished, variant, number)?;
        let index = parts.index.as_deref().and_then(|bytes| {
            let content = frame::content_at(bytes, 0, Tag::INDEX)?;
            index_from_bytes(&bytes[content])
        });
        if let Some(games) = index {
            return Ok((Self { number, path, games }, Vec::new()));
        }
        let shard = Self { number, path, games: Vec::new() };
        let (records, mut damage) = shard.records()?;
        damage.push(Damage {
            path: shard.path.clone(),
            offset: 0,
            bytes: 0,
            reason: "the index is damaged, its blocks were read instead".into(),
        });
        let game = |record: &GameRecord| ShardGame {
            id: record.id,
            positions: record.n_positions(),
            block: 0,
            offset: 0,
        };
        let games = records.iter().map(game).collect();
        Ok((Self { games, ..shard }, damage))
    }

    /// All readable games, and what is not readable.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn records(&self) -> Result<(Vec<GameRecord>, Vec<Damage>), ReplayError> {
        let bytes = read_bytes(&self.path)?;
        let blocks_end = index_offset(&bytes).unwrap_or(bytes.len());
        let bytes = &bytes[..blocks_end.clamp(HEADER.min(bytes.len()), bytes.len())];
        let blocks = frame::scan(bytes, HEADER, Tag::BLOCK);
        let mut damage = Vec::new();
        let mut records = Vec::new();
        let tail = blocks.end..bytes.len();
        for gap in blocks.gaps.into_iter().chain(std::iter::once(tail)) {
            if !gap.is_empty() {
                damage.push(self.damage(gap.start, gap.len(), "not an intact block".into()));
            }
        }
        for content in blocks.contents {
            let at = content.start - frame::HEAD;
            match unpack_block(&bytes[content.clone()]) {
                Ok(block) => {
                    let scan = frame::scan(&block, 0, Tag::GAME);
                    let (found, bad) = parse_games(&self.path, &block, &scan);
                    records.extend(found.into_iter().map(|(record, _)| record));
                    damage.extend(bad);
                }
                Err(reason) => damage.push(self.damage(at, content.len(), reason)),
            }
        }
        Ok((records, damage))
    }

    fn damage(&self, offset: usize, bytes: usize, reason: String) -> Damage {
        let path = self.path.clone();
        Damage { path, offset: offset as u64, bytes: bytes as u64, reason }
    }

    /// Plies of all its games that can be learned from.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.games.iter().map(|game| u64::from(game.positions)).sum()
    }
}

struct Ends {
    header: Vec<u8>,
    /// From the index's frame to the trailer; `None` if the trailer does not say where.
    index: Option<Vec<u8>>,
}

fn read_ends(path: &Path) -> std::io::Result<Ends> {
    let mut file = File::open(path)?;
    let len = file.metadata()?.len();
    let mut header = Vec::new();
    Read::by_ref(&mut file).take(HEADER as u64).read_to_end(&mut header)?;
    let mut index = None;
    if len >= (HEADER + TRAILER) as u64 {
        file.seek(SeekFrom::End(-(TRAILER as i64)))?;
        let mut trailer = [0; TRAILER];
        file.read_exact(&mut trailer)?;
        if let Some(at) = trailer_offset(&trailer)
            && at < len
            && len - at <= (MAX_CONTENT + frame::HEAD + TRAILER) as u64
        {
            let mut bytes = Vec::new();
            file.seek(SeekFrom::Start(at))?;
            file.read_to_end(&mut bytes)?;
            index = Some(bytes);
        }
    }
    Ok(Ends { header, index })
}

fn trailer_offset(trailer: &[u8]) -> Option<u64> {
    let (offset, magic) = trailer.split_at_checked(8)?;
    (magic == END_MAGIC).then(|| Some(u64::from_le_bytes(offset.try_into().ok()?)))?
}

/// Where the index begins, if trailer and index are intact.
fn index_offset(bytes: &[u8]) -> Option<usize> {
    let trailer = bytes.get(bytes.len().checked_sub(TRAILER)?..)?;
    let at = usize::try_from(trailer_offset(trailer)?).ok()?;
    frame::content_at(bytes, at, Tag::INDEX)?;
    Some(at)
}

pub(super) fn unpack_block(content: &[u8]) -> Result<Vec<u8>, String> {
    let mut reader = Reader::new(content);
    let len = reader.u32().ok_or("a block without a length")? as usize;
    if len > 2 * MAX_CONTENT {
        return Err(format!("a block of {len} bytes, expected at most {}", 2 * MAX_CONTENT));
    }
    let block = zstd::bulk::decompress(&content[4..], len).map_err(|error| error.to_string())?;
    if block.len() != len {
        return Err(format!("a block of {} bytes, expected {len}", block.len()));
    }
    Ok(block)
}

/// The games of a scanned stretch with the place of their bytes, and its damage.
pub(super) fn parse_games(
    path: &Path,
    bytes: &[u8],
    scan: &frame::Scan,
) -> (Vec<(GameRecord, std::ops::Range<usize>)>, Vec<Damage>) {
    let damage = |range: &std::ops::Range<usize>, reason: String| Damage {
        path: path.into(),
        offset: range.start as u64,
        bytes: range.len() as u64,
        reason,
    };
    let mut bad: Vec<Damage> =
        scan.gaps.iter().map(|gap| damage(gap, "not an intact record".into())).collect();
    let mut records = Vec::with_capacity(scan.contents.len());
    for content in &scan.contents {
        match GameRecord::from_bytes(&bytes[content.clone()]) {
            Ok(record) => records.push((record, content.clone())),
            Err(error) => bad.push(damage(content, error.to_string())),
        }
    }
    (records, bad)
}
