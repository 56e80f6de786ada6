//! Tests of the crate from outside.
#![expect(clippy::unwrap_used, reason = "a panic fails the test, as it should")]

mod bench;
mod crash;
mod errors;
mod evaluation;
mod gryphon;
mod metrics;
mod resume;
