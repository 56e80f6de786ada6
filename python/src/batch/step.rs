//! What a step shows, as NumPy arrays.

use gryphon_env::{BatchParts, ObservationFormat, Packed};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3};
use pyo3::prelude::*;

/// The games of a `BatchEnv` after a step.
#[pyclass(frozen, get_all, module = "gryphonzero", name = "Step")]
pub(crate) struct PyStep {
    /// What the sides that act next see: uint8 or float32 `[N, C, H, W]`; as bits, uint8
    /// `[N, P, B]`, for `P` planes of squares.
    observations: Py<PyAny>,
    /// As bits: the numbers of the `K` constant planes, float32 `[N, K]`. Otherwise `None`.
    constants: Option<Py<PyArray2<f32>>>,
    /// Which actions are legal, bool `[N, A]`. `mask.view("int8")` is a mask of ones and zeros.
    mask: Py<PyArray2<bool>>,
    /// What the step brought White and Black: 1 and -1 if it won the game, else 0, float32
    /// `[N, 2]`.
    rewards: Py<PyArray2<f32>>,
    /// Whether the step ended the game by the rules, bool `[N]`.
    terminated: Py<PyArray1<bool>>,
    /// Whether the step ended the game at `max_plies`, bool `[N]`.
    truncated: Py<PyArray1<bool>>,
    /// Who acts next: 0 for White, 1 for Black, uint8 `[N]`.
    actor: Py<PyArray1<u8>>,
}

impl PyStep {
    /// The packed planes and the constants, if planes are stored as bits.
    pub(super) fn bits<'py>(&self, py: Python<'py>) -> Option<BitArrays<'py>> {
        let squares = self.observations.bind(py).cast::<PyArray3<u8>>().ok()?;
        Some((squares.clone(), self.constants.as_ref()?.bind(py).clone()))
    }

    /// Gives the arrays away without copying them.
    pub(super) fn new<F: ToNumPy>(py: Python<'_>, parts: BatchParts<F>) -> Self {
        let (observations, constants) = F::to_numpy(py, parts.observations);
        Self {
            observations,
            constants,
            mask: parts.mask.into_pyarray(py).unbind(),
            rewards: parts.rewards.into_pyarray(py).unbind(),
            terminated: parts.terminated.into_pyarray(py).unbind(),
            truncated: parts.truncated.into_pyarray(py).unbind(),
            actor: parts.actor.into_pyarray(py).unbind(),
        }
    }
}

#[pymethods]
impl PyStep {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<gryphonzero.Step of {} games>", self.actor.bind(py).len()?))
    }
}

/// Packed planes of squares and constant planes.
type BitArrays<'py> = (Bound<'py, PyArray3<u8>>, Bound<'py, PyArray2<f32>>);

/// Planes, and the constants that are stored by themselves.
type PlanesArrays = (Py<PyAny>, Option<Py<PyArray2<f32>>>);

/// Observations as NumPy arrays.
pub(super) trait ToNumPy: ObservationFormat {
    fn to_numpy(py: Python<'_>, array: Self::Array) -> PlanesArrays;
}

impl ToNumPy for u8 {
    fn to_numpy(py: Python<'_>, array: Self::Array) -> PlanesArrays {
        (array.into_pyarray(py).into_any().unbind(), None)
    }
}

impl ToNumPy for f32 {
    fn to_numpy(py: Python<'_>, array: Self::Array) -> PlanesArrays {
        (array.into_pyarray(py).into_any().unbind(), None)
    }
}

impl ToNumPy for Packed {
    fn to_numpy(py: Python<'_>, array: Self::Array) -> PlanesArrays {
        let constants = array.constants.into_pyarray(py).unbind();
        (array.squares.into_pyarray(py).into_any().unbind(), Some(constants))
    }
}
