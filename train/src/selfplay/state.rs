//! The games in flight as a checkpoint holds them.

use super::{GroupState, SlotState};
use crate::replay::{Reader, RecordError, cut_short, read_ply, write_ply};

/// First bytes of the file.
const MAGIC: [u8; 8] = *b"GRYFLY01";

/// All groups as bytes, little-endian: magic; number of groups `u32`; for each group the games it
/// started `u64` and its number of slots `u32`; for each slot its game's number `u64`, the number of
/// plies `u32`, and the plies as in a shard.
///
/// # Errors
/// If a ply cannot be written in the shards' format.
pub fn groups_to_bytes(groups: &[GroupState]) -> Result<Vec<u8>, RecordError> {
    let mut out = MAGIC.to_vec();
    out.extend((groups.len() as u32).to_le_bytes());
    for group in groups {
        out.extend(group.started.to_le_bytes());
        out.extend((group.slots.len() as u32).to_le_bytes());
        for slot in &group.slots {
            out.extend(slot.number.to_le_bytes());
            out.extend((slot.plies.len() as u32).to_le_bytes());
            slot.plies.iter().try_for_each(|ply| write_ply(&mut out, ply))?;
        }
    }
    Ok(out)
}

/// Reads what [`groups_to_bytes`] wrote.
///
/// # Errors
/// If the bytes are anything else.
pub fn groups_from_bytes(bytes: &[u8]) -> Result<Vec<GroupState>, RecordError> {
    let mut reader = Reader::new(bytes);
    if reader.array() != Some(MAGIC) {
        return Err(RecordError {
            field: "games in flight",
            found: "other first bytes".into(),
            expected: "`GRYFLY01`".into(),
        });
    }
    let n_groups = reader.u32().ok_or_else(|| cut_short("groups"))?;
    let groups = (0..n_groups).map(|_| read_group(&mut reader)).collect::<Result<_, _>>()?;
    if reader.is_empty() {
        return Ok(groups);
    }
    Err(RecordError {
        field: "games in flight",
        found: "bytes after the last game".into(),
        expected: "their end".into(),
    })
}

fn read_group(reader: &mut Reader<'_>) -> Result<GroupState, RecordError> {
    let started = reader.u64().ok_or_else(|| cut_short("group"))?;
    let n_slots = reader.u32().ok_or_else(|| cut_short("group"))?;
    let slots = (0..n_slots).map(|_| read_slot(reader)).collect::<Result<_, _>>()?;
    Ok(GroupState { started, slots })
}

fn read_slot(reader: &mut Reader<'_>) -> Result<SlotState, RecordError> {
    let number = reader.u64().ok_or_else(|| cut_short("game"))?;
    let n_plies = reader.u32().ok_or_else(|| cut_short("game"))?;
    let plies = (0..n_plies).map(|_| read_ply(reader)).collect::<Result<_, _>>()?;
    Ok(SlotState { number, plies })
}
