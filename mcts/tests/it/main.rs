//! The search against real rules, through its public interface.

#![expect(clippy::unwrap_used, reason = "a failing test panics")]

mod golden;
mod mates;
mod protocol;
mod schedule;
mod support;
