//! An opponent that takes what it can.

use gryphon_alphabeta::PieceWorth;
use gryphon_env::{Action, Game, Position, Variant};
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use crate::{Player, PlayerError};

/// Plays the action with the best material gain of one ply, or one that wins at once. Gain is the
/// worth of the captured unit plus what promotion or change on moving does to its own; ties are
/// broken at random.
#[derive(Clone, Debug)]
pub struct GreedyPlayer {
    worth: PieceWorth,
    legal: Vec<Action>,
    best: Vec<Action>,
}

impl GreedyPlayer {
    /// A player of `variant`; measures its units.
    #[must_use]
    pub fn new(variant: &'static Variant) -> Self {
        Self { worth: PieceWorth::measure(variant), legal: Vec::new(), best: Vec::new() }
    }

    /// The gain of `action`; the largest number if it wins at once.
    fn gain(&self, position: &Position, action: Action) -> i32 {
        let mut next = position.clone();
        next.play(action);
        let winner = next.outcome().and_then(|outcome| outcome.winner());
        if winner == Some(position.side_to_move()) {
            return i32::MAX;
        }
        let captured = position.captured(action).map_or(0, |piece| self.worth.of_captured(piece));
        captured + self.worth.own_change(position, action)
    }

    fn collect_best(&mut self, position: &Position) {
        position.legal_actions(&mut self.legal);
        // A seed's choices must not depend on the order of generation.
        self.legal.sort_unstable();
        self.best.clear();
        let mut best_gain = i32::MIN;
        for idx in 0..self.legal.len() {
            let action = self.legal[idx];
            let gain = self.gain(position, action);
            if gain > best_gain {
                best_gain = gain;
                self.best.clear();
            }
            if gain == best_gain {
                self.best.push(action);
            }
        }
    }
}

impl Player for GreedyPlayer {
    fn name(&self) -> String {
        "greedy".to_owned()
    }

    fn choose(
        &mut self,
        games: &[&Game],
        rngs: &mut [ChaCha8Rng],
    ) -> Result<Vec<Action>, PlayerError> {
        let mut chosen = Vec::with_capacity(games.len());
        for (game, rng) in games.iter().zip(rngs) {
            self.collect_best(game.position());
            let action = self.best.choose(rng).copied();
            chosen.push(action.ok_or_else(|| PlayerError::nothing_to_choose(&self.name(), game))?);
        }
        Ok(chosen)
    }
}
