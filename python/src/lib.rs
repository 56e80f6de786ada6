//! The compiled part of the Python package `gryphonzero`: rules, batches and search for NumPy.
//!
//! Every call that computes releases the interpreter. Nothing here knows a rule of its own.

mod arguments;
mod batch;
mod errors;
mod opponent;
mod outcome;
mod position;
mod search;
mod variant;

use pyo3::prelude::*;

/// What `__reduce__` gives to `pickle`: what to call, and with which arguments, to make an object
/// again.
type Reduced<'py, Arguments> = (Bound<'py, PyAny>, Arguments);

/// The compiled part of `gryphonzero`.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<variant::PyVariant>()?;
    module.add_class::<position::PyPosition>()?;
    module.add_class::<outcome::PyOutcome>()?;
    module.add_class::<opponent::PyOpponent>()?;
    module.add_class::<search::PySearchResult>()?;
    module.add_class::<batch::PyBatchEnv>()?;
    module.add_class::<batch::PyStep>()?;
    module.add_function(wrap_pyfunction!(variant::variants, module)?)?;
    module.add_function(wrap_pyfunction!(search::search, module)?)?;
    for (name, exception) in [
        ("GryphonError", py.get_type::<errors::GryphonError>()),
        ("VariantError", py.get_type::<errors::VariantError>()),
        ("FenError", py.get_type::<errors::FenError>()),
        ("ActionError", py.get_type::<errors::ActionError>()),
        ("GameOverError", py.get_type::<errors::GameOverError>()),
        ("ArgumentError", py.get_type::<errors::ArgumentError>()),
        ("EvaluationError", py.get_type::<errors::EvaluationError>()),
    ] {
        module.add(name, exception)?;
    }
    Ok(())
}
