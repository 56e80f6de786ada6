//! Bars on a terminal.

use std::fmt;
use std::time::Instant;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::meter::{Meter, details, phase_words};
use super::{Colors, Phase, Progress, Standing};

/// Two bars: the run's generations, and the present phase.
pub struct Bars {
    all: MultiProgress,
    run: ProgressBar,
    phase: ProgressBar,
    shown: Option<(u32, Phase)>,
    start: Instant,
    meter: Meter,
}

impl fmt::Debug for Bars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bars").field("shown", &self.shown).finish_non_exhaustive()
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
        let phase = all.add(ProgressBar::no_length().with_style(style(colors, "")));
        Self { all, run, phase, shown: None, start: Instant::now(), meter: Meter::default() }
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
        let (phase, unit) = phase_words(standing.phase);
        if self.shown != Some((standing.generation, standing.phase)) {
            self.shown = Some((standing.generation, standing.phase));
            self.run.set_prefix("run");
            self.run.set_length(standing.generations.into());
            self.run.set_position(standing.generation.into());
            self.phase.set_prefix(phase);
        }
        self.phase.set_length(standing.total);
        self.phase.set_position(standing.done);
        self.phase.set_message(unit);
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
