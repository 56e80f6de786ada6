//! Rates and the time left, from standings and the time at which they were taken.

use std::time::Duration;

use super::{Activity, Parts, Standing};

/// What follows from several standings.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(super) struct Figures {
    /// Positions played a second in this generation, or in the last one.
    pub(super) positions_per_second: Option<f64>,
    /// Time until the last generation is done, judged by those done since the start.
    pub(super) left: Option<Duration>,
}

/// Watches a run.
#[derive(Debug, Default)]
pub(super) struct Meter {
    /// Generation and time of the first standing.
    first: Option<(u32, Duration)>,
    /// Generation now, and when it began.
    generation: Option<(u32, Duration)>,
    /// The first standing of the generation in which positions were played: when, and how many.
    played: Option<(Duration, u64)>,
    figures: Figures,
}

impl Meter {
    /// Takes `standing` at `now`, counted from any fixed moment.
    pub(super) fn observe(&mut self, standing: &Standing, now: Duration) -> Figures {
        let (first, first_at) = *self.first.get_or_insert((standing.generation, now));
        if self.generation.is_none_or(|(generation, _)| generation != standing.generation) {
            self.generation = Some((standing.generation, now));
            self.played = None;
        }
        if let Activity::Training { positions, .. } = standing.activity {
            self.watch_positions(positions, now);
        }
        let began = self.generation.map_or(now, |(_, began)| began);
        let n_done = standing.generation.saturating_sub(first);
        self.figures.left = (n_done > 0).then(|| {
            let each = began.saturating_sub(first_at) / n_done;
            let n_left = standing.generations.saturating_sub(standing.generation);
            (each * n_left).saturating_sub(now.saturating_sub(began))
        });
        self.figures
    }

    /// The rate stays as it is once all positions are played and only learning goes on.
    fn watch_positions(&mut self, positions: Parts, now: Duration) {
        let (began, before) = *self.played.get_or_insert((now, positions.done));
        let seconds = now.saturating_sub(began).as_secs_f64();
        let played = positions.done.saturating_sub(before);
        let is_going_on = positions.done < positions.total;
        if seconds > 0.0 && played > 0 && is_going_on {
            self.figures.positions_per_second = Some(played as f64 / seconds);
        }
    }
}

/// The whole of what is known, in words: `210 positions/s, loss 2.31, score 0.93 vs greedy`.
pub(super) fn details(standing: &Standing, figures: Figures) -> String {
    let rate = figures.positions_per_second.map(|rate| format!("{rate:.0} positions/s"));
    let loss = standing.loss.map(|loss| format!("loss {loss:.3}"));
    let score = standing.score.as_ref().map(|(name, score)| format!("score {score:.2} vs {name}"));
    let left = figures.left.map(|left| format!("{} left", short(left)));
    let games = Some(format!("{} games", standing.games));
    [games, rate, loss, score, left].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Name of the activity, its parts, and their unit.
pub(super) fn activity_words(activity: &Activity) -> (&'static str, Parts, String) {
    match activity {
        Activity::Training { positions, steps } => {
            let unit = format!("positions, {}/{} steps", steps.done, steps.total);
            ("training", *positions, unit)
        }
        Activity::Evaluation { opponent, games } => {
            ("evaluation", *games, format!("games against {opponent}"))
        }
    }
}

/// What makes one activity another: its kind, and the opponent.
pub(super) fn is_same(a: &Activity, b: &Activity) -> bool {
    match (a, b) {
        (Activity::Training { .. }, Activity::Training { .. }) => true,
        (Activity::Evaluation { opponent: a, .. }, Activity::Evaluation { opponent: b, .. }) => {
            a == b
        }
        _ => false,
    }
}

/// A time in its two largest units: `1h 05m`, `3m 20s`, `45s`.
fn short(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s}s"),
        (0, m, s) => format!("{m}m {s:02}s"),
        (h, m, _) => format!("{h}h {m:02}m"),
    }
}
