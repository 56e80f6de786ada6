//! From a file and overrides to a table of known keys.

use std::path::Path;

use toml::{Table, Value};

use super::value::ConfigValue;
use super::{ConfigError, KEYS, RunConfig};
use crate::run_folder::read_text;

/// Whether a key may change when a run goes on.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum OnResume {
    /// No: games or weights would not fit, or would not be the same games.
    Fixed,
    /// Yes: what was done so far stays as it is.
    Free,
}

/// One key of the config.
#[derive(Copy, Clone, Debug)]
pub struct Key {
    /// Its section.
    pub section: &'static str,
    /// What the section is about.
    pub section_doc: &'static str,
    /// Its name within the section.
    pub name: &'static str,
    /// Meaning, unit and source; lines begin with a blank.
    pub doc: &'static str,
    /// What is accepted.
    pub expected: &'static str,
    /// Whether it may change when a run goes on.
    pub on_resume: OnResume,
}

impl Key {
    /// `section.name`.
    #[must_use]
    pub fn path(&self) -> String {
        format!("{}.{}", self.section, self.name)
    }
}

/// A parsed file with overrides on top.
pub(super) struct Layers {
    origin: String,
    table: Table,
    /// Keys that an override gave, with its text.
    overridden: Vec<(String, String)>,
}

impl RunConfig {
    /// Reads the file at `path`; each of `overrides` is `section.key=value` and replaces one value.
    ///
    /// # Errors
    /// If the file cannot be read, or as for [`RunConfig::from_text`].
    pub fn from_file(path: &Path, overrides: &[String]) -> Result<Self, ConfigError> {
        Self::from_text(&path.display().to_string(), &read_text(path)?, overrides)
    }

    /// Reads the text of a config; `origin` (its file) is for messages.
    ///
    /// # Errors
    /// If the text is not TOML, a key is unknown, missing or has a wrong value. The error names the
    /// origin, the key, what was found and what was expected.
    pub fn from_text(origin: &str, text: &str, overrides: &[String]) -> Result<Self, ConfigError> {
        let table = text.parse::<Table>().map_err(|error| ConfigError::Syntax {
            origin: origin.into(),
            reason: error.to_string().trim_end().into(),
        })?;
        let mut layers = Layers { origin: format!("`{origin}`"), table, overridden: Vec::new() };
        layers.reject_unknown()?;
        for text in overrides {
            layers.override_with(text)?;
        }
        let config = Self::from_layers(&layers)?;
        config.check(&layers)?;
        Ok(config)
    }
}

impl Layers {
    fn reject_unknown(&self) -> Result<(), ConfigError> {
        for (section, content) in &self.table {
            if !KEYS.iter().any(|key| key.section == section) {
                return Err(unknown(
                    &self.origin,
                    section,
                    &mut KEYS.iter().map(|k| k.section.into()),
                ));
            }
            let Some(content) = content.as_table() else {
                return Err(ConfigError::Value {
                    origin: self.origin.clone(),
                    key: section.clone(),
                    found: content.to_string(),
                    expected: format!("a section `[{section}]`"),
                });
            };
            for name in content.keys() {
                if !KEYS.iter().any(|key| key.section == section && key.name == name) {
                    let path = format!("{section}.{name}");
                    return Err(unknown(&self.origin, &path, &mut KEYS.iter().map(Key::path)));
                }
            }
        }
        Ok(())
    }

    fn override_with(&mut self, text: &str) -> Result<(), ConfigError> {
        let bad = || ConfigError::Override { found: text.into() };
        let (path, value) = text.split_once('=').ok_or_else(bad)?;
        let path = path.trim();
        let (section, name) = path.split_once('.').ok_or_else(bad)?;
        if !KEYS.iter().any(|key| key.section == section && key.name == name) {
            let origin = format!("`--set {text}`");
            return Err(unknown(&origin, path, &mut KEYS.iter().map(Key::path)));
        }
        let section = self
            .table
            .entry(section)
            .or_insert_with(|| Value::Table(Table::new()))
            .as_table_mut()
            .ok_or_else(bad)?;
        section.insert(name.into(), override_value(value.trim()));
        self.overridden.push((path.into(), format!("`--set {text}`")));
        Ok(())
    }

    pub(super) fn value<T: ConfigValue>(
        &self,
        section: &str,
        name: &str,
    ) -> Result<T, ConfigError> {
        let Some(value) = self.lookup(section, name) else {
            return Err(ConfigError::MissingKey {
                origin: self.origin.clone(),
                key: format!("{section}.{name}"),
                expected: T::EXPECTED.into(),
            });
        };
        T::parse(value).ok_or_else(|| self.error(section, name, T::EXPECTED.into()))
    }

    /// The error for a value that is there but not right.
    pub(super) fn error(&self, section: &str, name: &str, expected: String) -> ConfigError {
        let key = format!("{section}.{name}");
        let by_override = self.overridden.iter().rev().find(|(path, _)| *path == key);
        let found = self.lookup(section, name).map(shown).unwrap_or_default();
        let origin = by_override.map_or(&self.origin, |(_, text)| text).clone();
        ConfigError::Value { origin, key, found, expected }
    }

    fn lookup(&self, section: &str, name: &str) -> Option<&Value> {
        self.table.get(section)?.get(name)
    }
}

/// Strings without their quotes, so that the message's own quotes suffice.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What an override means: a TOML value if it is one, else a bare string.
fn override_value(text: &str) -> Value {
    let mut table = format!("value = {text}").parse::<Table>().unwrap_or_default();
    match table.remove("value") {
        Some(value) if table.is_empty() => value,
        _ => Value::String(text.into()),
    }
}

fn unknown(origin: &str, key: &str, known: &mut dyn Iterator<Item = String>) -> ConfigError {
    let last = key.rsplit('.').next().unwrap_or(key);
    let score = |candidate: &str| {
        let candidate_last = candidate.rsplit('.').next().unwrap_or(candidate);
        // A key in the wrong section is as likely as a slip of the finger.
        edit_distance(key, candidate).min(edit_distance(last, candidate_last) + 1)
    };
    let nearest = known.map(|candidate| (score(&candidate), candidate)).min();
    let nearest = nearest.filter(|(score, _)| *score <= 2 + key.len() / 5).map(|(_, key)| key);
    ConfigError::UnknownKey { origin: origin.into(), key: key.into(), nearest }
}

/// Levenshtein distance of the characters.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
