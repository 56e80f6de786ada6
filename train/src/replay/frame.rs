//! Frames: a tag, a length, a checksum and the content, so that damage is seen and stays local.

use std::ops::Range;

/// What a frame holds.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) struct Tag(pub(super) [u8; 4]);

impl Tag {
    /// One game's record.
    pub(super) const GAME: Self = Self(*b"GAME");
    /// A compressed block of game frames.
    pub(super) const BLOCK: Self = Self(*b"BLCK");
    /// The index of a finished shard.
    pub(super) const INDEX: Self = Self(*b"INDX");
}

/// Bytes before a frame's content: tag, length, checksum.
pub(super) const HEAD: usize = 12;

/// Longest content; a length beyond it is damage, and is never allocated.
pub(super) const MAX_CONTENT: usize = 64 << 20;

/// Appends a frame. The content must not be longer than [`MAX_CONTENT`].
pub(super) fn push(out: &mut Vec<u8>, tag: Tag, content: &[u8]) {
    let len = u32::try_from(content.len()).expect("content of at most MAX_CONTENT bytes");
    out.extend(tag.0);
    out.extend(len.to_le_bytes());
    out.extend(checksum(tag, len, content).to_le_bytes());
    out.extend(content);
}

/// The checksum covers tag and length too: a frame moved or renamed is damage.
fn checksum(tag: Tag, len: u32, content: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&tag.0);
    hasher.update(&len.to_le_bytes());
    hasher.update(content);
    hasher.finalize()
}

/// Where the content of the frame at `at` lies; `None` if no intact frame of this tag is there.
pub(super) fn content_at(bytes: &[u8], at: usize, tag: Tag) -> Option<Range<usize>> {
    let head = bytes.get(at..at.checked_add(HEAD)?)?;
    if head[..4] != tag.0 {
        return None;
    }
    let len = u32::from_le_bytes(head[4..8].try_into().ok()?);
    let stored = u32::from_le_bytes(head[8..].try_into().ok()?);
    let begin = at + HEAD;
    let range = begin..begin.checked_add(len as usize)?;
    let content = bytes.get(range.clone())?;
    (content.len() <= MAX_CONTENT && checksum(tag, len, content) == stored).then_some(range)
}

/// What a run of frames holds.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// Contents of the intact frames.
    pub(super) contents: Vec<Range<usize>>,
    /// Stretches between intact frames, and before the first, that are none.
    pub(super) gaps: Vec<Range<usize>>,
    /// End of the last intact frame; what follows it is a torn tail.
    pub(super) end: usize,
}

/// Finds all intact frames of `tag` from `start` on. Damage is stepped over: the next frame is the
/// next place where tag, length and checksum agree.
pub(super) fn scan(bytes: &[u8], start: usize, tag: Tag) -> Scan {
    let mut found = Scan { end: start, ..Scan::default() };
    let mut at = start;
    while at < bytes.len() {
        if let Some(content) = content_at(bytes, at, tag) {
            if at > found.end {
                found.gaps.push(found.end..at);
            }
            at = content.end;
            found.end = at;
            found.contents.push(content);
        } else {
            let Some(step) = find(&bytes[at + 1..], &tag.0) else { break };
            at += 1 + step;
        }
    }
    found
}

fn find(bytes: &[u8], pattern: &[u8; 4]) -> Option<usize> {
    bytes.windows(4).position(|window| window == pattern)
}
