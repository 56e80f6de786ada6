//! One game of a batch.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::past::Past;
use crate::{
    ActionIndex, Actor, ChanceOutcome, ObservationContext, PlyCap, Position, Repetitions, RunSeed,
    Status, Stream, Variant,
};

/// A game that waits for an action, or has ended.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    position: Position,
    past: Past,
    repetitions: Repetitions,
    /// Indices of the legal actions; none if the game has ended.
    legal: Vec<ActionIndex>,
    /// How the last step left the game that it was made in.
    last_status: Status,
    /// Where rolls come from, in variants with dice.
    die: Option<Box<ChaCha8Rng>>,
}

/// Lists that are filled and read within one step of one game.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    rolls: Vec<ChanceOutcome>,
}

impl Slot {
    /// A game at `position` in which nobody can act yet: see [`Slot::restart`].
    pub(super) fn new(position: Position) -> Self {
        Self {
            position,
            past: Past::default(),
            repetitions: Repetitions::default(),
            legal: Vec::new(),
            last_status: Status::Ongoing,
            die: None,
        }
    }

    /// Draws the die's future rolls from the stream of game `number` of a batch.
    pub(super) fn seed(&mut self, variant: &Variant, seed: RunSeed, number: usize) {
        if !variant.faces().is_empty() {
            let stream = seed.stream(Stream::BatchDie { game: number as u64 });
            match &mut self.die {
                Some(die) => **die = stream,
                None => self.die = Some(Box::new(stream)),
            }
        }
    }

    /// Begins a game at `position`, which is not over, and forgets the last one.
    pub(super) fn restart(&mut self, position: &Position, cap: PlyCap, scratch: &mut Scratch) {
        self.begin(position, cap, scratch);
        self.last_status = Status::Ongoing;
    }

    /// Plays the legal action with `index`; what comes of it is up to [`Slot::settle`].
    pub(super) fn play(&mut self, index: ActionIndex) {
        let space = self.position.variant().action_space();
        if let Some(action) = space.action(index, self.position.side_to_move()) {
            self.past.play(&mut self.position, action);
        }
    }

    /// Looks at what was played. If it ended the game and there is a `next` position, begins a game
    /// there.
    pub(super) fn settle(&mut self, cap: PlyCap, next: Option<&Position>, scratch: &mut Scratch) {
        self.last_status = self.look(cap, scratch);
        if let Some(next) = next
            && self.last_status != Status::Ongoing
        {
            self.begin(next, cap, scratch);
        }
    }

    fn begin(&mut self, position: &Position, cap: PlyCap, scratch: &mut Scratch) {
        self.position.clone_from(position);
        self.past.clear();
        self.look(cap, scratch);
    }

    /// Works out whether the game goes on, rolls the die if it comes next, and lists the legal
    /// actions.
    fn look(&mut self, cap: PlyCap, scratch: &mut Scratch) -> Status {
        self.repetitions = self.past.repetitions(&self.position);
        let outcome = self.position.legal_indices_and_outcome(&mut self.legal);
        let status = if let Some(outcome) = outcome.or_else(|| self.repetitions.outcome()) {
            Status::Finished(outcome)
        } else if self.past.n_actions() >= cap.0.get() {
            Status::Truncated
        } else if self.position.actor() == Actor::Chance {
            self.roll(scratch);
            // After a roll that the rules allow, the game goes on.
            self.position.legal_indices_and_outcome(&mut self.legal);
            if self.past.n_actions() < cap.0.get() { Status::Ongoing } else { Status::Truncated }
        } else {
            Status::Ongoing
        };
        if status != Status::Ongoing {
            self.legal.clear();
        }
        status
    }

    fn roll(&mut self, scratch: &mut Scratch) {
        self.position.chance_outcomes(&mut scratch.rolls);
        let Some(die) = &mut self.die else { return };
        let mut at: f32 = die.random();
        let drawn = scratch.rolls.iter().find(|roll| {
            at -= roll.probability;
            at < 0.0
        });
        if let Some(roll) = drawn.or(scratch.rolls.last()) {
            self.past.play(&mut self.position, roll.action);
        }
    }

    /// The position, in which a side acts unless the game has ended.
    pub(super) const fn position(&self) -> &Position {
        &self.position
    }

    /// Indices of the legal actions; none if the game has ended.
    pub(super) fn legal(&self) -> &[ActionIndex] {
        &self.legal
    }

    /// How the last step left the game that it was made in.
    pub(super) const fn last_status(&self) -> Status {
        self.last_status
    }

    pub(super) const fn observation_context(&self) -> ObservationContext {
        ObservationContext { repetitions: self.repetitions, last_action: self.past.last_action() }
    }
}
