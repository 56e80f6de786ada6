//! Tests of the rules at the crate's public boundary.

#![expect(clippy::unwrap_used, reason = "a failing test panics")]

mod action_space;
mod fixtures;
mod mirror;
mod observation;
mod perft;
mod random_games;
mod reference;
mod winning_actions;
