//! Engines alone.

use std::num::NonZeroUsize;
use std::sync::{Barrier, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use gryphon_net::{NetError, NetEvaluator, PlayingNet};

use super::{EngineReport, EngineRow, Subject, Tally, total_rate};

/// Times that every engine and batch size has its turn.
const ROUNDS: u32 = 4;
/// Batches before the first that counts: libraries choose and keep their code for a shape then.
const WARM_UP: u32 = 2;

/// One engine at one batch size.
#[derive(Copy, Clone, Debug)]
struct Case {
    /// Among the engines.
    engine: usize,
    batch: NonZeroUsize,
}

/// Measures each of `nets` at each of `batches` on `workers` threads at once, for about `time` in all.
///
/// # Errors
/// If an engine fails.
pub fn measure_engines(
    subject: &Subject,
    nets: &[PlayingNet],
    batches: &[NonZeroUsize],
    workers: NonZeroUsize,
    time: Duration,
) -> Result<EngineReport, NetError> {
    let cases: Vec<Case> = (0..nets.len())
        .flat_map(|engine| batches.iter().map(move |&batch| Case { engine, batch }))
        .collect();
    let turn = time / (ROUNDS * cases.len().max(1) as u32);
    let barrier = Barrier::new(workers.get());
    let failure = Mutex::new(None);
    let evaluators = |_| {
        let evaluator = |net: &PlayingNet| NetEvaluator::new(net.clone(), subject.variant());
        nets.iter().map(evaluator).collect::<Result<Vec<_>, _>>()
    };
    let evaluators = (0..workers.get()).map(evaluators).collect::<Result<Vec<_>, _>>()?;
    let tallies: Vec<Vec<Tally>> = thread::scope(|scope| {
        let start = |evaluators| scope.spawn(|| work(evaluators, &cases, turn, &barrier, &failure));
        let workers: Vec<_> = evaluators.into_iter().map(start).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, _>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().map(join).collect()
    });
    if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let row = |(index, case): (usize, &Case)| EngineRow {
        engine: nets[case.engine].kind().to_string(),
        batch: case.batch.get(),
        positions_per_second: total_rate(tallies.iter().map(|of_worker| of_worker[index])),
    };
    Ok(EngineReport {
        variant: subject.variant().name().to_owned(),
        network: subject.network.shape().to_string(),
        workers: workers.get(),
        rows: cases.iter().enumerate().map(row).collect(),
    })
}

/// One worker: all cases in turn, each at the same time as on the other workers. The first error of
/// any is kept in `failure`.
fn work(
    mut evaluators: Vec<NetEvaluator>,
    cases: &[Case],
    turn: Duration,
    barrier: &Barrier,
    failure: &Mutex<Option<NetError>>,
) -> Vec<Tally> {
    let mut tallies = vec![Tally::default(); cases.len()];
    let keep = |error| {
        failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    };
    for _ in 0..ROUNDS {
        for (case, tally) in cases.iter().zip(&mut tallies) {
            barrier.wait();
            match run(&mut evaluators[case.engine], case.batch.get(), turn) {
                Ok(found) => tally.add(found),
                Err(error) => keep(error),
            }
        }
    }
    tallies
}

fn run(evaluator: &mut NetEvaluator, batch: usize, turn: Duration) -> Result<Tally, NetError> {
    for _ in 0..WARM_UP {
        evaluator.run_engine(batch)?;
    }
    let start = Instant::now();
    let mut tally = Tally::default();
    while tally.time < turn {
        evaluator.run_engine(batch)?;
        tally.batches += 1;
        tally.positions += batch as u64;
        tally.time = start.elapsed();
    }
    Ok(tally)
}
