//! Reading Python's arguments, with messages of our own.

use std::ops::RangeInclusive;

use gryphon_env::{Color, RunSeed};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};

use crate::errors::argument_error;

/// Longest part of an argument that a message shows, in characters.
const SHOWN: usize = 80;

/// An argument for a message.
pub(crate) fn shown(object: &Bound<'_, PyAny>) -> String {
    let text = object.repr().map_or_else(|_| "an object".to_owned(), |text| text.to_string());
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// A whole number in `range`; anything with `__index__` will do, NumPy's numbers included.
pub(crate) fn whole_number(
    object: &Bound<'_, PyAny>,
    name: &str,
    range: RangeInclusive<u64>,
) -> PyResult<u64> {
    let number = if object.is_instance_of::<PyBool>() { None } else { object.extract().ok() };
    number.filter(|number| range.contains(number)).ok_or_else(|| {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        argument_error(name, &shown(object), &expected)
    })
}

/// A finite number in `range`.
pub(crate) fn real_number(
    object: &Bound<'_, PyAny>,
    name: &str,
    range: RangeInclusive<f32>,
) -> PyResult<f32> {
    let number = object.extract::<f64>().ok().map(|number| number as f32);
    number.filter(|number| range.contains(number)).ok_or_else(|| {
        let expected = format!("a number from {} to {}", range.start(), range.end());
        argument_error(name, &shown(object), &expected)
    })
}

/// A seed of all random numbers.
pub(crate) fn seed(object: &Bound<'_, PyAny>) -> PyResult<RunSeed> {
    whole_number(object, "seed", 0..=u64::MAX).map(RunSeed)
}

/// A text.
pub(crate) fn text(object: &Bound<'_, PyAny>, name: &str) -> PyResult<String> {
    let text = object.cast::<PyString>().ok().and_then(|text| text.to_cow().ok());
    text.map(|text| text.into_owned()).ok_or_else(|| argument_error(name, &shown(object), "a str"))
}

/// A side by its name.
pub(crate) fn color(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Color> {
    let found = object.extract::<String>().ok();
    Color::ALL
        .into_iter()
        .find(|color| found.as_deref() == Some(color.to_string().as_str()))
        .ok_or_else(|| argument_error(name, &shown(object), "`white` or `black`"))
}
