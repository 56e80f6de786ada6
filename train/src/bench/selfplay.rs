//! Self-play, with its engine alone for comparison.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::unbounded;
use gryphon_mcts::{Evaluation, Evaluator, EvaluatorError, Query, UniformEvaluator};
use gryphon_net::{NetEvaluator, PlayingNet};

use super::{BenchError, SelfPlayReport, SelfPlayRow, Subject, Tally, total_rate};
use crate::selfplay::{
    Group, SelfPlayError, SelfPlayRules, SharedWork, Workplace, play_generation,
};

/// How long self-play and the engine alone take turns.
const TURN: Duration = Duration::from_secs(1);
/// Self-play before the first turn: games leave their opening, and libraries choose their code.
const WARM_UP: Duration = Duration::from_secs(1);

/// Plays by the config of `subject` on `workers` threads with each of `nets` and with each number of
/// games a group, for about `time` in all but three seconds each at least, and lets the engine alone compute batches of the same sizes in
/// turn with that.
///
/// # Errors
/// If an engine fails, or computes nothing in its time.
pub fn measure_self_play(
    subject: &Subject,
    nets: &[PlayingNet],
    games_per_group: &[NonZeroUsize],
    workers: NonZeroUsize,
    time: Duration,
) -> Result<SelfPlayReport, BenchError> {
    let rules = subject.rules();
    // A turn of each at least.
    let time = (time / (nets.len() * games_per_group.len()).max(1) as u32).max(2 * TURN);
    let mut rows = Vec::new();
    for net in nets {
        for &games in games_per_group {
            let groups = subject.config.selfplay.groups.get();
            let groups =
                Group::start_all(groups, games.get(), &rules).map_err(SelfPlayError::from)?;
            rows.push(row(net, groups, games, &rules, workers, time)?);
        }
    }
    Ok(SelfPlayReport {
        variant: subject.variant().name().to_owned(),
        network: subject.network.shape().to_string(),
        workers: workers.get(),
        simulations: rules.search.simulations.get(),
        rows,
    })
}

fn row(
    net: &PlayingNet,
    groups: Vec<Group>,
    games: NonZeroUsize,
    rules: &SelfPlayRules,
    workers: NonZeroUsize,
    time: Duration,
) -> Result<SelfPlayRow, BenchError> {
    let schedule =
        Schedule { start: Instant::now(), end: WARM_UP + time, stop: AtomicBool::new(false) };
    let found: Vec<Mutex<Found>> = (0..workers.get()).map(|_| Mutex::default()).collect();
    let evaluator = |found| {
        let net = NetEvaluator::new(net.clone(), rules.variant)?;
        Ok(Alternating { net, schedule: &schedule, sizes: Vec::new(), turn: None, found })
    };
    let evaluators = found.iter().map(evaluator).collect::<Result<Vec<_>, BenchError>>()?;
    let workplace = Workplace {
        rules,
        generation: 0,
        rounds: u32::MAX,
        stop: &schedule.stop,
        work: &SharedWork::default(),
        // Nobody wants the games.
        finished: unbounded().0,
    };
    play_generation(&workplace, groups, evaluators)?;
    let found: Vec<Found> = found
        .into_iter()
        .map(|found| found.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect();
    let alone = total_rate(found.iter().map(|found| found.engine));
    let playing = total_rate(found.iter().map(|found| found.self_play));
    let mut sum = Tally::default();
    found.iter().for_each(|found| sum.add(found.self_play));
    if alone <= 0.0 || playing <= 0.0 {
        return Err(BenchError::TooShort {
            engine: net.kind().to_string(),
            games_per_group: games.get(),
        });
    }
    Ok(SelfPlayRow {
        engine: net.kind().to_string(),
        games_per_group: games.get(),
        mean_batch: sum.positions as f64 / sum.batches.max(1) as f64,
        engine_positions_per_second: alone,
        selfplay_positions_per_second: playing,
        ratio: playing / alone,
    })
}

/// Whose turn it is, for all workers.
struct Schedule {
    start: Instant,
    /// Time from start to end.
    end: Duration,
    /// Raised at the end.
    stop: AtomicBool,
}

#[derive(Copy, Clone, Debug, Eq, PartialEq)]
enum Phase {
    /// Self-play that does not count.
    WarmUp,
    SelfPlay,
    /// The engine alone.
    Engine,
    Over,
}

impl Schedule {
    fn phase(&self) -> Phase {
        phase_at(self.start.elapsed(), self.end)
    }
}

fn phase_at(elapsed: Duration, end: Duration) -> Phase {
    let Some(elapsed_turns) = elapsed.checked_sub(WARM_UP) else { return Phase::WarmUp };
    if elapsed >= end {
        Phase::Over
    } else if (elapsed_turns.as_millis() / TURN.as_millis()).is_multiple_of(2) {
        Phase::SelfPlay
    } else {
        Phase::Engine
    }
}

/// What a worker has measured.
#[derive(Debug, Default)]
struct Found {
    self_play: Tally,
    engine: Tally,
}

/// A worker's evaluator, which makes the search wait while it is the engine's turn.
struct Alternating<'a> {
    net: NetEvaluator,
    schedule: &'a Schedule,
    /// Sizes of the batches of the newest turn of self-play.
    sizes: Vec<usize>,
    /// When that turn began, if it is still going on.
    turn: Option<Instant>,
    found: &'a Mutex<Found>,
}

impl Evaluator for Alternating<'_> {
    fn evaluate(&mut self, queries: &[Query<'_>]) -> Result<Vec<Evaluation>, EvaluatorError> {
        match self.schedule.phase() {
            Phase::WarmUp => return self.net.evaluate(queries),
            Phase::SelfPlay => {}
            Phase::Engine => {
                self.end_turn();
                self.run_engine()?;
            }
            Phase::Over => {
                self.end_turn();
                // Nothing counts any more; free answers end the round of searches at once.
                self.schedule.stop.store(true, Ordering::Relaxed);
                return UniformEvaluator.evaluate(queries);
            }
        }
        if self.turn.is_none() {
            self.turn = Some(Instant::now());
            self.sizes.clear();
        }
        self.sizes.push(queries.len());
        self.net.evaluate(queries)
    }
}

impl Alternating<'_> {
    /// Counts the turn of self-play that ends with this call: from the first batch to just before the
    /// next one, so with all that came between batches.
    fn end_turn(&mut self) {
        let Some(begin) = self.turn.take() else { return };
        let tally = Tally {
            batches: self.sizes.len() as u64,
            positions: self.sizes.iter().sum::<usize>() as u64,
            time: begin.elapsed(),
        };
        self.found.lock().unwrap_or_else(PoisonError::into_inner).self_play.add(tally);
    }

    /// Lets the engine compute batches of the sizes that self-play had until its turn is over.
    fn run_engine(&mut self) -> Result<(), EvaluatorError> {
        let begin = Instant::now();
        let mut tally = Tally::default();
        for &size in self.sizes.iter().cycle() {
            self.net.run_engine(size).map_err(|error| EvaluatorError(error.to_string()))?;
            tally.batches += 1;
            tally.positions += size as u64;
            if self.schedule.phase() != Phase::Engine {
                break;
            }
        }
        tally.time = begin.elapsed();
        self.found.lock().unwrap_or_else(PoisonError::into_inner).engine.add(tally);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn self_play_and_engine_take_turns_after_the_warm_up() {
        let phases = [0, 999, 1000, 1999, 2000, 2999, 3000, 4999, 5000]
            .map(|millis| phase_at(Duration::from_millis(millis), Duration::from_secs(5)));
        use Phase::{Engine, Over, SelfPlay, WarmUp};
        assert_eq!(
            phases,
            [WarmUp, WarmUp, SelfPlay, SelfPlay, Engine, Engine, SelfPlay, Engine, Over]
        );
    }
}
