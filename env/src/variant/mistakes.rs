//! Mistakes of a variant file, each with its key and line.

use std::collections::BTreeMap;

use super::VariantError;

/// Collects what is wrong with one file.
#[derive(Debug)]
pub(crate) struct Mistakes {
    source: String,
    /// The line on which each key of the file stands, from 1.
    lines: BTreeMap<String, usize>,
    list: Vec<VariantError>,
}

impl Mistakes {
    /// None yet; `source` is the file's path or name.
    pub(crate) fn new(source: &str) -> Self {
        Self { source: source.into(), lines: BTreeMap::new(), list: Vec::new() }
    }

    /// Remembers where a key stands.
    pub(crate) fn note_line(&mut self, key: &str, line: usize) {
        self.lines.insert(key.into(), line);
    }

    /// A text that is not TOML.
    pub(crate) fn add_syntax(&mut self, line: usize, column: usize, reason: String) {
        self.list.push(VariantError::Syntax { file: self.source.clone(), line, column, reason });
    }

    pub(crate) fn add(&mut self, key: &str, reason: impl Into<String>) {
        let (file, key, line) = (self.source.clone(), key.to_owned(), self.line_of(key));
        self.list.push(VariantError::Key { file, key, line, reason: reason.into() });
    }

    /// Adds what may follow from another mistake: only if `key` has none yet.
    pub(crate) fn add_once(&mut self, key: &str, reason: impl Into<String>) {
        if !self.list.iter().any(|mistake| mistake.key() == Some(key)) {
            self.add(key, reason);
        }
    }

    /// Whether `key` or a key within it is wrong.
    pub(crate) fn concern(&self, key: &str) -> bool {
        let is_within = |other: &str| {
            other
                .strip_prefix(key)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        self.list.iter().filter_map(VariantError::key).any(is_within)
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All mistakes by line; those without a line at the end.
    pub(crate) fn into_sorted(mut self) -> Vec<VariantError> {
        self.list.sort_by_key(|mistake| mistake.line().unwrap_or(usize::MAX));
        self.list
    }

    /// The line of `key`, or of the section it belongs in.
    fn line_of(&self, mut key: &str) -> Option<usize> {
        loop {
            if let Some(&line) = self.lines.get(key) {
                return Some(line);
            }
            key = key.rsplit_once('.')?.0;
        }
    }
}

/// The one of `known` that looks most like `found`, if any does.
pub(crate) fn nearest<'k>(
    found: &str,
    known: impl IntoIterator<Item = &'k str>,
) -> Option<&'k str> {
    let most = 1 + found.chars().take(MAX_COMPARED).count() / 3;
    let scored = known.into_iter().map(|known| (edit_distance(found, known), known));
    scored.filter(|(distance, _)| *distance <= most).min().map(|(_, known)| known)
}

/// Longer texts are not compared letter by letter.
const MAX_COMPARED: usize = 64;

/// Levenshtein distance of the first characters.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(MAX_COMPARED).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(MAX_COMPARED).enumerate() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_key_is_found() {
        let known = ["castling", "moves", "royal"];
        assert_eq!(nearest("mvoes", known), Some("moves"));
        assert_eq!(nearest("castlng", known), Some("castling"));
        assert_eq!(nearest("castle", known), Some("castling"));
        assert_eq!(nearest("dice", known), None);
        assert_eq!(nearest(&"x".repeat(100_000), known), None);
    }
}
