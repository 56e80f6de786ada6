//! The exceptions of the package. All derive from `ValueError`.

use std::fmt::Display;

use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;

create_exception!(
    gryphonzero,
    GryphonError,
    PyValueError,
    "Anything that this package refuses. The message says what was found and what was expected."
);
create_exception!(
    gryphonzero,
    VariantError,
    GryphonError,
    "No such variant, or a variant file with a mistake."
);
create_exception!(
    gryphonzero,
    FenError,
    GryphonError,
    "A FEN that is malformed or breaks the variant's rules."
);
create_exception!(
    gryphonzero,
    ActionError,
    GryphonError,
    "An action that is not legal, or no action at all."
);
create_exception!(gryphonzero, GameOverError, GryphonError, "Something was done after the end.");
create_exception!(
    gryphonzero,
    ArgumentError,
    GryphonError,
    "An argument with a wrong type, range, shape or dtype."
);
create_exception!(
    gryphonzero,
    EvaluationError,
    GryphonError,
    "An evaluator's answer with a wrong form, shape, dtype or range."
);

pub(crate) fn variant_error(error: &impl Display) -> PyErr {
    VariantError::new_err(error.to_string())
}

pub(crate) fn fen_error(error: &impl Display) -> PyErr {
    FenError::new_err(error.to_string())
}

pub(crate) fn action_error(error: &impl Display) -> PyErr {
    ActionError::new_err(error.to_string())
}

/// `name` is not what it should be.
pub(crate) fn argument_error(name: &str, found: &str, expected: &str) -> PyErr {
    ArgumentError::new_err(format!("`{name}`: found {found}, expected {expected}"))
}
