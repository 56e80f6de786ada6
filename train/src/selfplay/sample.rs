//! Drawing actions and rolls.

use gryphon_env::{Action, ChanceOutcome};
use gryphon_mcts::SearchResult;
use rand::{Rng, RngExt};

/// An action drawn from the improved policy of `found`.
pub(super) fn improved_action(found: &SearchResult, rng: &mut impl Rng) -> Action {
    let weights = found.actions.iter().map(|root| (root.action, root.improved));
    draw(weights, rng).unwrap_or(found.action)
}

/// A roll of the die; `None` if there is none to make.
pub(super) fn roll(outcomes: &[ChanceOutcome], rng: &mut impl Rng) -> Option<Action> {
    draw(outcomes.iter().map(|outcome| (outcome.action, outcome.probability)), rng)
}

/// One of the actions, as likely as its weight says; the last with any weight if rounding left the
/// sum short of 1.
fn draw(weights: impl Iterator<Item = (Action, f32)>, rng: &mut impl Rng) -> Option<Action> {
    let mut left: f32 = rng.random();
    let mut last = None;
    for (action, weight) in weights {
        if weight > 0.0 {
            last = Some(action);
            left -= weight;
            if left < 0.0 {
                break;
            }
        }
    }
    last
}
