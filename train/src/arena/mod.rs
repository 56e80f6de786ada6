//! Matches between two players, and what they prove.
//!
//! Every opening is played twice with colors changed, many games advance together so that a network
//! sees full batches, and the result carries an interval. The same seed gives the same games,
//! however many advance at once, as long as the players answer alike in every batch.

mod game;
mod matches;
mod openings;
mod pgn;
mod report;
mod statistics;

pub use game::{ArenaGame, Contestant, End, GameNumber};
pub use matches::{ArenaError, MatchConfig, Progress, Stop, concurrency, play_match};
pub use openings::{OpeningError, OpeningPlies, random_opening};
pub use pgn::pgn;
pub use report::{MatchReport, MatchSummary, Tally};
pub use statistics::{Elo, Estimate, Pentanomial};

#[cfg(test)]
mod tests;
