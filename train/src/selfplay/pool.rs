//! The workers of self-play.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use crossbeam_channel::Sender;
use gryphon_mcts::{Evaluator, EvaluatorError};

use super::{Group, SearchMemory, SelfPlayRules, SharedWork};
use crate::replay::{GameRecord, RecordError};

/// Why a generation could not be played to its end.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// The network failed.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    /// An action has no place in the action space.
    #[error("self-play: {0}")]
    Record(#[from] RecordError),
}

/// What the workers of a generation share.
#[derive(Debug)]
pub struct Workplace<'a> {
    /// The rules of all games.
    pub rules: &'a SelfPlayRules,
    /// The training cycle.
    pub generation: u32,
    /// Rounds that every group plays.
    pub rounds: u32,
    /// Raised to make workers stop at the end of their round.
    pub stop: &'a AtomicBool,
    /// What was done so far, for progress and metrics.
    pub work: &'a SharedWork,
    /// Where finished games go.
    pub finished: Sender<GameRecord>,
}

struct Task {
    group: Group,
    memory: SearchMemory,
    /// Place among the groups.
    index: usize,
    rounds_left: u32,
}

/// Plays a generation on one thread for each of `evaluators`, which answer alike, and gives the groups
/// back, in order; `None` if it was stopped before its end.
///
/// # Errors
/// The first error of any worker; the others stop then.
pub fn play_generation<E: Evaluator + Send>(
    workplace: &Workplace<'_>,
    groups: Vec<Group>,
    evaluators: Vec<E>,
) -> Result<Option<Vec<Group>>, SelfPlayError> {
    let n_groups = groups.len();
    let task = |(index, group)| Task {
        group,
        memory: SearchMemory::new(workplace.rules),
        index,
        rounds_left: workplace.rounds,
    };
    let queue = Mutex::new(groups.into_iter().enumerate().map(task).collect::<VecDeque<_>>());
    let done = Mutex::new(Vec::with_capacity(n_groups));
    let failed = AtomicBool::new(false);
    let shared = Shared { workplace, queue: &queue, done: &done, failed: &failed };
    thread::scope(|scope| {
        let start = |evaluator| scope.spawn(|| shared.work(evaluator));
        let workers: Vec<_> = evaluators.into_iter().map(start).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })?;
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    if done.len() < n_groups {
        return Ok(None);
    }
    done.sort_by_key(|task: &Task| task.index);
    Ok(Some(done.into_iter().map(|task| task.group).collect()))
}

struct Shared<'a> {
    workplace: &'a Workplace<'a>,
    queue: &'a Mutex<VecDeque<Task>>,
    done: &'a Mutex<Vec<Task>>,
    failed: &'a AtomicBool,
}

impl Shared<'_> {
    fn work(&self, evaluator: impl Evaluator) -> Result<(), SelfPlayError> {
        let result = self.play_rounds(evaluator);
        if result.is_err() {
            self.failed.store(true, Ordering::Relaxed);
        }
        result
    }

    /// A round at a time of whichever group waits longest, so that all groups end together.
    fn play_rounds(&self, mut evaluator: impl Evaluator) -> Result<(), SelfPlayError> {
        let place = self.workplace;
        while !place.stop.load(Ordering::Relaxed) && !self.failed.load(Ordering::Relaxed) {
            let Some(mut task) = lock(self.queue).pop_front() else { break };
            if task.rounds_left > 0 {
                let work = task.group.play_round(
                    place.generation,
                    place.rules,
                    &mut task.memory,
                    &mut evaluator,
                    |record| {
                        // The receiver outlives the workers; it goes only when writing failed, and
                        // that error is reported by the writer.
                        let _ = place.finished.send(record);
                    },
                )?;
                place.work.add(work);
                task.rounds_left -= 1;
            }
            if task.rounds_left > 0 {
                lock(self.queue).push_back(task);
            } else {
                lock(self.done).push(task);
            }
        }
        Ok(())
    }
}

/// A worker that panicked takes the whole run down, so a poisoned lock is never used for long.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
