//! A look around the root for wins that can be forced, without asking the evaluator.
//!
//! Simulations find every forced win in the end, but an evaluator that is sure of the contrary can keep
//! them away from it for long. A few thousand positions are enough to see all wins in two or three
//! actions: mate in two, or a turn of three moves that mates.

use std::collections::HashSet;
use std::num::NonZeroU32;

use gryphon_env::{Action, Actor, Color, Position, Repetitions, ZobristKey};

use crate::history::History;

/// A search for a forced win, by depth, within a number of positions.
pub(crate) struct WinProbe<'a> {
    history: &'a History,
    left: u32,
    /// Positions, with their clocks and the actions left, that are known not to be won: moves of one
    /// turn lead to the same position in many orders.
    not_won: HashSet<(ZobristKey, u16, u16)>,
}

/// A win that can be forced.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct ForcedWin {
    /// The place of its first action among the legal ones.
    pub(crate) offset: usize,
    /// Most actions until the end, this one included.
    pub(crate) end_in: u16,
}

/// The longest win looked for, in actions. The budget ends most probes long before.
const LONGEST: u16 = 16;

/// All positions have been spent.
struct Spent;

impl<'a> WinProbe<'a> {
    /// A probe of at most `budget` positions, in a game whose past is `history`.
    pub(crate) fn new(history: &'a History, budget: NonZeroU32) -> Self {
        Self { history, left: budget.get(), not_won: HashSet::new() }
    }

    /// The shortest win that the side to move can force in `position` by one of its `legal` actions,
    /// the first of several, if the budget is enough to see it. Wins at once are not looked for.
    pub(crate) fn find(mut self, position: &Position, legal: &[Action]) -> Option<ForcedWin> {
        let winner = position.side_to_move();
        for end_in in 2..=LONGEST {
            for (offset, &action) in legal.iter().enumerate() {
                match self.is_won_after(position, action, winner, end_in - 1) {
                    Ok(false) => {}
                    Ok(true) => return Some(ForcedWin { offset, end_in }),
                    Err(Spent) => return None,
                }
            }
        }
        None
    }

    /// Whether `winner` wins for certain within `n` actions after `action`.
    fn is_won_after(
        &mut self,
        position: &Position,
        action: Action,
        winner: Color,
        n: u16,
    ) -> Result<bool, Spent> {
        let mut next = position.clone();
        next.play(action);
        let place = (next.key(), next.halfmove_clock(), n);
        if self.not_won.contains(&place) {
            return Ok(false);
        }
        self.left = self.left.checked_sub(1).ok_or(Spent)?;
        let is_won = self.is_won(&next, winner, n)?;
        if !is_won {
            self.not_won.insert(place);
        }
        Ok(is_won)
    }

    /// Whether `winner` wins for certain within `n` actions.
    fn is_won(&mut self, next: &Position, winner: Color, n: u16) -> Result<bool, Spent> {
        let mut legal = Vec::new();
        if let Some(outcome) = next.legal_actions_and_outcome(&mut legal) {
            return Ok(outcome.winner() == Some(winner));
        }
        if self.history.in_game(next.repetition_key()) >= Repetitions::DRAW {
            return Ok(false);
        }
        match next.actor() {
            Actor::Player(mover) if mover == winner => self.can_win(next, &legal, winner, n),
            // The other side's action is not the last.
            Actor::Player(_) if n < 2 => Ok(false),
            Actor::Player(_) => self.always_wins(next, &legal, winner, n),
            Actor::Chance => {
                let mut rolls = Vec::new();
                next.chance_outcomes(&mut rolls);
                legal.extend(rolls.iter().map(|roll| roll.action));
                self.always_wins(next, &legal, winner, n)
            }
        }
    }

    /// Whether one of the winner's own actions wins.
    fn can_win(
        &mut self,
        position: &Position,
        legal: &[Action],
        winner: Color,
        n: u16,
    ) -> Result<bool, Spent> {
        if n == 0 {
            return Ok(false);
        }
        if position.winning_action(legal).is_some() {
            return Ok(true);
        }
        if n == 1 {
            return Ok(false);
        }
        for &action in legal {
            if self.is_won_after(position, action, winner, n - 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the winner wins after every one of the other side's actions, or every roll.
    fn always_wins(
        &mut self,
        position: &Position,
        actions: &[Action],
        winner: Color,
        n: u16,
    ) -> Result<bool, Spent> {
        if n == 0 {
            return Ok(false);
        }
        for &action in actions {
            if !self.is_won_after(position, action, winner, n - 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
