//! Players, and the ways people meet them.

mod agent;
mod alphabeta;
mod greedy;
mod player;
mod random;
mod spec;

pub use agent::AgentPlayer;
pub use alphabeta::AlphaBetaPlayer;
pub use greedy::GreedyPlayer;
pub use player::{Player, PlayerError};
pub use random::RandomPlayer;
pub use spec::{AgentSpec, OpenError, PlayerSpec, SpecError};
