//! The search against real rules, through its public interface.

#![expect(clippy::unwrap_used, reason = "a failing test panics")]

mod cache;
mod dice;
mod forced;
mod golden;
mod mates;
mod memory;
mod play;
mod protocol;
mod repetition;
mod schedule;
mod sides;
mod support;
