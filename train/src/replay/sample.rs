//! From a recorded game to what a network learns.

use std::sync::Arc;

use gryphon_env::{Action, ActionIndex, Actor, Color, Game, Position, Variant};
use gryphon_mcts::{ValueMover, ValueWhite, Wdl};

use super::{GameEnd, GameId, GameRecord, PlyRecord, RecordError, RecordedAction};

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

/// A recorded game being played again.
#[derive(Debug)]
pub struct Replayed {
    record: Arc<GameRecord>,
    game: Game,
    legal: Vec<Action>,
}

/// Checks that every action is legal and every policy is about legal actions.
pub(super) fn check_game(
    variant: &'static Variant,
    record: &GameRecord,
) -> Result<(), RecordError> {
    let mut game = Game::new(start(variant, record)?);
    let mut legal = Vec::new();
    for ply in &record.plies {
        let action = legal_action(&game, ply, &mut legal)?;
        if let Some(search) = &ply.search {
            let indices = indices(&game, &legal)?;
            let is_about_legal = !legal.is_empty() && search.policy.over(&indices).is_some();
            is_about_legal.then_some(()).ok_or_else(|| stray_policy(&game))?;
        }
        game.play(action);
    }
    Ok(())
}

fn start(variant: &'static Variant, record: &GameRecord) -> Result<Position, RecordError> {
    Position::from_fen(variant, &record.start).map_err(|error| RecordError {
        field: "start",
        found: format!("`{}` ({error})", record.start),
        expected: "a position of the variant".into(),
    })
}

/// The action of `ply`, if it can be taken in `game`; `legal` gets the legal ones.
pub(crate) fn legal_action(
    game: &Game,
    ply: &PlyRecord,
    legal: &mut Vec<Action>,
) -> Result<Action, RecordError> {
    legal.clear();
    let position = game.position();
    ply.action
        .action(position.variant(), position.side_to_move())
        .filter(|action| match (position.actor(), ply.action) {
            (Actor::Player(_), RecordedAction::Index(_)) => {
                position.legal_actions(legal);
                legal.contains(action)
            }
            (Actor::Chance, RecordedAction::Roll(_)) => {
                let mut outcomes = Vec::new();
                position.chance_outcomes(&mut outcomes);
                outcomes.iter().any(|outcome| outcome.action == *action)
            }
            _ => false,
        })
        .ok_or_else(|| RecordError {
            field: "action",
            found: format!("{:?} after {} actions", ply.action, game.actions().len()),
            expected: format!("a legal action in `{}`", position.fen()),
        })
}

fn indices(game: &Game, legal: &[Action]) -> Result<Vec<ActionIndex>, RecordError> {
    let position = game.position();
    let space = position.variant().action_space();
    let mover = position.side_to_move();
    let index = |&action: &Action| {
        space.index(action, mover).ok_or_else(|| RecordError {
            field: "action",
            found: position.variant().action_text(action),
            expected: "an action of the variant's action space".into(),
        })
    };
    legal.iter().map(index).collect()
}

fn stray_policy(game: &Game) -> RecordError {
    RecordError {
        field: "policy",
        found: format!("an action that is not legal after {} actions", game.actions().len()),
        expected: format!("legal actions in `{}`", game.position().fen()),
    }
}

impl Replayed {
    /// The game at its start.
    ///
    /// # Errors
    /// If its start is not a position of the variant.
    pub fn new(variant: &'static Variant, record: &Arc<GameRecord>) -> Result<Self, RecordError> {
        let game = Game::new(start(variant, record)?);
        Ok(Self { record: Arc::clone(record), game, legal: Vec::new() })
    }

    /// The sample at `ply`, which must be searched and not before an earlier call's.
    ///
    /// # Errors
    /// If there is no such ply, or the game cannot be played by the rules.
    pub fn sample(&mut self, ply: u32) -> Result<Sample, RecordError> {
        let record = Arc::clone(&self.record);
        let wanted = ply as usize;
        let missing = || RecordError {
            field: "plies",
            found: format!("no searched ply {ply}"),
            expected: "the number of one that is still ahead".into(),
        };
        let search = record.plies.get(wanted).and_then(|ply| ply.search.as_ref());
        let search = search.ok_or_else(missing)?;
        while self.game.actions().len() < wanted {
            let next = &record.plies[self.game.actions().len()];
            let action = legal_action(&self.game, next, &mut self.legal)?;
            self.game.play(action);
        }
        if self.game.actions().len() != wanted {
            return Err(missing());
        }
        let position = self.game.position();
        position.legal_actions(&mut self.legal);
        let legal = indices(&self.game, &self.legal)?;
        let mover = position.side_to_move();
        let (value, is_cut) = match record.end {
            GameEnd::Finished(outcome) => (ValueWhite::of_outcome(outcome), false),
            GameEnd::Truncated { value } => (value.value(), true),
        };
        Ok(Sample {
            game_id: record.id,
            ply,
            mover,
            policy: search.policy.over(&legal).ok_or_else(|| stray_policy(&self.game))?,
            legal,
            result: spread(value.to_mover(mover)),
            is_cut,
            root_value: search.value.value().to_mover(mover),
            plies_left: u32::try_from(record.plies.len() - wanted).unwrap_or(u32::MAX),
            game: self.game.clone(),
        })
    }
}

/// A value as probabilities with no more decisive mass than it needs.
fn spread(value: ValueMover) -> Wdl {
    let value = value.get();
    Wdl { win: value.max(0.0), draw: 1.0 - value.abs(), loss: (-value).max(0.0) }
}
