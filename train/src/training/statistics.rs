//! What a generation was like, in numbers.

use std::time::Duration;

use gryphon_env::Color;

use crate::learner::StepReport;
use crate::replay::{GameEnd, GameRecord};

/// Sums over the steps of a generation.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct LearningTotals {
    pub(super) steps: u64,
    pub(super) samples: u64,
    pub(super) time: Duration,
    pub(super) last_loss: Option<f64>,
    pub(super) learning_rate: f64,
    /// Generations between a sample's game and now, summed over samples.
    pub(super) ages: u64,
    sums: LearningMeans,
}

/// Means over the steps of a generation.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct LearningMeans {
    pub(super) policy_loss: f64,
    pub(super) value_loss: f64,
    pub(super) total_loss: f64,
    pub(super) top_action: f64,
    pub(super) gradient_norm: f64,
}

impl LearningTotals {
    pub(super) fn add(&mut self, report: StepReport, samples: u64, time: Duration) {
        self.steps += 1;
        self.samples += samples;
        self.time += time;
        self.last_loss = Some(report.total_loss);
        self.learning_rate = report.learning_rate;
        self.sums.policy_loss += report.policy_loss;
        self.sums.value_loss += report.value_loss;
        self.sums.total_loss += report.total_loss;
        self.sums.top_action += report.top_action;
        self.sums.gradient_norm += report.gradient_norm;
    }

    /// `None` without steps.
    pub(super) fn means(&self) -> Option<LearningMeans> {
        let n = self.steps as f64;
        (self.steps > 0).then(|| LearningMeans {
            policy_loss: self.sums.policy_loss / n,
            value_loss: self.sums.value_loss / n,
            total_loss: self.sums.total_loss / n,
            top_action: self.sums.top_action / n,
            gradient_norm: self.sums.gradient_norm / n,
        })
    }
}

/// Shares and means over finished games.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct GameStatistics {
    pub(super) mean_plies: f64,
    pub(super) white_wins: f64,
    pub(super) black_wins: f64,
    pub(super) draws: f64,
    pub(super) cut: f64,
    /// Of the improved policy, in nats; what is not listed counts as one action.
    pub(super) policy_entropy: f64,
}

impl GameStatistics {
    /// `None` without games.
    pub(super) fn of(records: &[GameRecord]) -> Option<Self> {
        if records.is_empty() {
            return None;
        }
        let n = records.len() as f64;
        let share = |is: &dyn Fn(&GameRecord) -> bool| {
            records.iter().filter(|record| is(record)).count() as f64 / n
        };
        let winner = |record: &GameRecord| match record.end {
            GameEnd::Finished(outcome) => outcome.winner(),
            GameEnd::Truncated { .. } => None,
        };
        let is_cut = |record: &GameRecord| matches!(record.end, GameEnd::Truncated { .. });
        let plies: usize = records.iter().map(|record| record.plies.len()).sum();
        Some(Self {
            mean_plies: plies as f64 / n,
            white_wins: share(&|record| winner(record) == Some(Color::White)),
            black_wins: share(&|record| winner(record) == Some(Color::Black)),
            draws: share(&|record| winner(record).is_none() && !is_cut(record)),
            cut: share(&is_cut),
            policy_entropy: mean_entropy(records),
        })
    }
}

fn mean_entropy(records: &[GameRecord]) -> f64 {
    let searches =
        records.iter().flat_map(|record| &record.plies).filter_map(|ply| ply.search.as_ref());
    let (mut sum, mut n) = (0.0, 0u64);
    for search in searches {
        let policy = &search.policy;
        let listed = policy.entries().iter().map(|entry| entry.probability());
        let surprise = |p: f32| if p > 0.0 { -f64::from(p) * f64::from(p).ln() } else { 0.0 };
        sum += listed.chain([policy.rest()]).map(surprise).sum::<f64>();
        n += 1;
    }
    sum / n.max(1) as f64
}
