//! Variants as Python objects.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use gryphon_env::{ActionIndex, Color, Excerpt, Variant};
use numpy::{PyArray1, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::Reduced;
use crate::arguments::{color, shown, text, whole_number};
use crate::errors::{VariantError, action_error, argument_error, variant_error};

/// The rules of a game, compiled once and kept for the life of the process.
///
/// Wherever a variant is expected, a built-in name, the path of a variant file or a `Variant` will
/// do.
#[pyclass(frozen, module = "gryphonzero", name = "Variant")]
#[derive(Clone)]
pub(crate) struct PyVariant {
    variant: &'static Variant,
}

impl PyVariant {
    pub(crate) const fn new(variant: &'static Variant) -> Self {
        Self { variant }
    }
}

/// One Python object a variant, by the variant's address: positions that are pickled together share
/// it.
static SHARED: Mutex<BTreeMap<usize, Py<PyVariant>>> = Mutex::new(BTreeMap::new());

/// The Python object of `variant`.
pub(crate) fn shared(py: Python<'_>, variant: &'static Variant) -> PyResult<Py<PyVariant>> {
    let key = std::ptr::from_ref(variant).addr();
    let find = || {
        let known = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&key).map(|object| object.clone_ref(py))
    };
    if let Some(object) = find() {
        return Ok(object);
    }
    // Made without the lock: making an object may run other Python code.
    let object = Py::new(py, PyVariant::new(variant))?;
    let mut known = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(known.entry(key).or_insert(object).clone_ref(py))
}

/// The variant that `object` names.
pub(crate) fn variant_argument(object: &Bound<'_, PyAny>) -> PyResult<&'static Variant> {
    if let Ok(variant) = object.cast::<PyVariant>() {
        return Ok(variant.get().variant);
    }
    let name = object.cast::<PyString>().ok().and_then(|name| name.to_cow().ok());
    let path = match (&name, object.extract::<PathBuf>()) {
        (Some(name), _) if !is_path(name) => {
            return Variant::named(name).map_err(|error| variant_error(&error));
        }
        (_, Ok(path)) => path,
        _ => {
            let expected = "a name, a path or a Variant";
            return Err(argument_error("variant", &shown(object), expected));
        }
    };
    let source = path.display().to_string();
    let content = std::fs::read_to_string(&path).map_err(|error| {
        VariantError::new_err(format!("cannot read variant file `{source}`: {error}"))
    })?;
    Variant::from_text(&source, &content).map_err(|error| variant_error(&error))
}

/// Whether a text means a file: no built-in name has an extension or a folder.
fn is_path(text: &str) -> bool {
    let path = Path::new(text);
    path.extension().is_some() || path.components().count() > 1 || path.is_file()
}

#[pymethods]
impl PyVariant {
    #[new]
    fn py_new(variant: &Bound<'_, PyAny>) -> PyResult<Self> {
        variant_argument(variant).map(Self::new)
    }

    /// Compiles the text of a variant file; `source` names it in messages.
    #[staticmethod]
    #[pyo3(signature = (content, source = None))]
    fn from_text(content: &Bound<'_, PyAny>, source: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let content = text(content, "content")?;
        let source = source.map_or_else(|| Ok("<text>".to_owned()), |it| text(it, "source"))?;
        Variant::from_text(&source, &content).map(Self::new).map_err(|error| variant_error(&error))
    }

    /// The identifier: `grant-acedrex`.
    #[getter]
    fn name(&self) -> &'static str {
        self.variant.name()
    }

    /// The name for people: `Grant Acedrex`.
    #[getter]
    fn title(&self) -> &'static str {
        self.variant.title()
    }

    /// Number of files (width of the board).
    #[getter]
    fn files(&self) -> u8 {
        self.variant.size().files()
    }

    /// Number of ranks (height of the board).
    #[getter]
    fn ranks(&self) -> u8 {
        self.variant.size().ranks()
    }

    /// Shape `(C, H, W)` of an observation: planes, ranks, files.
    #[getter]
    pub(crate) fn observation_shape(&self) -> (usize, usize, usize) {
        let size = self.variant.size();
        let n_planes = self.variant.observation().n_planes();
        (n_planes, usize::from(size.ranks()), usize::from(size.files()))
    }

    /// What each of the `C` planes shows, in order.
    #[getter]
    fn planes(&self) -> Vec<String> {
        self.variant.observation().planes().iter().map(|plane| plane.name.clone()).collect()
    }

    /// Hash of the planes' order and meaning, in hexadecimal.
    #[getter]
    fn layout_hash(&self) -> String {
        hex(&self.variant.observation().hash().0)
    }

    /// Number of action indices `A`.
    #[getter]
    fn n_actions(&self) -> usize {
        self.variant.action_space().len()
    }

    /// Plies after which a game is truncated, unless an environment is told otherwise.
    #[getter]
    fn max_plies(&self) -> u32 {
        self.variant.max_plies().0.get()
    }

    /// Whether a die is rolled before every action.
    #[getter]
    fn has_dice(&self) -> bool {
        !self.variant.faces().is_empty()
    }

    /// Every kind of piece: its letter in FEN and its name.
    #[getter]
    fn kinds(&self) -> Vec<(char, String)> {
        let named = |kind| (self.variant.letter(kind), self.variant.kind_name(kind).to_owned());
        self.variant.kinds().map(named).collect()
    }

    /// FEN of the start position.
    #[getter]
    fn start_fen(&self) -> String {
        self.variant.start().fen()
    }

    /// The whole variant file, extended files resolved.
    #[getter]
    fn text(&self) -> &'static str {
        self.variant.text()
    }

    /// Hash of everything in the file that can change play, in hexadecimal.
    #[getter]
    fn hash(&self) -> String {
        hex(&self.variant.hash().0)
    }

    /// For every action index the index of the action mirrored left to right, int64 `[A]`; `None`
    /// unless the variant is mirror-symmetric.
    #[getter]
    fn mirrored_actions<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<i64>>> {
        let mirrored = self.variant.action_space().mirrored()?;
        let indices: Vec<i64> = mirrored.iter().map(|index| i64::from(index.0)).collect();
        Some(indices.to_pyarray(py))
    }

    /// The text of action `index` when `side` (`white` or `black`) acts: `e2e4`, `a7a8q`, `end`.
    fn action_text(&self, index: &Bound<'_, PyAny>, side: &Bound<'_, PyAny>) -> PyResult<String> {
        let (index, side) = (self.index_argument(index)?, color(side, "side")?);
        Ok(self.text_of(index, side))
    }

    /// The index of the action that `text` names when `side` (`white` or `black`) acts.
    fn action_index(&self, text: &Bound<'_, PyAny>, side: &Bound<'_, PyAny>) -> PyResult<usize> {
        let (found, side) = (crate::arguments::text(text, "text")?, color(side, "side")?);
        (0..self.n_actions())
            .find(|&index| self.text_of(ActionIndex(index as u16), side) == found)
            .ok_or_else(|| {
                action_error(&format!(
                    "`{}`: no unit of {side} in `{}` has such an action, expected a text \
                     such as `{}`",
                    Excerpt(&found),
                    self.name(),
                    self.text_of(ActionIndex(0), side)
                ))
            })
    }

    /// The rules for people: board, pieces with their moves as diagrams, switches.
    fn rules_text(&self) -> String {
        self.variant.rules_text()
    }

    fn __repr__(&self) -> String {
        format!("<gryphonzero.Variant {}>", self.name())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| std::ptr::eq(self.variant, other.get().variant))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.variant.hash().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Reduced<'py, (&'static str, &'static str)>> {
        let restore = py.get_type::<Self>().getattr("from_text")?;
        Ok((restore, (self.variant.text(), self.variant.name())))
    }
}

impl PyVariant {
    fn index_argument(&self, index: &Bound<'_, PyAny>) -> PyResult<ActionIndex> {
        let last = self.n_actions() as u64 - 1;
        Ok(ActionIndex(whole_number(index, "index", 0..=last)? as u16))
    }

    fn text_of(&self, index: ActionIndex, side: Color) -> String {
        let action = self.variant.action_space().action(index, side);
        action.map_or_else(String::new, |action| self.variant.action_text(action))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Names of the built-in variants, sorted.
#[pyfunction]
pub(crate) fn variants() -> Vec<&'static str> {
    Variant::names()
}
