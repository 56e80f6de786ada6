//! Many games that advance together.

use super::buffers::Rows;
use super::slot::{Scratch, Slot};
use super::workers::Workers;
use super::{AutoReset, Batch, BatchConfig, BatchError, GameNumber, ObservationFormat};
use crate::{ActionIndex, Position, RunSeed, Status, Variant};

/// `N` games of one variant that advance together, seen by the sides that act.
#[derive(Debug)]
pub struct BatchEnv {
    variant: &'static Variant,
    config: BatchConfig,
    start: Position,
    slots: Vec<Slot>,
    workers: Workers,
    /// One for each part of the games.
    locals: Vec<Local>,
}

/// What a part of the games needs while it advances.
#[derive(Debug, Default)]
struct Local {
    scratch: Scratch,
    /// What is wrong with the first wrong action.
    mistake: Option<BatchError>,
}

impl BatchEnv {
    /// Games at the start position of `variant`; `seed` is for its dice.
    ///
    /// # Errors
    /// If a number of `config` is out of range, the system gives no threads, or the variant's games
    /// are over before they begin.
    pub fn try_new(
        variant: &'static Variant,
        config: BatchConfig,
        seed: RunSeed,
    ) -> Result<Self, BatchError> {
        config.check(variant)?;
        let start = variant.start();
        check_position(&start)?;
        let workers = Workers::try_new(config.n_threads)?;
        let mut locals = Vec::new();
        locals.resize_with(workers.n_parts(config.n_games), Local::default);
        let slots = vec![Slot::new(start.clone()); config.n_games];
        let mut env = Self { variant, config, start, slots, workers, locals };
        env.restart(seed);
        Ok(env)
    }

    /// The rules of the games.
    #[must_use]
    pub const fn variant(&self) -> &'static Variant {
        self.variant
    }

    /// The number of games `N`.
    #[must_use]
    pub const fn n_games(&self) -> usize {
        self.config.n_games
    }

    /// What the batch was made with.
    #[must_use]
    pub const fn config(&self) -> &BatchConfig {
        &self.config
    }

    /// Indices of the legal actions of a game, in no particular order; none if it has ended and was
    /// not reset. `None` if there is no such game.
    #[must_use]
    pub fn legal_actions(&self, game: GameNumber) -> Option<&[ActionIndex]> {
        self.slots.get(game.0).map(Slot::legal)
    }

    /// The position of a game, in which a side acts unless the game has ended and was not reset.
    /// `None` if there is no such game.
    #[must_use]
    pub fn position(&self, game: GameNumber) -> Option<&Position> {
        self.slots.get(game.0).map(Slot::position)
    }

    /// How the last step left the game it was made in; [`Status::Ongoing`] after a reset. `None` if
    /// there is no such game.
    #[must_use]
    pub fn last_status(&self, game: GameNumber) -> Option<Status> {
        self.slots.get(game.0).map(Slot::last_status)
    }

    /// Writes all rows of `batch` as the games stand; rewards and ends are those of the last step.
    ///
    /// # Errors
    /// If `batch` was made for another environment.
    pub fn observe<F: ObservationFormat>(
        &mut self,
        batch: &mut Batch<F>,
    ) -> Result<(), BatchError> {
        batch.check(self)?;
        let part = (&*self.slots, batch.rows());
        self.workers.for_each_part(self.config.n_games, part, &mut self.locals, |_, part, _| {
            let (slots, mut rows) = part;
            for (row, slot) in slots.iter().enumerate() {
                rows.erase_mask(row);
                rows.erase_planes(row);
                rows.write(row, slot);
            }
        });
        Ok(())
    }

    /// Plays one action in every game and writes all rows of `batch`.
    ///
    /// # Errors
    /// If the number of actions is not `N`, an index is no action, an action is not legal, or a
    /// game has ended and was not reset: the error tells of the first such game. Neither the games
    /// nor `batch` have changed then.
    pub fn step<F: ObservationFormat>(
        &mut self,
        actions: &[ActionIndex],
        batch: &mut Batch<F>,
    ) -> Result<(), BatchError> {
        batch.check(self)?;
        self.check_actions(actions)?;
        let next = match self.config.auto_reset {
            AutoReset::SameStep => Some(&self.start),
            AutoReset::Off => None,
        };
        let cap = self.config.ply_cap;
        let part = ((&mut *self.slots, actions), batch.rows());
        self.workers.for_each_part(
            self.config.n_games,
            part,
            &mut self.locals,
            |_, part, local| {
                let ((slots, actions), mut rows) = part;
                for (row, (slot, &action)) in slots.iter_mut().zip(actions).enumerate() {
                    // Erased early and in parts: buffers are large, and while the rules play and list
                    // actions these far places come near.
                    rows.erase_mask(row);
                    slot.play(action);
                    rows.erase_planes(row);
                    slot.settle(cap, next, &mut local.scratch);
                    rows.write(row, slot);
                }
            },
        );
        Ok(())
    }

    /// Begins all games anew, with the dice of `seed`, and writes all rows of `batch`.
    ///
    /// # Errors
    /// If `batch` was made for another environment.
    pub fn reset<F: ObservationFormat>(
        &mut self,
        seed: RunSeed,
        batch: &mut Batch<F>,
    ) -> Result<(), BatchError> {
        batch.check(self)?;
        self.restart(seed);
        self.observe(batch)
    }

    /// Begins chosen games anew at positions of their own and writes their rows of `batch`, no
    /// others. Of a game named twice the last position counts. Their dice go on as they were.
    ///
    /// # Errors
    /// If `batch` was made for another environment, a game does not exist, or a position is of
    /// another variant or is over. Nothing has changed then.
    pub fn reset_games<F: ObservationFormat>(
        &mut self,
        games: &[(GameNumber, Position)],
        batch: &mut Batch<F>,
    ) -> Result<(), BatchError> {
        batch.check(self)?;
        for (game, position) in games {
            self.check_start(*game, position)?;
        }
        let mut rows = batch.rows();
        for (game, position) in games {
            self.restart_game(game.0, Some(position), &mut rows);
        }
        Ok(())
    }

    /// Begins the games that have ended anew at the start position and writes their rows of
    /// `batch`, no others: what to call after each step without automatic reset, once the last
    /// observations have been read. Dice go on as they were.
    ///
    /// # Errors
    /// If `batch` was made for another environment.
    pub fn reset_ended<F: ObservationFormat>(
        &mut self,
        batch: &mut Batch<F>,
    ) -> Result<(), BatchError> {
        batch.check(self)?;
        let mut rows = batch.rows();
        for game in 0..self.slots.len() {
            if self.slots[game].legal().is_empty() {
                self.restart_game(game, None, &mut rows);
            }
        }
        Ok(())
    }

    fn restart(&mut self, seed: RunSeed) {
        let (variant, start, cap) = (self.variant, &self.start, self.config.ply_cap);
        let (n_games, slots) = (self.config.n_games, &mut *self.slots);
        self.workers.for_each_part(n_games, slots, &mut self.locals, |first, slots, local| {
            for (number, slot) in (first..).zip(slots) {
                slot.seed(variant, seed, number);
                slot.restart(start, cap, &mut local.scratch);
            }
        });
    }

    /// Begins a game at `position`, or else at the start.
    fn restart_game<F: ObservationFormat>(
        &mut self,
        game: usize,
        position: Option<&Position>,
        rows: &mut Rows<'_, F>,
    ) {
        let slot = &mut self.slots[game];
        let position = position.unwrap_or(&self.start);
        slot.restart(position, self.config.ply_cap, &mut self.locals[0].scratch);
        rows.erase_mask(game);
        rows.erase_planes(game);
        rows.write(game, slot);
    }

    fn check_start(&self, game: GameNumber, position: &Position) -> Result<(), BatchError> {
        let n_games = self.config.n_games;
        if game.0 >= n_games {
            return Err(BatchError::NoSuchGame { found: game, n_games });
        }
        if !std::ptr::eq(position.variant(), self.variant) {
            let found = position.variant().name().to_owned();
            let expected = self.variant.name().to_owned();
            return Err(BatchError::WrongVariant { game, found, expected });
        }
        check_position(position)
    }

    fn check_actions(&mut self, actions: &[ActionIndex]) -> Result<(), BatchError> {
        let expected = self.config.n_games;
        if actions.len() != expected {
            return Err(BatchError::NumberOfActions { found: actions.len(), expected });
        }
        let part = (&*self.slots, actions);
        self.workers.for_each_part(expected, part, &mut self.locals, |first, part, local| {
            let (slots, actions) = part;
            let wrong = slots.iter().zip(actions).position(|(slot, a)| !slot.legal().contains(a));
            local.mistake =
                wrong.map(|at| mistake(&slots[at], GameNumber(first + at), actions[at]));
        });
        let first = self.locals.iter_mut().find_map(|local| local.mistake.take());
        first.map_or(Ok(()), Err)
    }
}

fn check_position(position: &Position) -> Result<(), BatchError> {
    match position.outcome() {
        Some(outcome) => Err(BatchError::PositionIsOver { fen: position.fen(), outcome }),
        None => Ok(()),
    }
}

/// What is wrong with an action that is not legal.
fn mistake(slot: &Slot, game: GameNumber, ActionIndex(found): ActionIndex) -> BatchError {
    const N_EXAMPLES: usize = 8;
    let position = slot.position();
    let (variant, mover) = (position.variant(), position.side_to_move());
    let space = variant.action_space();
    let Some(action) = space.action(ActionIndex(found), mover) else {
        return BatchError::ActionOutOfRange { game, found, n_actions: space.len() };
    };
    if slot.legal().is_empty() {
        return BatchError::GameEnded { game };
    }
    let example = |&index: &ActionIndex| {
        let action = space.action(index, mover)?;
        Some(format!("{} (`{}`)", index.0, variant.action_text(action)))
    };
    let mut legal = slot.legal().to_vec();
    legal.sort_unstable();
    let examples: Vec<String> = legal.iter().take(N_EXAMPLES).filter_map(example).collect();
    BatchError::IllegalAction {
        game,
        found,
        text: variant.action_text(action),
        fen: position.fen(),
        n_legal: legal.len(),
        examples: examples.join(", "),
    }
}
