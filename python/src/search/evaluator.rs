//! A Python function as the evaluator of a search.

use gryphon_env::Variant;
use gryphon_mcts::{Evaluation, Evaluator, EvaluatorError, Query, ValueMover, Wdl};
use ndarray::Array4;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::arguments::shown;
use crate::errors::EvaluationError;

/// How far a value may lie outside `[-1, 1]` through rounding.
const TOLERANCE: f32 = 1e-3;

/// Calls a Python function. Its exceptions come out as they are.
pub(super) struct PythonEvaluator {
    evaluate: Py<PyAny>,
    variant: &'static Variant,
    /// The exception that ended the search.
    failure: Option<PyErr>,
}

impl PythonEvaluator {
    pub(super) const fn new(evaluate: Py<PyAny>, variant: &'static Variant) -> Self {
        Self { evaluate, variant, failure: None }
    }

    /// The exception that ended the search, if one did.
    pub(super) fn into_failure(self) -> Option<PyErr> {
        self.failure
    }

    fn planes(&self, queries: &[Query<'_>]) -> Array4<f32> {
        let (layout, size) = (self.variant.observation(), self.variant.size());
        let (c, h, w) = (layout.n_planes(), usize::from(size.ranks()), usize::from(size.files()));
        let mut planes = Array4::zeros((queries.len(), c, h, w));
        if let Some(all) = planes.as_slice_mut() {
            for (query, out) in queries.iter().zip(all.chunks_exact_mut(c * h * w)) {
                layout.encode(query.position, query.context, out);
            }
        }
        planes
    }

    fn answers(&self, py: Python<'_>, queries: &[Query<'_>]) -> PyResult<Vec<Evaluation>> {
        let planes = self.planes(queries).into_pyarray(py);
        let answer = self.evaluate.bind(py).call1((planes,))?;
        py.check_signals()?;
        let pair = answer.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2);
        let Some(pair) = pair else {
            return Err(EvaluationError::new_err(format!(
                "`evaluate` gave {}, expected a tuple of logits and values",
                shown(&answer)
            )));
        };
        let n_actions = self.variant.action_space().len();
        let (logits, values) = (pair.get_item(0)?, pair.get_item(1)?);
        let logits = float_array(&logits, "logits", &[queries.len(), n_actions])?;
        let logits: PyReadonlyArray2<'_, f32> = logits.cast::<PyArray2<f32>>()?.readonly();
        let values = float_array(&values, "values", &[queries.len()])?;
        let values: PyReadonlyArray1<'_, f32> = values.cast::<PyArray1<f32>>()?.readonly();
        let (logits, values) = (logits.as_array(), values.as_array());
        let rows = queries.iter().enumerate();
        rows.map(|(row, query)| {
            let logit = |index: usize| logits[(row, index)];
            self.evaluation(query, row, logit, values[row])
        })
        .collect()
    }

    /// The answer to the query in `row`.
    fn evaluation(
        &self,
        query: &Query<'_>,
        row: usize,
        logit: impl Fn(usize) -> f32,
        value: f32,
    ) -> PyResult<Evaluation> {
        let (space, mover) = (self.variant.action_space(), query.position.side_to_move());
        if value.is_nan() || value.abs() > 1.0 + TOLERANCE {
            return Err(EvaluationError::new_err(format!(
                "`evaluate` gave {value} as values[{row}], expected a number from -1 (the side to \
                 move loses) to 1"
            )));
        }
        let mut logits = Vec::with_capacity(query.legal.len());
        for &action in query.legal {
            let index = space.index(action, mover).expect("every action of a side has an index");
            let index = usize::from(index.0);
            let logit = logit(index);
            if !logit.is_finite() {
                return Err(EvaluationError::new_err(format!(
                    "`evaluate` gave {logit} as logits[{row}, {index}], expected a finite number, \
                     since `{}` is legal in `{}`",
                    self.variant.action_text(action),
                    query.position.fen()
                )));
            }
            logits.push(logit);
        }
        Ok(Evaluation { logits, wdl: Wdl::of_value(ValueMover::new(value)) })
    }
}

impl Evaluator for PythonEvaluator {
    fn evaluate(&mut self, queries: &[Query<'_>]) -> Result<Vec<Evaluation>, EvaluatorError> {
        Python::attach(|py| self.answers(py, queries)).map_err(|failure| {
            self.failure = Some(failure);
            EvaluatorError("it raised an exception".to_owned())
        })
    }
}

/// `object` as a contiguous float32 array of `shape`. Other floats are converted; whatever NumPy can
/// see as an array will do.
fn float_array<'py>(
    object: &Bound<'py, PyAny>,
    name: &str,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let numpy = object.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (object,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    let found: Vec<usize> = array.getattr("shape")?.extract()?;
    if kind != "f" || found != shape {
        let dtype = array.getattr("dtype")?;
        return Err(EvaluationError::new_err(format!(
            "`evaluate` gave {name} of dtype {dtype} and shape {found:?}, expected floats of shape \
             {shape:?}"
        )));
    }
    let options = PyDict::new(object.py());
    options.set_item("dtype", "float32")?;
    numpy.call_method("ascontiguousarray", (array,), Some(&options))
}
