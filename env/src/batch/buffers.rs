//! The buffers that a batch of games is shown in.

use std::fmt;

use ndarray::{Array1, Array2};

use super::divide::{Divide, Table};
use super::format::Draw;
use super::slot::Slot;
use super::{BatchEnv, BatchError, ObservationFormat};
use crate::{ActionIndex, Color, Status, Variant};

/// The buffers that a [`BatchEnv`] writes into, all zero at first. `F` is how observations are
/// stored: `u8`, `f32` or [`Packed`](super::Packed).
///
/// A batch remembers what it shows, so that writing the next step into it need not clear it all.
pub struct Batch<F: ObservationFormat> {
    variant: &'static Variant,
    known: F::Known,
    /// For every game the indices that its mask allows.
    allowed: Vec<Vec<ActionIndex>>,
    parts: BatchParts<F>,
}

/// The arrays of a [`Batch`] by themselves.
pub struct BatchParts<F: ObservationFormat> {
    /// See [`Batch::observations`].
    pub observations: F::Array,
    /// See [`Batch::mask`].
    pub mask: Array2<bool>,
    /// See [`Batch::rewards`].
    pub rewards: Array2<f32>,
    /// See [`Batch::terminated`].
    pub terminated: Array1<bool>,
    /// See [`Batch::truncated`].
    pub truncated: Array1<bool>,
    /// See [`Batch::actor`].
    pub actor: Array1<u8>,
}

impl<F: ObservationFormat> Batch<F> {
    /// Buffers for `env`.
    #[must_use]
    pub fn new(env: &BatchEnv) -> Self {
        let (variant, n_games) = (env.variant(), env.n_games());
        let n_actions = variant.action_space().len();
        let (observations, known) = F::zeros(variant, n_games);
        let parts = BatchParts {
            observations,
            mask: Array2::from_elem((n_games, n_actions), false),
            rewards: Array2::zeros((n_games, 2)),
            terminated: Array1::from_elem(n_games, false),
            truncated: Array1::from_elem(n_games, false),
            actor: Array1::zeros(n_games),
        };
        Self { variant, known, allowed: vec![Vec::new(); n_games], parts }
    }

    /// What the sides that act next see: `[N, C, H, W]` in bytes or numbers, or packed planes.
    #[must_use]
    pub const fn observations(&self) -> &F::Array {
        &self.parts.observations
    }

    /// `[N, A]`: whether each action index is legal for the side that acts next. All `false` in a
    /// game that has ended and was not reset.
    #[must_use]
    pub const fn mask(&self) -> &Array2<bool> {
        &self.parts.mask
    }

    /// `[N, 2]`: what the last step brought White and Black; 1 and -1 if it won the game, else 0.
    #[must_use]
    pub const fn rewards(&self) -> &Array2<f32> {
        &self.parts.rewards
    }

    /// `[N]`: whether the rules ended the game in the last step.
    #[must_use]
    pub const fn terminated(&self) -> &Array1<bool> {
        &self.parts.terminated
    }

    /// `[N]`: whether the ply cap ended the game in the last step.
    #[must_use]
    pub const fn truncated(&self) -> &Array1<bool> {
        &self.parts.truncated
    }

    /// `[N]`: who acts next, 0 for White and 1 for Black. In a game that has ended and was not
    /// reset: whose turn it would be.
    #[must_use]
    pub const fn actor(&self) -> &Array1<u8> {
        &self.parts.actor
    }

    /// The arrays, to be given away without being copied.
    #[must_use]
    pub fn into_parts(self) -> BatchParts<F> {
        self.parts
    }

    /// # Errors
    /// If the buffers were made for another number of games or another variant.
    pub(super) fn check(&self, env: &BatchEnv) -> Result<(), BatchError> {
        let of = |variant: &Variant, n_games| format!("{n_games} games of `{}`", variant.name());
        let (variant, n_games) = (env.variant(), env.n_games());
        if std::ptr::eq(self.variant, variant) && self.allowed.len() == n_games {
            return Ok(());
        }
        Err(BatchError::WrongBuffers {
            found: of(self.variant, self.allowed.len()),
            expected: of(variant, n_games),
        })
    }

    /// The rows of all games.
    pub(super) fn rows(&mut self) -> Rows<'_, F> {
        const STANDARD: &str = "arrays are made in standard layout";
        let (parts, n_games) = (&mut self.parts, self.allowed.len());
        Rows {
            planes: F::rows(&mut parts.observations, &mut self.known),
            mask: Table::new(parts.mask.as_slice_mut().expect(STANDARD), n_games),
            allowed: &mut self.allowed,
            rewards: Table::new(parts.rewards.as_slice_mut().expect(STANDARD), n_games),
            terminated: parts.terminated.as_slice_mut().expect(STANDARD),
            truncated: parts.truncated.as_slice_mut().expect(STANDARD),
            actor: parts.actor.as_slice_mut().expect(STANDARD),
        }
    }
}

impl<F: ObservationFormat> fmt::Debug for Batch<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut form = f.debug_struct("Batch");
        form.field("variant", &self.variant.name()).field("n_games", &self.allowed.len());
        form.finish_non_exhaustive()
    }
}

impl<F: ObservationFormat> fmt::Debug for BatchParts<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchParts").field("n_games", &self.actor.len()).finish_non_exhaustive()
    }
}

/// The rows of some of the games.
pub(super) struct Rows<'a, F: ObservationFormat> {
    planes: F::Rows<'a>,
    mask: Table<'a, bool>,
    allowed: &'a mut [Vec<ActionIndex>],
    rewards: Table<'a, f32>,
    terminated: &'a mut [bool],
    truncated: &'a mut [bool],
    actor: &'a mut [u8],
}

impl<F: ObservationFormat> Rows<'_, F> {
    /// Clears the mask of the game with number `game` among these.
    #[inline]
    pub(super) fn erase_mask(&mut self, game: usize) {
        let mask = self.mask.row(game);
        for index in &self.allowed[game] {
            mask[usize::from(index.0)] = false;
        }
        self.allowed[game].clear();
    }

    /// Removes what the next observation of the game with number `game` among these need not have.
    #[inline]
    pub(super) fn erase_planes(&mut self, game: usize) {
        self.planes.erase(game);
    }

    /// Shows `slot` in the row of the game with number `game` among these, whose mask and planes were erased.
    #[inline]
    pub(super) fn write(&mut self, game: usize, slot: &Slot) {
        let (mask, allowed) = (self.mask.row(game), &mut self.allowed[game]);
        allowed.extend_from_slice(slot.legal());
        for index in &*allowed {
            mask[usize::from(index.0)] = true;
        }
        self.planes.draw(game, slot.position(), slot.observation_context());
        self.write_end(game, slot.last_status());
        self.actor[game] = slot.position().side_to_move().index() as u8;
    }

    fn write_end(&mut self, game: usize, status: Status) {
        let winner = match status {
            Status::Finished(outcome) => outcome.winner(),
            Status::Ongoing | Status::Truncated => None,
        };
        let reward = |side| match winner {
            Some(winner) if winner == side => 1.0,
            Some(_) => -1.0,
            None => 0.0,
        };
        self.rewards.row(game).copy_from_slice(&Color::ALL.map(reward));
        self.terminated[game] = matches!(status, Status::Finished(_));
        self.truncated[game] = status == Status::Truncated;
    }
}

impl<F: ObservationFormat> Divide for Rows<'_, F> {
    fn divide(self, n_games: usize) -> (Self, Self) {
        let (planes, planes_rest) = self.planes.divide(n_games);
        let (mask, mask_rest) = self.mask.divide(n_games);
        let (allowed, allowed_rest) = self.allowed.divide(n_games);
        let (rewards, rewards_rest) = self.rewards.divide(n_games);
        let (terminated, terminated_rest) = self.terminated.divide(n_games);
        let (truncated, truncated_rest) = self.truncated.divide(n_games);
        let (actor, actor_rest) = self.actor.divide(n_games);
        let rest = Self {
            planes: planes_rest,
            mask: mask_rest,
            allowed: allowed_rest,
            rewards: rewards_rest,
            terminated: terminated_rest,
            truncated: truncated_rest,
            actor: actor_rest,
        };
        (Self { planes, mask, allowed, rewards, terminated, truncated, actor }, rest)
    }
}
