//! A run's metrics, generation by generation.

use std::time::{Duration, Instant};

use super::generation::Played;
use super::statistics::GameStatistics;
use crate::arena::MatchSummary;
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
    /// What computed the network, in words.
    pub(super) engine: &'a str,
    pub(super) window: &'a ReplayWindow,
    pub(super) budget: ReuseBudget,
    pub(super) games: u64,
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
        let seconds = played.self_play_time.as_secs_f64().max(1e-9);
        let mut scalars = vec![
            (Metric::Generation, f64::from(number)),
            (Metric::Elapsed, self.start.elapsed().as_secs_f64()),
            (Metric::Games, games as f64),
            (Metric::Positions, budget.positions() as f64),
            (Metric::GamesPerSecond, played.records.len() as f64 / seconds),
            (Metric::PositionsPerSecond, played.positions as f64 / seconds),
            (Metric::WindowPositions, window.n_positions() as f64),
            (Metric::WindowGames, window.games().len() as f64),
            (Metric::Reuse, budget.reuse()),
            (Metric::TrainingShare, played.learning.time.as_secs_f64() / time.as_secs_f64()),
        ];
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
                (Metric::GradientNorm, means.gradient_norm),
                (Metric::LearningRate, learning.learning_rate),
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
