//! How much a search may do.

use std::num::{NonZeroU8, NonZeroU64};

/// When a search stops.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum Limit {
    /// After this many positions; the last complete or improved answer counts.
    Nodes(NonZeroU64),
    /// After this many actions of full-width search.
    Depth(NonZeroU8),
}

impl Limit {
    /// At most `count` positions; 0 is taken as 1.
    #[must_use]
    pub const fn nodes(count: u64) -> Self {
        match NonZeroU64::new(count) {
            Some(count) => Self::Nodes(count),
            None => Self::Nodes(NonZeroU64::MIN),
        }
    }

    /// `depth` actions of full-width search; 0 is taken as 1.
    #[must_use]
    pub const fn depth(depth: u8) -> Self {
        match NonZeroU8::new(depth) {
            Some(depth) => Self::Depth(depth),
            None => Self::Depth(NonZeroU8::MIN),
        }
    }
}

/// Which lines a search may leave out.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Selectivity {
    /// Null move, reductions, futility and the table: strong, and wrong now and then.
    Pruned,
    /// Exactly the value of plain minimax to the same depth: for tests and comparisons.
    Exact,
}

/// Settings of the engine.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Config {
    /// Most memory for the transposition table, in bytes.
    pub table_bytes: usize,
    /// Which lines may be left out.
    pub selectivity: Selectivity,
}

impl Default for Config {
    /// 16 MiB of table, pruned.
    fn default() -> Self {
        Self { table_bytes: 16 << 20, selectivity: Selectivity::Pruned }
    }
}
