//! From a recorded game to what a network learns.

use gryphon_env::{Action, ActionIndex, Color, Game};
use gryphon_mcts::{ValueMover, ValueWhite, Wdl};

use super::checked::indices;
use super::{CheckedGame, GameEnd, GameId};

/// One position to learn from, with its targets.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Which game it is from.
    pub game_id: GameId,
    /// The number of actions before it.
    pub ply: u32,
    /// The game up to the position.
    pub game: Game,
    /// Who is to move.
    pub mover: Color,
    /// Indices of the legal actions, as the mover sees them, in the position's order.
    pub legal: Vec<ActionIndex>,
    /// The improved policy over `legal`; sums to 1.
    pub policy: Vec<f32>,
    /// The game's result seen by the mover. A cut game's value `v` is spread: `|v|` for the side
    /// it favors, the rest a draw.
    pub result: Wdl,
    /// Whether the ply cap cut the game, so that `result` is an estimate.
    pub is_cut: bool,
    /// Value of the search's root.
    pub root_value: ValueMover,
    /// Actions from here to the game's end, at least 1.
    pub plies_left: u32,
}

impl CheckedGame {
    /// The samples at `plies`, which are some of [`CheckedGame::searched`], ascending.
    ///
    /// # Panics
    /// If they are not.
    #[must_use]
    pub fn samples(&self, plies: &[u32]) -> Vec<Sample> {
        let mut game = Game::new(self.start().clone());
        let mut legal = Vec::new();
        let sample = |&ply: &u32| {
            let actions = &self.actions()[game.actions().len()..ply as usize];
            actions.iter().for_each(|&action| game.play(action));
            self.sample(&game, &mut legal)
        };
        plies.iter().map(sample).collect()
    }

    /// The sample of the position that `game` has come to.
    fn sample(&self, game: &Game, buffer: &mut Vec<Action>) -> Sample {
        let record = self.record();
        let ply = game.actions().len();
        let search = record.plies[ply].search.as_ref().expect("only searched plies are asked for");
        let position = game.position();
        position.legal_actions(buffer);
        let legal = indices(position, buffer).expect("the game was checked");
        let mover = position.side_to_move();
        let (value, is_cut) = match record.end {
            GameEnd::Finished(outcome) => (ValueWhite::of_outcome(outcome), false),
            GameEnd::Truncated { value } => (value.value(), true),
        };
        Sample {
            game_id: record.id,
            ply: u32::try_from(ply).expect("records have at most u32::MAX plies"),
            mover,
            policy: search.policy.over(&legal).expect("the game was checked"),
            legal,
            result: Wdl::of_value(value.to_mover(mover)),
            is_cut,
            root_value: search.value.value().to_mover(mover),
            plies_left: u32::try_from(record.plies.len() - ply).unwrap_or(u32::MAX),
            game: game.clone(),
        }
    }
}
