//! Tests of players and of the terminal through the public interface.

mod pgn;
mod players;
mod svg;
mod terminal;
