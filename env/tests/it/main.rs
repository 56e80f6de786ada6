//! Tests of the rules at the crate's public boundary.

#![expect(clippy::unwrap_used, reason = "a failing test panics")]

mod action_space;
mod allocations;
mod batch;
mod fen;
mod fixtures;
mod mirror;
mod observation;
mod perft;
mod properties;
mod random_games;
mod reference;
mod variants;
mod winning_actions;
