//! The search against real rules, through its public interface.

#![expect(clippy::unwrap_used, reason = "a failing test panics")]

mod dice;
mod golden;
mod mates;
mod protocol;
mod repetition;
mod schedule;
mod sides;
mod support;
