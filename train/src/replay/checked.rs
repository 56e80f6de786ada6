//! Recorded games that were found to follow the rules.

use std::sync::Arc;

use gryphon_env::{Action, ActionIndex, Actor, Game, Position, Variant};

use super::{GameRecord, PlyRecord, RecordError, RecordedAction};

/// A recorded game whose every action is legal and whose every policy is about legal actions.
#[derive(Clone, Debug)]
pub struct CheckedGame {
    record: Arc<GameRecord>,
    start: Position,
    actions: Box<[Action]>,
    /// Plies that can be learned from, ascending.
    searched: Box<[u32]>,
}

impl CheckedGame {
    /// Plays the game by the rules of `variant`.
    ///
    /// # Errors
    /// If it cannot be played; the error names ply and position.
    pub fn new(variant: &'static Variant, record: GameRecord) -> Result<Self, RecordError> {
        let start = start(variant, &record)?;
        let mut game = Game::new(start.clone());
        let mut legal = Vec::new();
        let mut searched = Vec::new();
        for (i, ply) in record.plies.iter().enumerate() {
            let action = legal_action(&game, ply, &mut legal)?;
            if let Some(search) = &ply.search {
                let indices = indices(game.position(), &legal)?;
                let is_about_legal = !legal.is_empty() && search.policy.is_over(&indices);
                is_about_legal.then_some(()).ok_or_else(|| stray_policy(&game))?;
                searched.push(u32::try_from(i).expect("records have at most u32::MAX plies"));
            }
            game.play(action);
        }
        Ok(Self {
            record: Arc::new(record),
            start,
            actions: game.actions().into(),
            searched: searched.into(),
        })
    }

    /// The record.
    #[must_use]
    pub const fn record(&self) -> &Arc<GameRecord> {
        &self.record
    }

    /// Its actions, in order.
    #[must_use]
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The position it began at.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// Plies that can be learned from, ascending.
    #[must_use]
    pub fn searched(&self) -> &[u32] {
        &self.searched
    }
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

/// Indices of the `legal` actions in `position`, as the mover sees them.
pub(super) fn indices(
    position: &Position,
    legal: &[Action],
) -> Result<Vec<ActionIndex>, RecordError> {
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
