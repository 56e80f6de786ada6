//! The built-in variants, and one compiled copy of every variant in use.

use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use super::compile::{compile_file, read_full};
use super::mistakes::Mistakes;
use super::{Variant, VariantError};
use crate::Excerpt;

/// Name and text of every built-in variant, sorted by name.
const FILES: [(&str, &str); 11] = [
    ("chess", include_str!("../../variants/chess.toml")),
    ("complicacious", include_str!("../../variants/complicacious.toml")),
    ("complicacious-circular", include_str!("../../variants/complicacious-circular.toml")),
    (
        "complicacious-circular-limited",
        include_str!("../../variants/complicacious-circular-limited.toml"),
    ),
    ("complicacious-limited", include_str!("../../variants/complicacious-limited.toml")),
    ("complicacious-simplified", include_str!("../../variants/complicacious-simplified.toml")),
    (
        "complicacious-simplified-limited",
        include_str!("../../variants/complicacious-simplified-limited.toml"),
    ),
    ("grant-acedrex", include_str!("../../variants/grant-acedrex.toml")),
    ("grant-acedrex-dice", include_str!("../../variants/grant-acedrex-dice.toml")),
    ("gryphon-aanca", include_str!("../../variants/gryphon-aanca.toml")),
    ("toulousain", include_str!("../../variants/toulousain.toml")),
];

/// Variants compiled so far. They are never dropped: positions refer to them.
static COMPILED: LazyLock<Mutex<Vec<&'static Variant>>> = LazyLock::new(Mutex::default);

/// Built-in variants that were asked for by name, to find them without reading their text again.
static NAMED: [OnceLock<&'static Variant>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];

pub(crate) fn names() -> Vec<&'static str> {
    FILES.iter().map(|(name, _)| *name).collect()
}

/// The text of a built-in variant.
pub(crate) fn built_in(name: &str) -> Result<&'static str, VariantError> {
    let found = FILES.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text).ok_or_else(|| VariantError::Unknown {
        name: Excerpt(name).to_string(),
        known: names().join(", "),
    })
}

pub(crate) fn named(name: &str) -> Result<&'static Variant, VariantError> {
    let text = built_in(name)?;
    let slot = FILES.iter().position(|(known, _)| *known == name).and_then(|at| NAMED.get(at));
    match slot.and_then(OnceLock::get) {
        Some(variant) => Ok(variant),
        None => {
            let variant = from_text(name, text)?;
            slot.map(|slot| slot.set(variant));
            Ok(variant)
        }
    }
}

pub(crate) fn from_text(source: &str, text: &str) -> Result<&'static Variant, VariantError> {
    let mut mistakes = Mistakes::new(source);
    let Some(file) = read_full(text, &mut mistakes) else {
        return Err(first(mistakes.into_sorted()));
    };
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    let known = compiled.iter().find(|variant| variant.text == file.text);
    if let Some(variant) = known.filter(|_| mistakes.is_empty()) {
        return Ok(variant);
    }
    let variant = compile_file(file, mistakes).map_err(first)?;
    let variant: &'static Variant = Box::leak(Box::new(variant));
    compiled.push(variant);
    Ok(variant)
}

fn first(mistakes: Vec<VariantError>) -> VariantError {
    mistakes.into_iter().next().expect("a refused variant has a mistake")
}
