//! Bars on a terminal.

use std::fmt;
use std::time::Instant;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::meter::{Meter, activity_words, details};
use super::{Colors, Progress, Standing};

/// Two bars: the run's generations, and what it is busy with.
pub struct Bars {
    all: MultiProgress,
    run: ProgressBar,
    activity: ProgressBar,
    start: Instant,
    meter: Meter,
}

impl fmt::Debug for Bars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bars").field("meter", &self.meter).finish_non_exhaustive()
    }
}

impl Bars {
    /// Bars on the standard error stream.
    #[must_use]
    pub fn new(colors: Colors) -> Self {
        Self::on(ProgressDrawTarget::stderr(), colors)
    }

    pub(super) fn on(target: ProgressDrawTarget, colors: Colors) -> Self {
        let all = MultiProgress::with_draw_target(target);
        let run = all.add(ProgressBar::no_length().with_style(style(colors, "generations")));
        let activity = all.add(ProgressBar::no_length().with_style(style(colors, "")));
        Self { all, run, activity, start: Instant::now(), meter: Meter::default() }
    }
}

fn style(colors: Colors, unit: &str) -> ProgressStyle {
    let bar = match colors {
        Colors::On => "{bar:30.cyan/blue}",
        Colors::Off => "{bar:30}",
    };
    let template = format!("{{prefix:>10}} {bar} {{human_pos}}/{{human_len}} {unit}{{wide_msg}}");
    ProgressStyle::with_template(&template)
        .expect("the template is fixed and well-formed")
        .progress_chars("=>-")
}

impl Progress for Bars {
    fn show(&mut self, standing: &Standing) {
        let figures = self.meter.observe(standing, self.start.elapsed());
        let (activity, parts, unit) = activity_words(&standing.activity);
        self.run.set_prefix("run");
        self.run.set_length(standing.generations.into());
        self.run.set_position(standing.generation.into());
        self.activity.set_prefix(activity);
        self.activity.set_length(parts.total);
        self.activity.set_position(parts.done);
        self.activity.set_message(unit);
        self.run.set_message(format!("; {}", details(standing, figures)));
    }

    fn note(&mut self, text: &str) {
        // Fails only where the terminal does; the run goes on.
        let _ = self.all.println(text);
    }

    fn finish(&mut self) {
        let _ = self.all.clear();
    }
}
