//! Which engine computes the network in self-play.
//!
//! 8-bit numbers are the fastest, but lose some of a network's answers, so every network is tested anew:
//! the ranges of its numbers are found on some positions, and its answers compared with those of fp32 on
//! others.

mod choice;
mod positions;

pub use choice::{Choice, Int8Verdict, playing_net, quantized_net};
pub use positions::{N_POSITIONS, Positions};
