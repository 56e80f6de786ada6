//! Reading the keys of one table, with every wrong key and value collected.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::Excerpt;
use crate::variant::mistakes::{Mistakes, nearest};

/// Keys that stand before the first section.
const TOP_KEYS: [&str; 9] = [
    "extends",
    "without",
    "name",
    "title",
    "board",
    "start",
    "max_plies",
    "mirror",
    "king_restriction",
];

/// Where the lines of a text begin.
pub(super) struct Lines(Vec<usize>);

impl Lines {
    pub(super) fn new(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self(std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect())
    }

    /// The number of the line that holds a byte, from 1.
    pub(super) fn number(&self, at: usize) -> usize {
        self.0.partition_point(|&start| start <= at)
    }

    /// The column of a byte in its line, in characters from 1.
    pub(super) fn column(&self, text: &str, at: usize) -> usize {
        let start = self.0[self.number(at) - 1];
        text.get(start..at).map_or(1, |before| before.chars().count() + 1)
    }
}

/// One of several sections of a name.
#[derive(Copy, Clone)]
pub(super) struct Section<'k> {
    pub(super) table: &'k DeTable<'k>,
    pub(super) line: usize,
}

/// The keys of one table while they are read.
pub(super) struct Keys<'r, 'k> {
    lines: &'r Lines,
    mistakes: &'r mut Mistakes,
    table: &'k DeTable<'k>,
    /// Empty for the top of the file.
    path: String,
    known: Vec<&'static str>,
}

impl<'r, 'k> Keys<'r, 'k> {
    /// The keys of `table`, which messages call `path`; empty for the top of the file.
    pub(super) fn new(
        lines: &'r Lines,
        mistakes: &'r mut Mistakes,
        table: &'k DeTable<'k>,
        path: &str,
    ) -> Self {
        Self { lines, mistakes, table, path: path.into(), known: Vec::new() }
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// A key that is read elsewhere.
    pub(super) fn skip(&mut self, key: &'static str) {
        self.known.push(key);
    }

    fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.into() } else { format!("{}.{key}", self.path) }
    }

    fn value(&mut self, key: &'static str) -> Option<&'k Spanned<DeValue<'k>>> {
        self.known.push(key);
        let (name, value) = self.table.get_key_value(key)?;
        let line = self.lines.number(name.span().start);
        self.mistakes.note_line(&self.path_of(key), line);
        Some(value)
    }

    fn wrong(&mut self, key: &str, found: &DeValue<'_>, expected: &str) {
        let reason = format!("found {}, expected {expected}", shown(found));
        self.mistakes.add(&self.path_of(key), reason);
    }

    fn missing(&mut self, key: &str, expected: &str) {
        self.mistakes.add_once(&self.path_of(key), format!("missing, expected {expected}"));
    }

    pub(super) fn text(&mut self, key: &'static str) -> Option<String> {
        let value = self.value(key)?.get_ref();
        let text = value.as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong(key, value, "a text in quotes");
        }
        text
    }

    pub(super) fn required(&mut self, key: &'static str, expected: &str) -> Option<String> {
        let text = self.text(key);
        if text.is_none() {
            self.missing(key, expected);
        }
        text
    }

    pub(super) fn switch(&mut self, key: &'static str) -> Option<bool> {
        let value = self.value(key)?.get_ref();
        let switch = value.as_bool();
        if switch.is_none() {
            self.wrong(key, value, "`true` or `false`");
        }
        switch
    }

    pub(super) fn number(&mut self, key: &'static str, range: RangeInclusive<u32>) -> Option<u32> {
        let value = self.value(key)?.get_ref();
        self.in_range(key, value, range)
    }

    fn in_range(
        &mut self,
        key: &str,
        value: &DeValue<'_>,
        range: RangeInclusive<u32>,
    ) -> Option<u32> {
        let number = value.as_integer().and_then(|number| {
            i128::from_str_radix(number.as_str(), number.radix()).ok()?.try_into().ok()
        });
        let number = number.filter(|number| range.contains(number));
        if number.is_none() {
            let expected = format!("a whole number from {} to {}", range.start(), range.end());
            self.wrong(key, value, &expected);
        }
        number
    }

    /// A number that must be there; 0 if it is not, or is wrong.
    pub(super) fn required_number(&mut self, key: &'static str, range: RangeInclusive<u32>) -> u32 {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        let number = self.number(key, range);
        if number.is_none() {
            self.missing(key, &expected);
        }
        number.unwrap_or(0)
    }

    /// A list of numbers that must be there.
    pub(super) fn numbers(&mut self, key: &'static str, range: RangeInclusive<u32>) -> Vec<u8> {
        let expected = format!("a list of whole numbers from {} to {}", range.start(), range.end());
        let Some(value) = self.value(key) else {
            self.missing(key, &expected);
            return Vec::new();
        };
        let Some(list) = value.get_ref().as_array() else {
            self.wrong(key, value.get_ref(), &expected);
            return Vec::new();
        };
        let numbers = list.iter().filter_map(|item| {
            self.in_range(key, item.get_ref(), range.clone()).map(|number| number as u8)
        });
        numbers.collect()
    }

    pub(super) fn texts(&mut self, key: &'static str) -> Vec<String> {
        let Some(value) = self.value(key) else { return Vec::new() };
        let expected = "a list of texts in quotes";
        let Some(list) = value.get_ref().as_array() else {
            self.wrong(key, value.get_ref(), expected);
            return Vec::new();
        };
        let mut texts = Vec::new();
        for item in list.iter() {
            match item.get_ref().as_str() {
                Some(text) => texts.push(text.to_owned()),
                None => self.wrong(key, item.get_ref(), expected),
            }
        }
        texts
    }

    pub(super) fn choice<T: Copy, const N: usize>(
        &mut self,
        key: &'static str,
        choices: [(&str, T); N],
    ) -> Option<T> {
        let value = self.value(key)?.get_ref();
        let chosen = choices.iter().find(|(word, _)| value.as_str() == Some(word));
        if chosen.is_none() {
            let words = choices.map(|(word, _)| format!("`{word}`"));
            self.wrong(key, value, &words.join(" or "));
        }
        chosen.map(|(_, meaning)| *meaning)
    }

    /// Numbers of steps by rank.
    pub(super) fn steps(&mut self, key: &'static str) -> BTreeMap<String, u8> {
        let Some(value) = self.value(key) else { return BTreeMap::new() };
        let Some(table) = value.get_ref().as_table() else {
            self.wrong(key, value.get_ref(), "steps by rank, as in `{ \"2\" = 2 }`");
            return BTreeMap::new();
        };
        let mut steps = BTreeMap::new();
        for (rank, n) in table {
            let rank = rank.get_ref();
            let key = format!("{key}.{}", Excerpt(rank));
            if let Some(n) = self.in_range(&key, n.get_ref(), 1..=3) {
                steps.insert(rank.to_string(), n as u8);
            }
        }
        steps
    }

    /// A section of its own, as in `[castling]`.
    pub(super) fn section(&mut self, key: &'static str) -> Option<&'k DeTable<'k>> {
        let value = self.value(key)?.get_ref();
        let table = value.as_table();
        if table.is_none() {
            self.wrong(key, value, &format!("a section `[{key}]`"));
        }
        table
    }

    /// Sections of which there may be several, as in `[[piece]]`.
    pub(super) fn sections(&mut self, key: &'static str) -> Vec<Section<'k>> {
        let Some(value) = self.value(key) else { return Vec::new() };
        let items = value.get_ref().as_array().into_iter().flat_map(|items| items.iter());
        let sections: Vec<Section<'k>> = items
            .filter_map(|item| {
                let line = self.lines.number(item.span().start);
                Some(Section { table: item.get_ref().as_table()?, line })
            })
            .collect();
        if value.get_ref().as_array().is_none_or(|items| items.len() != sections.len()) {
            self.wrong(key, value.get_ref(), &format!("sections `[[{key}]]`"));
        }
        sections
    }

    /// Names the keys that were not asked for.
    pub(super) fn finish(self) {
        for (key, _) in self.table {
            let found = key.get_ref().as_ref();
            if self.known.contains(&found) {
                continue;
            }
            let hint = if !self.path.is_empty() && TOP_KEYS.contains(&found) {
                format!("`{found}` belongs before the first section of the file")
            } else if let Some(near) = nearest(found, self.known.iter().copied()) {
                format!("did you mean `{}`?", self.path_of(near))
            } else {
                let known: Vec<String> =
                    self.known.iter().map(|known| format!("`{known}`")).collect();
                format!("expected one of {}", known.join(", "))
            };
            let path = self.path_of(&Excerpt(found).to_string());
            let line = self.lines.number(key.span().start);
            self.mistakes.note_line(&path, line);
            self.mistakes.add(&path, format!("unknown key; {hint}"));
        }
    }
}

/// A value as messages show it.
fn shown(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the text `{}`", Excerpt(text)),
        DeValue::Integer(number) => format!("`{}`", Excerpt(&number.to_string())),
        DeValue::Float(number) => format!("`{}`", Excerpt(number.as_str())),
        DeValue::Boolean(switch) => format!("`{switch}`"),
        DeValue::Datetime(date) => format!("the date `{date}`"),
        DeValue::Array(_) => "a list".into(),
        DeValue::Table(_) => "a section".into(),
    }
}
