//! Players, and the ways people meet them.

mod player;

pub use player::{Player, PlayerError};
