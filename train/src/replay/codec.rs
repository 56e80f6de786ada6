//! Records as bytes. The layout is specified in `docs/reference/shards.md`.

use gryphon_env::{ActionIndex, Color, DrawReason, Face, Outcome, RunSeed, VariantHash, WinReason};

use super::bytes::Reader;
use super::record::{
    GameEnd, GameId, GameRecord, PlyRecord, RecordedAction, SearchRecord, StoredValue,
};
use super::{PolicyEntry, RecordError, SparsePolicy};

/// Version of the record layout.
const FORMAT: u8 = 1;

/// Action words from here on are rolls; the low byte is the face.
const ROLLS: u16 = 0xff00;

const WIN_REASONS: [WinReason; 3] =
    [WinReason::Checkmate, WinReason::Stalemate, WinReason::BareKing];

const DRAW_REASONS: [DrawReason; 5] = [
    DrawReason::Stalemate,
    DrawReason::Repetition,
    DrawReason::Clock,
    DrawReason::OnlyKings,
    DrawReason::InsufficientMaterial,
];

/// Code of a truncated game; others are `16 * (0 draw, 1 White wins, 2 Black wins) + reason`.
const TRUNCATED: u8 = 0xff;

impl GameRecord {
    /// The record as bytes.
    ///
    /// # Errors
    /// If the FEN is longer than 65,535 bytes, there are more than `u32::MAX` plies, or an index is
    /// beyond 65,279.
    pub fn to_bytes(&self) -> Result<Vec<u8>, RecordError> {
        let too_long = |field, found: usize, expected: &str| RecordError {
            field,
            found: found.to_string(),
            expected: expected.into(),
        };
        let fen_len = u16::try_from(self.start.len())
            .map_err(|_| too_long("start", self.start.len(), "at most 65535 bytes"))?;
        let n_plies = u32::try_from(self.plies.len())
            .map_err(|_| too_long("plies", self.plies.len(), "at most 4294967295"))?;
        let (end, value) = end_code(self.end);
        let mut out = Vec::with_capacity(64 + self.start.len() + 90 * self.plies.len());
        out.push(FORMAT);
        out.extend(self.variant.0);
        out.extend(self.id.generation.to_le_bytes());
        out.extend(self.id.number.to_le_bytes());
        out.extend(self.seed.0.to_le_bytes());
        out.push(end);
        out.extend(value.0.to_le_bytes());
        out.extend(fen_len.to_le_bytes());
        out.extend(n_plies.to_le_bytes());
        out.extend(self.start.as_bytes());
        for ply in &self.plies {
            write_ply(&mut out, ply)?;
        }
        Ok(out)
    }

    /// Reads what [`GameRecord::to_bytes`] wrote.
    ///
    /// # Errors
    /// If the bytes are anything else; the error names the field.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RecordError> {
        let mut reader = Reader::new(bytes);
        let record = read_record(&mut reader)?;
        if !reader.is_empty() {
            return Err(RecordError {
                field: "record",
                found: "bytes after the last ply".into(),
                expected: "its end".into(),
            });
        }
        Ok(record)
    }
}

/// Appends one ply.
pub(crate) fn write_ply(out: &mut Vec<u8>, ply: &PlyRecord) -> Result<(), RecordError> {
    let word = match ply.action {
        RecordedAction::Index(ActionIndex(index)) if index < ROLLS => index,
        RecordedAction::Index(ActionIndex(index)) => {
            return Err(RecordError {
                field: "action",
                found: index.to_string(),
                expected: format!("an index below {ROLLS}"),
            });
        }
        RecordedAction::Roll(face) => ROLLS | u16::from(face.0),
    };
    out.extend(word.to_le_bytes());
    let Some(search) = &ply.search else {
        out.push(0);
        return Ok(());
    };
    let entries = search.policy.entries();
    out.push(u8::try_from(entries.len() + 1).expect("at most TOP_ACTIONS entries"));
    out.extend(search.value.0.to_le_bytes());
    out.extend(search.simulations.to_le_bytes());
    for entry in entries {
        out.extend(entry.index.0.to_le_bytes());
        out.extend(entry.steps.to_le_bytes());
    }
    Ok(())
}

fn read_record(reader: &mut Reader<'_>) -> Result<GameRecord, RecordError> {
    let format = reader.u8().ok_or_else(|| cut_short("format"))?;
    if format != FORMAT {
        return Err(RecordError {
            field: "format",
            found: format.to_string(),
            expected: format!("{FORMAT}, which this build reads"),
        });
    }
    let head = || cut_short("head");
    let variant = VariantHash(reader.array().ok_or_else(head)?);
    let generation = reader.u32().ok_or_else(head)?;
    let number = reader.u64().ok_or_else(head)?;
    let seed = RunSeed(reader.u64().ok_or_else(head)?);
    let end_byte = reader.u8().ok_or_else(head)?;
    let end_value = StoredValue(reader.i16().ok_or_else(head)?);
    let fen_len = reader.u16().ok_or_else(head)?;
    let n_plies = reader.u32().ok_or_else(head)?;
    let start = reader.take(fen_len.into()).ok_or_else(|| cut_short("start"))?;
    let start = std::str::from_utf8(start).map_err(|error| RecordError {
        field: "start",
        found: error.to_string(),
        expected: "a FEN in UTF-8".into(),
    })?;
    // Not `with_capacity`: a wrong count must not reserve memory.
    let plies = (0..n_plies).map(|_| read_ply(reader)).collect::<Result<Vec<_>, _>>()?;
    Ok(GameRecord {
        variant,
        id: GameId { generation, number },
        seed,
        start: start.into(),
        plies,
        end: end_from_code(end_byte, end_value)?,
    })
}

/// Reads what [`write_ply`] wrote.
pub(crate) fn read_ply(reader: &mut Reader<'_>) -> Result<PlyRecord, RecordError> {
    let cut = || cut_short("ply");
    let word = reader.u16().ok_or_else(cut)?;
    let action = match word {
        ROLLS.. => RecordedAction::Roll(Face((word - ROLLS) as u8)),
        index => RecordedAction::Index(ActionIndex(index)),
    };
    let n_entries = match reader.u8().ok_or_else(cut)? {
        0 => return Ok(PlyRecord { action, search: None }),
        n => n - 1,
    };
    let value = StoredValue(reader.i16().ok_or_else(cut)?);
    let simulations = reader.u32().ok_or_else(cut)?;
    let entry = |reader: &mut Reader<'_>| {
        Some(PolicyEntry { index: ActionIndex(reader.u16()?), steps: reader.u16()? })
    };
    let entries: Option<Vec<PolicyEntry>> = (0..n_entries).map(|_| entry(reader)).collect();
    let policy = SparsePolicy::from_entries(entries.ok_or_else(cut)?);
    let policy = policy.ok_or_else(|| RecordError {
        field: "policy",
        found: format!("{n_entries} entries out of order or of more than the whole"),
        expected: "sorted entries of at most 65535 steps together".into(),
    })?;
    Ok(PlyRecord { action, search: Some(SearchRecord { value, simulations, policy }) })
}

/// The bytes end within `field`.
pub(crate) fn cut_short(field: &'static str) -> RecordError {
    RecordError { field, found: "the record's end".into(), expected: "more bytes".into() }
}

fn end_code(end: GameEnd) -> (u8, StoredValue) {
    let code = match end {
        GameEnd::Truncated { value } => return (TRUNCATED, value),
        GameEnd::Finished(Outcome::Draw { reason }) => position_of(&DRAW_REASONS, &reason),
        GameEnd::Finished(Outcome::Decisive { winner, reason }) => {
            let side = match winner {
                Color::White => 16,
                Color::Black => 32,
            };
            side + position_of(&WIN_REASONS, &reason)
        }
    };
    (code, StoredValue(0))
}

fn position_of<T: PartialEq>(all: &[T], one: &T) -> u8 {
    all.iter().position(|other| other == one).expect("every reason is listed") as u8
}

fn end_from_code(code: u8, value: StoredValue) -> Result<GameEnd, RecordError> {
    if code == TRUNCATED {
        return Ok(GameEnd::Truncated { value });
    }
    let reason = usize::from(code % 16);
    let decisive =
        |winner| WIN_REASONS.get(reason).map(|&reason| Outcome::Decisive { winner, reason });
    let outcome = match code / 16 {
        0 => DRAW_REASONS.get(reason).map(|&reason| Outcome::Draw { reason }),
        1 => decisive(Color::White),
        2 => decisive(Color::Black),
        _ => None,
    };
    outcome.filter(|_| value == StoredValue(0)).map(GameEnd::Finished).ok_or_else(|| RecordError {
        field: "end",
        found: format!("code {code}, value {}", value.0),
        expected: "a known outcome with value 0, or 255 with a value".into(),
    })
}
