//! Players, and the ways people meet them.

mod agent;
mod alphabeta;
mod die;
mod greedy;
mod last_turn;
mod pgn;
mod player;
mod random;
mod spec;
mod svg;
mod team;
mod terminal;

pub use agent::AgentPlayer;
pub use alphabeta::AlphaBetaPlayer;
pub use die::roll_die;
pub use greedy::GreedyPlayer;
pub use pgn::{PgnTags, pgn};
pub use player::{Player, PlayerError};
pub use random::RandomPlayer;
pub use spec::{AgentSpec, OpenError, PlayerSpec, RootKind, SpecError};
pub use svg::svg_board;
pub use team::Team;
pub use terminal::{
    BoardStyle, Glyphs, Paint, SaveError, TerminalError, TerminalGame, draw_board, play_in_terminal,
};
