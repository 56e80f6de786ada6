//! Games that advance together.

use gryphon_mcts::{EvaluationCache, Evaluator, Search, run_batch};

use super::work::{Counted, surprise};
use super::{SelfPlayError, SelfPlayRules, Slot, SlotState, Work};
use crate::config::TreeUse;
use crate::replay::{GameRecord, RecordError};

/// A group of games. One worker at a time advances it, so that the batches its network sees are the
/// same whatever the number of workers.
#[derive(Clone, Debug)]
pub struct Group {
    place: Place,
    /// Games started so far.
    started: u64,
    slots: Vec<Slot>,
}

/// Which group of how many.
#[derive(Copy, Clone, Debug)]
struct Place {
    index: u32,
    n_groups: u32,
}

impl Place {
    /// Number within the run of the group's game number `started`.
    fn game_number(self, started: u64) -> u64 {
        started * u64::from(self.n_groups) + u64::from(self.index)
    }
}

/// A group as a checkpoint holds it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct GroupState {
    /// Games started so far.
    pub started: u64,
    /// The games in flight, in order.
    pub slots: Vec<SlotState>,
}

/// What a group's searches remember from one round to the next. Holds for one network: a generation
/// begins with an empty memory, and is the same whether or not a run was stopped before it.
#[derive(Debug)]
pub struct SearchMemory {
    cache: EvaluationCache,
    /// One a slot, each standing at its game's position; empty before the first round.
    searches: Vec<Search>,
}

impl SearchMemory {
    /// A memory that holds nothing yet.
    #[must_use]
    pub fn new(rules: &SelfPlayRules) -> Self {
        Self { cache: EvaluationCache::with_bytes(rules.cache_bytes), searches: Vec::new() }
    }
}

impl Group {
    /// `n_groups` groups with `n_slots` games each, all at their start.
    ///
    /// # Errors
    /// If the action space does not hold an action of an opening.
    pub fn start_all(
        n_groups: u32,
        n_slots: usize,
        rules: &SelfPlayRules,
    ) -> Result<Vec<Self>, RecordError> {
        let start = |index| {
            let place = Place { index, n_groups };
            let slots = (0..n_slots as u64).map(|n| Slot::start(place.game_number(n), rules));
            Ok(Self { place, started: n_slots as u64, slots: slots.collect::<Result<_, _>>()? })
        };
        (0..n_groups).map(start).collect()
    }

    /// All groups as they stood when `states` was taken.
    ///
    /// # Errors
    /// If a game does not fit the variant.
    pub fn resume_all(
        states: Vec<GroupState>,
        rules: &SelfPlayRules,
    ) -> Result<Vec<Self>, RecordError> {
        let n_groups = states.len() as u32;
        let resume = |(index, state): (u32, GroupState)| {
            let slots = state.slots.into_iter().map(|slot| Slot::resume(slot, rules));
            let slots = slots.collect::<Result<_, _>>()?;
            Ok(Self { place: Place { index, n_groups }, started: state.started, slots })
        };
        (0..n_groups).zip(states).map(resume).collect()
    }

    /// What a checkpoint must hold.
    #[must_use]
    pub fn state(&self) -> GroupState {
        let slots = self.slots.iter().map(Slot::state).collect();
        GroupState { started: self.started, slots }
    }

    /// Advances every game by one searched action. Finished games are given to `finished`, as of
    /// `generation`, and replaced by new ones. Returns what was done.
    ///
    /// # Errors
    /// The evaluator's, or if an action has no index.
    pub fn play_round(
        &mut self,
        generation: u32,
        rules: &SelfPlayRules,
        memory: &mut SearchMemory,
        evaluator: &mut impl Evaluator,
        mut finished: impl FnMut(GameRecord),
    ) -> Result<Work, SelfPlayError> {
        let SearchMemory { cache, searches } = memory;
        if searches.is_empty() {
            searches.extend(self.slots.iter().map(|slot| slot.search(rules)));
        }
        let mut work = Work { positions: self.slots.len() as u64, ..Work::default() };
        let before = cache.statistics();
        run_batch(searches, &mut Counted { evaluator, work: &mut work }, cache)?;
        work.cache = cache.statistics().since(before);
        for (slot, search) in self.slots.iter_mut().zip(searches.iter_mut()) {
            let n_before = slot.game().actions().len();
            let found = search.result();
            work.surprise += surprise(&found);
            if let Some(end) = slot.advance(&found, rules)? {
                let next = Slot::start(self.place.game_number(self.started), rules)?;
                self.started += 1;
                let over = std::mem::replace(slot, next);
                finished(over.into_record(end, generation, rules));
                *search = slot.search(rules);
            } else if rules.trees == TreeUse::Kept {
                search.advance(slot.game(), &slot.game().actions()[n_before..]);
            } else {
                *search = slot.search(rules);
            }
        }
        Ok(work)
    }
}
