//! A config as text, and the reference page of all keys.

use std::fmt::Write as _;

use super::{KEYS, Key, OnResume, RunConfig};

impl RunConfig {
    /// The config as a commented TOML file that reads back to the same config.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        let mut section = "";
        for (key, value) in KEYS.iter().zip(self.values()) {
            if key.section != section {
                let gap = if section.is_empty() { "" } else { "\n" };
                section = key.section;
                line(&mut text, format_args!("{gap}#{}\n[{section}]", key.section_doc));
            }
            line(&mut text, format_args!("#{}\n{} = {value}", key.doc, key.name));
        }
        text
    }
}

/// The page that lists every key, in Markdown: `docs/reference/config.md`.
#[must_use]
pub fn reference_page() -> String {
    let mut text = String::from(
        "# Config keys\n\n\
         A run is described by one TOML file; every key must be there. `--set section.key=value` replaces\n\
         single values. A key marked *yes* under \"on resume\" may change when a run goes on; any other change is\n\
         refused, because the games or weights so far would not fit it. This page is generated from\n\
         `train/src/config/keys.rs`; a test keeps it current.\n",
    );
    let mut section = "";
    for key in KEYS {
        if key.section != section {
            section = key.section;
            let about = key.section_doc.trim();
            line(&mut text, format_args!("\n## `[{section}]`\n\n{about}\n"));
            line(
                &mut text,
                format_args!("| key | value | on resume | meaning |\n|---|---|---|---|"),
            );
        }
        line(&mut text, format_args!("{}", row(key)));
    }
    text
}

fn row(key: &Key) -> String {
    let on_resume = match key.on_resume {
        OnResume::Fixed => "no",
        OnResume::Free => "yes",
    };
    format!("| `{}` | {} | {on_resume} | {} |", key.name, key.expected, key.doc.trim())
}

fn line(text: &mut String, content: std::fmt::Arguments<'_>) {
    writeln!(text, "{content}").expect("a string takes any text");
}
