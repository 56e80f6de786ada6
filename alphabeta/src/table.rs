//! The transposition table: what earlier visits to a position found.

use gryphon_env::{Action, ZobristKey};

use crate::score::{Ply, Score};

/// How a stored score bounds the true one.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) enum Bound {
    /// The true score is at most the stored one.
    Upper,
    /// The true score is at least the stored one.
    Lower,
    /// The stored score is the true one.
    Exact,
}

/// What the table knows about a position.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct Known {
    pub(crate) action: Option<Action>,
    pub(crate) score: Score,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
}

/// 16 bytes. The generation tells entries of earlier searches, which count as absent.
#[derive(Copy, Clone)]
struct Entry {
    key: u64,
    action: Action,
    score: i16,
    depth: u8,
    /// Bits 0–1 bound, bit 2 whether `action` is set, bits 3–7 generation.
    flags: u8,
}

const _: () = assert!(size_of::<Entry>() == 16);

const EMPTY: Entry = Entry { key: 0, action: Action::END, score: 0, depth: 0, flags: 0 };
const LAST_GENERATION: u8 = 31;

impl Entry {
    const fn generation(self) -> u8 {
        self.flags >> 3
    }

    const fn bound(self) -> Bound {
        match self.flags & 3 {
            0 => Bound::Upper,
            1 => Bound::Lower,
            _ => Bound::Exact,
        }
    }
}

/// A table of fixed size; a new entry takes the place of an old or shallower one.
pub(crate) struct Table {
    entries: Vec<Entry>,
    generation: u8,
}

impl Table {
    /// A table of at most `bytes`, but of two entries at least.
    pub(crate) fn new(bytes: usize) -> Self {
        let fitting = (bytes / size_of::<Entry>()).max(2);
        let n_entries = 1usize << fitting.ilog2();
        Self { entries: vec![EMPTY; n_entries], generation: 0 }
    }

    /// Forgets everything, so that no search depends on another.
    pub(crate) fn clear(&mut self) {
        if self.generation == LAST_GENERATION {
            self.entries.fill(EMPTY);
            self.generation = 0;
        }
        self.generation += 1;
    }

    fn slot(&self, key: ZobristKey) -> usize {
        key.0 as usize & (self.entries.len() - 1)
    }

    pub(crate) fn probe(&self, key: ZobristKey, ply: Ply) -> Option<Known> {
        let entry = self.entries[self.slot(key)];
        (entry.key == key.0 && entry.generation() == self.generation).then(|| Known {
            action: (entry.flags & 4 != 0).then_some(entry.action),
            score: Score::from_table(entry.score, ply),
            depth: entry.depth,
            bound: entry.bound(),
        })
    }

    pub(crate) fn store(&mut self, key: ZobristKey, ply: Ply, known: Known) {
        let slot = self.slot(key);
        let old = self.entries[slot];
        let current = old.generation() == self.generation;
        if current && old.key != key.0 && old.depth > known.depth.saturating_add(3) {
            return;
        }
        let kept = (current && old.key == key.0 && old.flags & 4 != 0).then_some(old.action);
        let action = known.action.or(kept);
        let bound = match known.bound {
            Bound::Upper => 0,
            Bound::Lower => 1,
            Bound::Exact => 2,
        };
        self.entries[slot] = Entry {
            key: key.0,
            action: action.unwrap_or(Action::END),
            score: known.score.to_table(ply),
            depth: known.depth,
            flags: bound | u8::from(action.is_some()) << 2 | self.generation << 3,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(depth: u8) -> Known {
        Known { action: None, score: Score::mate_in(7), depth, bound: Bound::Lower }
    }

    #[test]
    fn what_was_stored_comes_back_until_the_next_search() {
        let mut table = Table::new(1 << 10);
        table.clear();
        let key = ZobristKey(0xABCD_EF01_2345_6789);
        for action in [None, Some(Action::END)] {
            let known = Known { action, ..known(5) };
            table.store(key, 3, known);
            assert_eq!(table.probe(key, 3), Some(known));
        }
        assert_eq!(table.probe(ZobristKey(key.0 ^ 1 << 60), 3), None);
        for _ in 0..100 {
            table.clear();
            assert_eq!(table.probe(key, 3), None);
        }
    }

    #[test]
    fn an_empty_table_knows_nothing_about_key_zero() {
        let mut table = Table::new(0);
        table.clear();
        assert_eq!(table.probe(ZobristKey(0), 0), None);
    }

    #[test]
    fn a_shallow_entry_does_not_push_out_a_deep_one() {
        let mut table = Table::new(0);
        table.clear();
        let (deep, shallow) = (ZobristKey(2), ZobristKey(4));
        table.store(deep, 0, known(9));
        table.store(shallow, 0, known(1));
        assert!(table.probe(deep, 0).is_some() && table.probe(shallow, 0).is_none());
        table.store(shallow, 0, known(8));
        assert!(table.probe(deep, 0).is_none() && table.probe(shallow, 0).is_some());
    }
}
