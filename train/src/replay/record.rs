//! What is kept of a game.

use std::fmt;

use gryphon_env::{Action, ActionIndex, Color, Face, Outcome, RunSeed, Variant, VariantHash};
use gryphon_mcts::{SearchResult, ValueWhite};
use serde::{Deserialize, Serialize};

use super::{RecordError, SparsePolicy};

/// Which game of a run. Ordered by generation, then number.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash, Serialize, Deserialize)]
pub struct GameId {
    /// The training cycle that played it.
    pub generation: u32,
    /// Its number within the generation.
    pub number: u64,
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.generation, self.number)
    }
}

/// Everything needed to play a game again and learn from it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct GameRecord {
    /// The rules it was played by.
    pub variant: VariantHash,
    /// Which game it is.
    pub id: GameId,
    /// Seed of the run that played it.
    pub seed: RunSeed,
    /// FEN of the position it began at.
    pub start: String,
    /// Its actions, in order.
    pub plies: Vec<PlyRecord>,
    /// How it ended.
    pub end: GameEnd,
}

/// One action of a game.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PlyRecord {
    /// The action.
    pub action: RecordedAction,
    /// The search that chose it; `None` for rolls and random openings. Only searched plies are
    /// learned from.
    pub search: Option<SearchRecord>,
}

/// An action as shards store it.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum RecordedAction {
    /// A player's action, as the mover sees it. At most 65,279.
    Index(ActionIndex),
    /// A roll of the die.
    Roll(Face),
}

/// What a search found.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SearchRecord {
    /// Value of the root.
    pub value: StoredValue,
    /// Simulations run.
    pub simulations: u32,
    /// The improved policy.
    pub policy: SparsePolicy,
}

/// A value seen by White, in steps of 1/32767.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct StoredValue(pub(super) i16);

/// How a recorded game ended.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum GameEnd {
    /// By the rules.
    Finished(Outcome),
    /// By the ply cap; it has no result.
    Truncated {
        /// What the run's rule for cut games says it is worth.
        value: StoredValue,
    },
}

impl StoredValue {
    /// The nearest stored value.
    #[must_use]
    pub fn new(value: ValueWhite) -> Self {
        Self((value.get() * f32::from(i16::MAX)).round() as i16)
    }

    /// The value.
    #[must_use]
    pub fn value(self) -> ValueWhite {
        ValueWhite::new(f32::from(self.0) / f32::from(i16::MAX))
    }
}

impl RecordedAction {
    /// `action` taken by `mover` (any color for rolls).
    ///
    /// # Errors
    /// If the variant's action space does not hold it.
    pub fn new(variant: &Variant, action: Action, mover: Color) -> Result<Self, RecordError> {
        if let gryphon_env::ActionKind::Roll(face) = action.kind() {
            return Ok(Self::Roll(face));
        }
        variant.action_space().index(action, mover).map(Self::Index).ok_or_else(|| RecordError {
            field: "action",
            found: variant.action_text(action),
            expected: "an action of the variant's action space".into(),
        })
    }

    /// The action, when `mover` is to move; `None` if the index is beyond the action space.
    #[must_use]
    pub fn action(self, variant: &Variant, mover: Color) -> Option<Action> {
        match self {
            Self::Index(index) => variant.action_space().action(index, mover),
            Self::Roll(face) => Some(Action::new_roll(face)),
        }
    }
}

impl SearchRecord {
    /// What to keep of `result`, a search in which `mover` was to move.
    ///
    /// # Errors
    /// If the variant's action space does not hold one of its actions.
    pub fn new(
        variant: &Variant,
        result: &SearchResult,
        mover: Color,
    ) -> Result<Self, RecordError> {
        let mut probabilities = Vec::with_capacity(result.actions.len());
        for root in &result.actions {
            match RecordedAction::new(variant, root.action, mover)? {
                RecordedAction::Index(index) => probabilities.push((index, root.improved)),
                RecordedAction::Roll(_) => {
                    return Err(RecordError {
                        field: "policy",
                        found: variant.action_text(root.action),
                        expected: "actions of a player".into(),
                    });
                }
            }
        }
        Ok(Self {
            value: StoredValue::new(result.value),
            simulations: result.simulations,
            policy: SparsePolicy::new(&probabilities),
        })
    }
}

impl GameRecord {
    /// Number of plies that can be learned from.
    #[must_use]
    pub fn n_positions(&self) -> u32 {
        let n = self.plies.iter().filter(|ply| ply.search.is_some()).count();
        u32::try_from(n).unwrap_or(u32::MAX)
    }
}
