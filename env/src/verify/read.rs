//! One line of a file of golden positions.

use std::collections::BTreeMap;

use serde_json::error::Category;
use serde_json::{Map, Value};

use super::Golden;
use crate::Excerpt;
use crate::variant::nearest;

/// Why a line is not a golden position.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum GoldenError {
    /// It is not JSON.
    #[error("not JSON at character {column}{}", if *.is_cut { ": the line ends too early" } else { "" })]
    Syntax {
        /// The byte of the line, from 1.
        column: usize,
        /// Whether more should follow.
        is_cut: bool,
    },
    /// It is no JSON object.
    #[error("found {found}, expected an object with {KEYS}")]
    NoObject {
        /// What it is.
        found: String,
    },
    /// A key that golden positions do not have.
    #[error("unknown key `{key}`{}", hint(*.nearest))]
    UnknownKey {
        /// The key, or the beginning of it.
        key: String,
        /// The key that looks most like it.
        nearest: Option<&'static str>,
    },
    /// A key that is missing or has a wrong value.
    #[error("key `{key}`: found {found}, expected {expected}")]
    Value {
        /// The key.
        key: &'static str,
        /// What stands there.
        found: String,
        /// What should.
        expected: &'static str,
    },
}

const KEYS: &str = "`fen`, `actions`, `check`, `outcome`, and maybe `perft` and `after`";

const KNOWN: [&str; 6] = ["fen", "actions", "check", "outcome", "perft", "after"];

fn hint(nearest: Option<&str>) -> String {
    match nearest {
        Some(key) => format!(", did you mean `{key}`?"),
        None => format!(", expected {KEYS}"),
    }
}

impl Golden {
    /// Reads one line.
    ///
    /// # Errors
    /// If the line is not JSON or has other keys or values than a golden position.
    pub fn parse(line: &str) -> Result<Self, GoldenError> {
        let value = serde_json::from_str(line).map_err(|error| GoldenError::Syntax {
            column: error.column(),
            is_cut: error.classify() == Category::Eof,
        })?;
        let Value::Object(object) = &value else {
            return Err(GoldenError::NoObject { found: shown(&value) });
        };
        if let Some(key) = object.keys().find(|key| !KNOWN.contains(&key.as_str())) {
            let nearest = nearest(key, KNOWN);
            return Err(GoldenError::UnknownKey { key: Excerpt(key).to_string(), nearest });
        }
        let has = |key| object.contains_key(key);
        Ok(Self {
            fen: read(object, "fen", "a FEN in quotes", text)?,
            actions: read(object, "actions", "a list of action texts", texts)?,
            check: read(object, "check", "`true` or `false`", Value::as_bool)?,
            outcome: match has("outcome") {
                true => {
                    read(object, "outcome", "a text as in `white:checkmate`, or `null`", |value| {
                        if value.is_null() { Some(None) } else { text(value).map(Some) }
                    })?
                }
                false => None,
            },
            perft: match has("perft") {
                true => read(object, "perft", "a list of whole numbers", numbers)?,
                false => Vec::new(),
            },
            after: match has("after") {
                true => read(object, "after", "an object of FENs by action", fens)?,
                false => BTreeMap::new(),
            },
        })
    }
}

/// The value of a key that must be there.
fn read<T>(
    object: &Map<String, Value>,
    key: &'static str,
    expected: &'static str,
    read: impl Fn(&Value) -> Option<T>,
) -> Result<T, GoldenError> {
    let value = object.get(key);
    value.and_then(read).ok_or_else(|| {
        let found = value.map_or_else(|| "nothing".into(), shown);
        GoldenError::Value { key, found, expected }
    })
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(text).collect()
}

fn numbers(value: &Value) -> Option<Vec<u64>> {
    value.as_array()?.iter().map(Value::as_u64).collect()
}

fn fens(value: &Value) -> Option<BTreeMap<String, String>> {
    value.as_object()?.iter().map(|(action, fen)| Some((action.clone(), text(fen)?))).collect()
}

/// A value as messages show it.
fn shown(value: &Value) -> String {
    format!("`{}`", Excerpt(&value.to_string()))
}
