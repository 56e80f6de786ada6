//! Playing in a terminal: a drawn board, actions as text, a few commands.

mod board;
mod command;
mod save;
mod session;

pub use board::{BoardStyle, Glyphs, Paint, draw_board};
pub use save::SaveError;
pub use session::{TerminalError, TerminalGame, play_in_terminal};
