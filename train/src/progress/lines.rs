//! Plain lines, for logs and pipes.

use std::io::Write;
use std::time::{Duration, Instant};

use super::meter::{Meter, activity_words, details, is_same};
use super::{Progress, Standing};

/// Writes a line when the activity changes, and at intervals.
#[derive(Debug)]
pub struct Lines<W> {
    out: W,
    every: Duration,
    start: Instant,
    meter: Meter,
    /// When the last line was written, and about what.
    last: Option<(Duration, Standing)>,
}

impl<W: Write + Send> Lines<W> {
    /// Lines on `out`, at least `every` apart within an activity.
    pub fn new(out: W, every: Duration) -> Self {
        Self { out, every, start: Instant::now(), meter: Meter::default(), last: None }
    }

    pub(super) fn show_at(&mut self, standing: &Standing, now: Duration) {
        let figures = self.meter.observe(standing, now);
        let is_due = self.last.as_ref().is_none_or(|(at, last)| {
            let is_same = last.generation == standing.generation
                && is_same(&last.activity, &standing.activity);
            !is_same || now.saturating_sub(*at) >= self.every
        });
        if !is_due {
            return;
        }
        let (activity, parts, unit) = activity_words(&standing.activity);
        let line = format!(
            "generation {}/{}: {activity} {}/{} {unit}; {}",
            standing.generation + 1,
            standing.generations,
            parts.done,
            parts.total,
            details(standing, figures)
        );
        self.write(&line);
        self.last = Some((now, standing.clone()));
    }

    /// A log that cannot be written must not stop the run.
    fn write(&mut self, line: &str) {
        let _ = writeln!(self.out, "{line}").and_then(|()| self.out.flush());
    }
}

impl<W: Write + Send> Progress for Lines<W> {
    fn show(&mut self, standing: &Standing) {
        self.show_at(standing, self.start.elapsed());
    }

    fn note(&mut self, text: &str) {
        self.write(text);
    }

    fn finish(&mut self) {}
}
