//! Tests of the rules at the crate's public boundary.

mod fixtures;
mod perft;
