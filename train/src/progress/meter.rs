//! Rates and the time left, from standings and the time at which they were taken.

use std::time::Duration;

use super::{Phase, Standing};

/// What follows from several standings.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(super) struct Figures {
    /// Positions a second of the present or last self-play phase.
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
    /// When the present self-play phase began, and the positions then.
    selfplay: Option<(Duration, u64)>,
    figures: Figures,
}

impl Meter {
    /// Takes `standing` at `now`, counted from any fixed moment.
    pub(super) fn observe(&mut self, standing: &Standing, now: Duration) -> Figures {
        self.watch_selfplay(standing, now);
        let (first, first_at) = *self.first.get_or_insert((standing.generation, now));
        if self.generation.is_none_or(|(generation, _)| generation != standing.generation) {
            self.generation = Some((standing.generation, now));
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

    fn watch_selfplay(&mut self, standing: &Standing, now: Duration) {
        if standing.phase != Phase::SelfPlay {
            self.selfplay = None;
            return;
        }
        let (began, positions) = *self.selfplay.get_or_insert((now, standing.positions));
        let seconds = now.saturating_sub(began).as_secs_f64();
        let played = standing.positions.saturating_sub(positions);
        if seconds > 0.0 && played > 0 {
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

/// The phase in words, with the unit of its parts.
pub(super) const fn phase_words(phase: Phase) -> (&'static str, &'static str) {
    match phase {
        Phase::SelfPlay => ("self-play", "games"),
        Phase::Learning => ("learning", "steps"),
        Phase::Evaluation => ("evaluation", "games"),
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
