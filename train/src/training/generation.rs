//! One generation: self-play and learning side by side.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, unbounded};
use gryphon_env::Stream;
use gryphon_mcts::Wdl;
use gryphon_net::NetEvaluator;
use rand::RngExt;

use super::TrainingError;
use super::statistics::LearningTotals;
use crate::config::RunConfig;
use crate::learner::{Batch, Learner, TrainingSample};
use crate::progress::Parts;
use crate::replay::{GameRecord, ReplayError, ReplayStore, ReplayWindow, ReuseBudget, Sample};
use crate::selfplay::{Group, SelfPlayRules, SharedWork, Work, Workplace, play_generation};

/// How often progress is looked at while only self-play is running.
const POLL: Duration = Duration::from_millis(100);

/// What a generation works with.
pub(super) struct Generation<'a> {
    pub(super) number: u32,
    pub(super) config: &'a RunConfig,
    pub(super) rules: &'a SelfPlayRules,
    pub(super) store: &'a mut ReplayStore,
    pub(super) window: &'a mut ReplayWindow,
    pub(super) learner: &'a mut Learner,
    pub(super) budget: &'a mut ReuseBudget,
    pub(super) stop: &'a AtomicBool,
}

/// What a generation brought.
pub(super) struct Played {
    pub(super) groups: Vec<Group>,
    /// Games that ended, by number.
    pub(super) records: Vec<GameRecord>,
    /// What self-play did.
    pub(super) work: Work,
    pub(super) learning: LearningTotals,
    pub(super) self_play_time: Duration,
}

/// How far a generation is.
#[derive(Copy, Clone, Debug)]
pub(super) struct GenerationProgress {
    pub(super) positions: Parts,
    pub(super) steps: Parts,
    /// Of the last step.
    pub(super) loss: Option<f64>,
}

impl Generation<'_> {
    /// Plays `groups` on one thread for each of `evaluators` while the learner learns; `None` if it was
    /// stopped.
    pub(super) fn run(
        self,
        groups: Vec<Group>,
        evaluators: Vec<NetEvaluator>,
        on_progress: &mut dyn FnMut(&GenerationProgress),
    ) -> Result<Option<Played>, TrainingError> {
        let selfplay = &self.config.selfplay;
        let work = SharedWork::default();
        let (sender, receiver) = unbounded();
        let workplace = Workplace {
            rules: self.rules,
            generation: self.number,
            rounds: selfplay.rounds_per_generation.get(),
            stop: self.stop,
            work: &work,
            finished: sender,
        };
        let n_slots = groups.len() as u64 * selfplay.games_per_group.get() as u64;
        let steps_total = self.budget.steps(self.config.replay.batch_size);
        let n_positions = n_slots * u64::from(selfplay.rounds_per_generation.get());
        let progress = |totals: &LearningTotals| GenerationProgress {
            positions: Parts { done: work.so_far().positions, total: n_positions },
            steps: Parts { done: totals.steps, total: steps_total },
            loss: totals.last_loss,
        };
        let (store, stop) = (self.store, self.stop);
        let mut learning = LearningRun {
            generation: self.number,
            config: self.config,
            window: self.window,
            learner: self.learner,
            budget: self.budget,
            rng: self.rules.seed.stream(Stream::Samples { generation: self.number }),
            totals: LearningTotals::default(),
        };
        thread::scope(|scope| {
            let playing = scope.spawn(move || {
                let start = Instant::now();
                let groups = play_generation(&workplace, groups, evaluators);
                (groups, start.elapsed())
            });
            let writing = scope.spawn(move || write_games(store, &receiver, stop));
            let mut learned = Ok(());
            while learning.totals.steps < steps_total && !stop.load(Ordering::Relaxed) {
                learned = learning.step();
                if learned.is_err() {
                    stop.store(true, Ordering::Relaxed);
                }
                on_progress(&progress(&learning.totals));
            }
            while !playing.is_finished() {
                thread::sleep(POLL);
                on_progress(&progress(&learning.totals));
            }
            let (groups, self_play_time) =
                playing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            let records = writing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            learned?;
            let mut records = records?;
            let Some(groups) = groups? else { return Ok(None) };
            if learning.totals.steps < steps_total {
                return Ok(None);
            }
            records.sort_by_key(|record| record.id);
            Ok(Some(Played {
                groups,
                records,
                work: work.so_far(),
                learning: learning.totals,
                self_play_time,
            }))
        })
    }
}

/// Stores every game as it ends, and gives them all back.
fn write_games(
    store: &mut ReplayStore,
    finished: &Receiver<GameRecord>,
    stop: &AtomicBool,
) -> Result<Vec<GameRecord>, ReplayError> {
    let mut records = Vec::new();
    for record in finished {
        // A generation that is played again brings games that are stored already.
        if let Err(error) = store.append(&record) {
            stop.store(true, Ordering::Relaxed);
            return Err(error);
        }
        records.push(record);
    }
    store.sync()?;
    Ok(records)
}

struct LearningRun<'a, R> {
    generation: u32,
    config: &'a RunConfig,
    window: &'a mut ReplayWindow,
    learner: &'a mut Learner,
    budget: &'a mut ReuseBudget,
    rng: R,
    totals: LearningTotals,
}

impl<R: rand::Rng> LearningRun<'_, R> {
    fn step(&mut self) -> Result<(), TrainingError> {
        let start = Instant::now();
        let batch_size = self.config.replay.batch_size;
        let drawn = self.window.draw(&mut self.rng, batch_size)?;
        let age = |sample: &Sample| u64::from(self.generation.abs_diff(sample.game_id.generation));
        self.totals.ages += drawn.iter().map(age).sum::<u64>();
        let network = self.learner.network();
        let variant = network.variant();
        let share = self.config.learner.root_value_share.as_f32();
        let samples: Vec<TrainingSample> = drawn
            .into_iter()
            .map(|sample| {
                let mirrored = variant.is_mirror_symmetric() && self.rng.random();
                training_sample(sample, share, mirrored)
            })
            .collect();
        let batch = Batch::new(variant, &samples, network.device())
            .map_err(crate::learner::LearnerError::from)?;
        let report = self.learner.step(&batch)?;
        self.budget.spend(samples.len() as u64);
        self.totals.add(report, samples.len() as u64, start.elapsed());
        Ok(())
    }
}

/// The value target is `share` of the root value and for the rest the game's result.
fn training_sample(sample: Sample, share: f32, mirrored: bool) -> TrainingSample {
    let root = Wdl::of_value(sample.root_value);
    let mix = |result: f32, root: f32| (1.0 - share) * result + share * root;
    TrainingSample {
        context: sample.game.observation_context(),
        position: sample.game.position().clone(),
        policy: sample.legal.into_iter().zip(sample.policy).collect(),
        wdl: Wdl {
            win: mix(sample.result.win, root.win),
            draw: mix(sample.result.draw, root.draw),
            loss: mix(sample.result.loss, root.loss),
        },
        mirrored,
    }
}
