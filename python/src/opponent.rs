//! Fixed opponents.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use gryphon_env::{RunSeed, Variant};
use gryphon_play::{Player, PlayerSpec};
use pyo3::prelude::*;

use crate::Reduced;
use crate::arguments::{seed, shown, text};
use crate::errors::{ArgumentError, argument_error};
use crate::position::{PyPosition, stream_of_ply};
use crate::variant::{PyVariant, shared, variant_argument};

const FORMS: &str = "`random`, `greedy`, `alphabeta:nodes=1000` or `alphabeta:depth=3`";

/// An opponent that never changes: `random`, `greedy`, `alphabeta:nodes=1000`,
/// `alphabeta:depth=3`.
#[pyclass(frozen, module = "gryphonzero", name = "Opponent")]
pub(crate) struct PyOpponent {
    variant: &'static Variant,
    name: String,
    player: Mutex<Box<dyn Player>>,
}

#[pymethods]
impl PyOpponent {
    #[new]
    fn py_new(variant: &Bound<'_, PyAny>, name: &Bound<'_, PyAny>) -> PyResult<Self> {
        let variant = variant_argument(variant)?;
        let name = text(name, "name")?;
        let unknown = || argument_error("name", &format!("`{name}`"), FORMS);
        let spec: PlayerSpec =
            name.parse().map_err(|error| ArgumentError::new_err(format!("{error}")))?;
        let player = spec
            .open(variant, NonZeroUsize::MIN, |_| Err(std::fmt::Error))
            .map_err(|_| unknown())?;
        Ok(Self { variant, name: player.name(), player: Mutex::new(player) })
    }

    /// The games it plays.
    #[getter]
    fn variant(&self, py: Python<'_>) -> PyResult<Py<PyVariant>> {
        shared(py, self.variant)
    }

    /// Its name in full.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The text of the action it plays in `position`. Its random choices depend on `seed` and the
    /// number of plies only. The interpreter is free meanwhile.
    #[pyo3(signature = (position, seed = None))]
    fn choose(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let seed = seed.map_or(Ok(RunSeed(0)), self::seed)?;
        let position = position
            .cast::<PyPosition>()
            .map_err(|_| argument_error("position", &shown(position), "a Position"))?
            .get();
        position.check_side_acts()?;
        if !std::ptr::eq(position.variant(), self.variant) {
            let found = format!("a position of `{}`", position.variant().name());
            let expected = format!("one of `{}`", self.variant.name());
            return Err(argument_error("position", &found, &expected));
        }
        let game = position.game();
        let chosen = py.detach(|| {
            let mut player = self.player.lock().unwrap_or_else(PoisonError::into_inner);
            player.choose(&[game], &mut [seed.stream(stream_of_ply(game))])
        });
        let chosen = chosen.map_err(|error| ArgumentError::new_err(error.to_string()))?;
        Ok(self.variant.action_text(chosen[0]))
    }

    fn __repr__(&self) -> String {
        format!("Opponent({:?}, {:?})", self.variant.name(), self.name)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (Py<PyVariant>, String)>> {
        let arguments = (shared(py, self.variant)?, self.name.clone());
        Ok((py.get_type::<Self>().into_any(), arguments))
    }
}
