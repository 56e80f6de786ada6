//! What a drawn board marks.

use gryphon_env::{ActionKind, Game, Square};

/// From and to of the actions that the side which acted last took in a row, swaps included.
pub(crate) fn last_turn_squares(game: &Game) -> Vec<Square> {
    let mut replay = game.start().clone();
    let mut squares = Vec::new();
    let mut last_side = None;
    for &action in game.actions() {
        let side = Some(replay.side_to_move());
        match action.kind() {
            ActionKind::Move { from: a, to: b, .. } | ActionKind::Swap { first: a, second: b } => {
                if side != last_side {
                    squares.clear();
                }
                last_side = side;
                squares.extend([a, b]);
            }
            ActionKind::End | ActionKind::Roll(_) => {}
        }
        replay.play(action);
    }
    squares
}
