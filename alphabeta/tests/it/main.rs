//! Tests of the engine through its public interface, on every built-in variant where it can be.

mod evaluation;
mod exact;
mod mates;
mod search;
mod support;
