//! A run's metrics, generation by generation.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use gryphon_net::Agreement;
use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System};

use super::generation::Played;
use super::statistics::GameStatistics;
use crate::arena::MatchSummary;
use crate::engines::Choice;
use crate::metrics::{
    FanOut, Jsonl, Metric, MetricError, MetricName, MetricSink as _, Step, TensorBoard,
};
use crate::replay::{ReplayWindow, ReuseBudget};
use crate::run_folder::RunFolder;

/// Writes what happens into `metrics.jsonl` and for TensorBoard.
#[derive(Debug)]
pub(super) struct Recorder {
    sinks: FanOut,
    step: Step,
    start: Instant,
}

/// What a generation's numbers are made from.
pub(super) struct GenerationFigures<'a> {
    pub(super) number: u32,
    pub(super) played: &'a Played,
    /// What computed the network.
    pub(super) engine: &'a Choice,
    pub(super) window: &'a ReplayWindow,
    pub(super) budget: ReuseBudget,
    /// Games stored so far.
    pub(super) games: u64,
    /// Of the stored games; `None` if not known.
    pub(super) bytes_per_position: Option<f64>,
    pub(super) games_per_group: NonZeroUsize,
    pub(super) time: Duration,
}

impl Recorder {
    pub(super) fn open(folder: &RunFolder) -> Result<Self, MetricError> {
        let record = Jsonl::open(&folder.metrics())?;
        let tensorboard = TensorBoard::new(&folder.tensorboard())?;
        let sinks = FanOut::new(record, vec![Box::new(tensorboard)]);
        Ok(Self { sinks, step: Step(0), start: Instant::now() })
    }

    /// Notes where the run was begun or resumed; later notes belong to `step`.
    pub(super) fn note_start(&mut self, step: Step, note: &str) -> Result<(), MetricError> {
        self.step = step;
        self.sinks.text(&Metric::Start.into(), step, note)?;
        self.sinks.flush()
    }

    pub(super) fn warn(&mut self, warning: &str) -> Result<(), MetricError> {
        self.sinks.text(&Metric::Warning.into(), self.step, warning)?;
        self.sinks.flush()
    }

    pub(super) fn generation(
        &mut self,
        step: Step,
        figures: &GenerationFigures<'_>,
    ) -> Result<(), MetricError> {
        self.step = step;
        let GenerationFigures { number, played, window, budget, games, time, .. } = *figures;
        let mut scalars = vec![
            (Metric::Generation, f64::from(number)),
            (Metric::Elapsed, self.start.elapsed().as_secs_f64()),
            (Metric::Games, games as f64),
            (Metric::Positions, budget.positions() as f64),
            (Metric::WindowPositions, window.n_positions() as f64),
            (Metric::WindowGames, window.games().len() as f64),
            (Metric::Reuse, budget.reuse()),
            (Metric::TrainingShare, played.learning.time.as_secs_f64() / time.as_secs_f64()),
        ];
        scalars.extend(resident_bytes().map(|bytes| (Metric::ResidentBytes, bytes as f64)));
        scalars.extend(figures.bytes_per_position.map(|bytes| (Metric::BytesPerPosition, bytes)));
        scalars.extend(self_play(figures));
        if let Some(of) = GameStatistics::of(&played.records) {
            scalars.extend([
                (Metric::GamePlies, of.mean_plies),
                (Metric::WhiteWins, of.white_wins),
                (Metric::BlackWins, of.black_wins),
                (Metric::Draws, of.draws),
                (Metric::CutGames, of.cut),
                (Metric::PolicyEntropy, of.policy_entropy),
            ]);
        }
        if let Some(means) = played.learning.means() {
            let learning = played.learning;
            scalars.extend([
                (Metric::PolicyLoss, means.policy_loss),
                (Metric::ValueLoss, means.value_loss),
                (Metric::TotalLoss, means.total_loss),
                (Metric::TopAction, means.top_action),
                (Metric::GradientNorm, means.gradient_norm),
                (Metric::LearningRate, learning.learning_rate),
                (Metric::SampleAge, learning.ages as f64 / learning.samples as f64),
                (
                    Metric::SamplesPerSecond,
                    learning.samples as f64 / learning.time.as_secs_f64().max(1e-9),
                ),
            ]);
        }
        self.put(scalars.into_iter().map(|(metric, value)| (metric.into(), value)))
    }

    pub(super) fn evaluation(
        &mut self,
        step: Step,
        summary: &MatchSummary,
    ) -> Result<(), MetricError> {
        self.step = step;
        let of = |metric: Metric| metric.of(&summary.second);
        let estimate = summary.estimate;
        let mut scalars = vec![
            (of(Metric::ArenaElo), estimate.elo.0),
            (of(Metric::ArenaEloLow), estimate.elo_low.0),
            (of(Metric::ArenaEloHigh), estimate.elo_high.0),
        ];
        scalars.extend(summary.score.map(|score| (of(Metric::ArenaScore), score)));
        self.put(scalars)
    }

    fn put(
        &mut self,
        scalars: impl IntoIterator<Item = (MetricName, f64)>,
    ) -> Result<(), MetricError> {
        for (name, value) in scalars {
            self.sinks.scalar(&name, self.step, value)?;
        }
        self.sinks.flush()
    }
}

/// What self-play did, and what computed its network.
fn self_play(figures: &GenerationFigures<'_>) -> Vec<(Metric, f64)> {
    let GenerationFigures { played, engine, games_per_group, .. } = figures;
    let work = played.work;
    let seconds = played.self_play_time.as_secs_f64().max(1e-9);
    let places = work.batches as f64 * games_per_group.get() as f64;
    let mut scalars = vec![
        (Metric::GamesPerSecond, played.records.len() as f64 / seconds),
        (Metric::PositionsPerSecond, work.positions as f64 / seconds),
        (Metric::EvaluationsPerSecond, work.evaluations as f64 / seconds),
        (Metric::BatchFill, work.evaluations as f64 / places),
        (Metric::PolicySurprise, work.surprise / work.positions as f64),
    ];
    scalars.extend(work.cache.hits().map(|hits| (Metric::CacheHits, hits)));
    if let Some(verdict) = engine.int8 {
        let Agreement { policy_kl, value_error } = verdict.agreement();
        scalars.push((Metric::EnginePolicyKl, policy_kl));
        scalars.push((Metric::EngineValueError, value_error));
    }
    scalars
}

/// Resident memory of this process; `None` if the system does not say.
fn resident_bytes() -> Option<u64> {
    let id = sysinfo::get_current_pid().ok()?;
    let mut system = System::new().ok()?;
    let memory = ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[id]), true, memory);
    system.process(id).map(sysinfo::Process::memory)
}
