//! Evaluations remembered, so that no position is asked about twice.
//!
//! A table of keys points into one ring of numbers. Both have a fixed size; the oldest entries are
//! overwritten first. What is found never depends on anything but what was put in, in which order.

use gryphon_env::{Action, Repetitions, ZobristKey};

use crate::{Evaluation, Query, Wdl};

/// Everything that an evaluator may see of a query: the position with its die, phase and turn, the
/// clock, earlier occurrences, the last action, and how many actions are legal.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub struct EvaluationKey {
    position: ZobristKey,
    last_action: Option<Action>,
    halfmove_clock: u16,
    n_legal: u16,
    repetitions: u8,
}

impl EvaluationKey {
    /// The key of `query`.
    #[must_use]
    pub fn of(query: &Query<'_>) -> Self {
        Self {
            position: query.position.key(),
            last_action: query.context.last_action,
            halfmove_clock: query.position.halfmove_clock(),
            n_legal: query.legal.len() as u16,
            repetitions: query.context.repetitions.min(Repetitions::DRAW).0,
        }
    }

    /// A bucket among `n_buckets`, a power of two.
    fn bucket(&self, n_buckets: usize) -> usize {
        let action = self.last_action.map_or(0, |action| u64::from(action.bits()) + 1);
        let rest = action << 24 ^ u64::from(self.halfmove_clock) << 8 ^ u64::from(self.repetitions);
        let mixed = (self.position.0 ^ rest).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize & (n_buckets - 1)
    }
}

/// Evaluations by what the evaluator saw, in bounded memory.
///
/// Belongs to one evaluator: [`EvaluationCache::clear`] it when that changes. As long as the evaluator
/// answers equal queries equally, results of searches are the same with and without it.
#[derive(Clone, Debug)]
pub struct EvaluationCache {
    /// Buckets of [`WAYS`] entries.
    entries: Vec<Option<Entry>>,
    /// Logits of all entries, a ring.
    logits: Vec<f32>,
    /// Numbers written since the start; the next goes to this place modulo the ring's length.
    written: u64,
    n_asked: u64,
    n_found: u64,
}

#[derive(Copy, Clone, Debug)]
struct Entry {
    key: EvaluationKey,
    wdl: Wdl,
    /// Where its logits begin, counted as `written` is.
    start: u64,
}

/// Entries of a bucket.
const WAYS: usize = 4;
/// Logits of the ring for each entry: about the number of legal actions on a small board.
const LOGITS_PER_ENTRY: usize = 32;

/// How often a cache was asked, and how often it knew.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct CacheStatistics {
    /// Queries.
    pub asked: u64,
    /// Queries answered.
    pub found: u64,
}

impl CacheStatistics {
    /// What came after `earlier`, a state of the same cache.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Self {
        Self { asked: self.asked - earlier.asked, found: self.found - earlier.found }
    }

    /// The share of queries that were answered; `None` without queries.
    #[must_use]
    pub fn hits(self) -> Option<f64> {
        (self.asked > 0).then(|| self.found as f64 / self.asked as f64)
    }
}

impl EvaluationCache {
    /// A cache that remembers nothing.
    #[must_use]
    pub const fn off() -> Self {
        Self { entries: Vec::new(), logits: Vec::new(), written: 0, n_asked: 0, n_found: 0 }
    }

    /// A cache that takes at most `bytes` of memory; one that remembers nothing if that is too
    /// little.
    #[must_use]
    pub fn with_bytes(bytes: usize) -> Self {
        let entry = size_of::<Option<Entry>>() + LOGITS_PER_ENTRY * size_of::<f32>();
        let n_buckets = bytes / (WAYS * entry);
        if n_buckets == 0 {
            return Self::off();
        }
        // The largest power of two that fits.
        let n_buckets = 1 << n_buckets.ilog2();
        let n_entries = n_buckets * WAYS;
        let spare = bytes - n_entries * size_of::<Option<Entry>>();
        Self {
            entries: vec![None; n_entries],
            logits: vec![0.0; spare / size_of::<f32>()],
            ..Self::off()
        }
    }

    /// Bytes of memory taken.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.entries.capacity() * size_of::<Option<Entry>>()
            + self.logits.capacity() * size_of::<f32>()
    }

    /// Whether nothing is ever remembered.
    #[must_use]
    pub fn is_off(&self) -> bool {
        self.entries.is_empty()
    }

    /// How often it was asked since it was made.
    #[must_use]
    pub const fn statistics(&self) -> CacheStatistics {
        CacheStatistics { asked: self.n_asked, found: self.n_found }
    }

    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.entries.fill(None);
        self.written = 0;
    }

    /// The logits and value remembered for `key`.
    pub fn get(&mut self, key: &EvaluationKey) -> Option<(&[f32], Wdl)> {
        if self.is_off() {
            return None;
        }
        self.n_asked += 1;
        let bucket = self.bucket(key);
        let entry = self.entries[bucket].iter().flatten().find(|entry| entry.key == *key)?;
        let place = self.place(entry)?;
        self.n_found += 1;
        Some((&self.logits[place..place + usize::from(key.n_legal)], entry.wdl))
    }

    /// Remembers an evaluation. One with more logits than the whole cache holds is forgotten at once.
    ///
    /// # Panics
    /// If `evaluation` has not one logit a legal action.
    pub fn insert(&mut self, key: EvaluationKey, evaluation: &Evaluation) {
        let n_logits = usize::from(key.n_legal);
        assert_eq!(evaluation.logits.len(), n_logits, "an evaluation has one logit a legal action");
        if n_logits > self.logits.len() {
            return;
        }
        let place = self.make_room(n_logits);
        self.logits[place..place + n_logits].copy_from_slice(&evaluation.logits);
        let entry = Entry { key, wdl: evaluation.wdl, start: self.written };
        self.written += n_logits as u64;
        let bucket = self.bucket(&key);
        let entries = &mut self.entries[bucket];
        let same = entries.iter().position(|old| old.is_some_and(|old| old.key == key));
        let oldest = || {
            let age = |&way: &usize| entries[way].map_or(0, |old| old.start + 1);
            (0..WAYS).min_by_key(age).unwrap_or(0)
        };
        let way = same.unwrap_or_else(oldest);
        entries[way] = Some(entry);
    }

    fn bucket(&self, key: &EvaluationKey) -> std::ops::Range<usize> {
        let first = key.bucket(self.entries.len() / WAYS) * WAYS;
        first..first + WAYS
    }

    /// Where the logits of `entry` are, unless they have been overwritten.
    fn place(&self, entry: &Entry) -> Option<usize> {
        let length = self.logits.len() as u64;
        (entry.start + length >= self.written).then_some((entry.start % length) as usize)
    }

    /// The place of the next `n` logits, which never wrap around the end of the ring.
    fn make_room(&mut self, n: usize) -> usize {
        let length = self.logits.len();
        let place = (self.written % length as u64) as usize;
        if place + n <= length {
            return place;
        }
        self.written += (length - place) as u64;
        0
    }
}
