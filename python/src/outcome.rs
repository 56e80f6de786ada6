//! How a game ended, as a Python object.

use std::hash::{DefaultHasher, Hash, Hasher};

use gryphon_env::{Color, Outcome};
use pyo3::prelude::*;

use crate::Reduced;
use crate::arguments::{color, text};

/// The result of a finished game.
#[pyclass(frozen, eq, module = "gryphonzero", name = "Outcome")]
#[derive(Clone, Debug, Eq, PartialEq, Hash)]
pub(crate) struct PyOutcome {
    winner: Option<Color>,
    reason: String,
}

impl PyOutcome {
    pub(crate) fn new(outcome: Outcome) -> Self {
        let reason = match outcome {
            Outcome::Decisive { reason, .. } => reason.to_string(),
            Outcome::Draw { reason } => reason.to_string(),
        };
        Self { winner: outcome.winner(), reason }
    }
}

#[pymethods]
impl PyOutcome {
    #[new]
    fn py_new(winner: &Bound<'_, PyAny>, reason: &Bound<'_, PyAny>) -> PyResult<Self> {
        let winner = if winner.is_none() { None } else { Some(color(winner, "winner")?) };
        Ok(Self { winner, reason: text(reason, "reason")? })
    }

    /// `white`, `black`, or `None` for a draw.
    #[getter]
    fn winner(&self) -> Option<String> {
        self.winner.map(|color| color.to_string())
    }

    /// `checkmate`, `stalemate`, `bare king`, `repetition`, `clock`, `only kings` or
    /// `insufficient material`.
    #[getter]
    fn reason(&self) -> &str {
        &self.reason
    }

    fn __str__(&self) -> String {
        let winner = self.winner.map_or_else(|| "draw".to_owned(), |color| color.to_string());
        format!("{winner}:{}", self.reason)
    }

    fn __repr__(&self) -> String {
        format!("<gryphonzero.Outcome {}>", self.__str__())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Option<String>, String)> {
        (py.get_type::<Self>().into_any(), (self.winner(), self.reason.clone()))
    }
}
