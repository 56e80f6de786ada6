//! What a person sees while a run goes on: bars on a terminal, a line now and then elsewhere.
//!
//! The loop tells a [`Progress`] where it stands, as often as it likes, and does not know which kind
//! it is. This is the only part of a run that looks at the clock for its own sake.

mod bars;
mod lines;
mod meter;

use std::io::{IsTerminal as _, stderr};
use std::time::Duration;

pub use bars::Bars;
pub use lines::Lines;

/// Parts done of those to do.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Parts {
    /// Done.
    pub done: u64,
    /// To do in all.
    pub total: u64,
}

/// What a run is busy with.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Activity {
    /// Playing games and learning from the window, side by side.
    Training {
        /// Positions of the generation.
        positions: Parts,
        /// Training steps of the generation.
        steps: Parts,
    },
    /// Measuring the network.
    Evaluation {
        /// Whom it plays.
        opponent: String,
        /// Games against it.
        games: Parts,
    },
}

/// Where a run stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The generation being made, from 0.
    pub generation: u32,
    /// Generations of the run.
    pub generations: u32,
    /// What it is busy with.
    pub activity: Activity,
    /// Games of the run so far.
    pub games: u64,
    /// The last loss.
    pub loss: Option<f64>,
    /// The last score against an opponent, by name.
    pub score: Option<(String, f64)>,
}

/// Shows where a run stands.
pub trait Progress: Send {
    /// Takes note of where the run stands, and shows it if it is time to.
    fn show(&mut self, standing: &Standing);

    /// Shows a line that stays.
    fn note(&mut self, text: &str);

    /// Takes bars away, so that what follows is not painted over.
    fn finish(&mut self);
}

/// Whether colors may be used.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Colors {
    /// They may.
    On,
    /// They must not.
    Off,
}

impl Colors {
    /// Off if the variable `NO_COLOR` is set and not empty (no-color.org).
    #[must_use]
    pub fn from_environment() -> Self {
        match std::env::var_os("NO_COLOR") {
            Some(value) if !value.is_empty() => Self::Off,
            _ => Self::On,
        }
    }
}

/// Time between plain lines.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// Bars if the standard error stream is a terminal that can move its cursor, else plain lines on it.
#[must_use]
pub fn for_stderr(colors: Colors) -> Box<dyn Progress> {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if stderr().is_terminal() && !is_dumb {
        Box::new(Bars::new(colors))
    } else {
        Box::new(Lines::new(stderr(), LINE_EVERY))
    }
}

#[cfg(test)]
mod tests;
