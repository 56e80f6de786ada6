//! What can be wrong with a config.

use crate::run_folder::FileError;

/// What is wrong with a config file or an override.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The text is not TOML.
    #[error("`{origin}` is not valid TOML: {reason}")]
    Syntax {
        /// The file.
        origin: String,
        /// The parser's message, with line and column.
        reason: String,
    },
    /// A section or key that does not exist.
    #[error("{origin}: unknown key `{key}`{}", hint(.nearest.as_deref()))]
    UnknownKey {
        /// The file or override.
        origin: String,
        /// The dotted key.
        key: String,
        /// The known key that looks most like it.
        nearest: Option<String>,
    },
    /// A key that is not there.
    #[error("{origin}: missing key `{key}`, expected {expected}")]
    MissingKey {
        /// The file.
        origin: String,
        /// The dotted key.
        key: String,
        /// What belongs there.
        expected: String,
    },
    /// A value that the key does not take.
    #[error("{origin}: `{key}` is `{found}`, expected {expected}")]
    Value {
        /// The file or override.
        origin: String,
        /// The dotted key.
        key: String,
        /// What stands there.
        found: String,
        /// What belongs there.
        expected: String,
    },
    /// An override that is not of the form `section.key=value`.
    #[error("override `{found}`, expected `section.key=value`")]
    Override {
        /// The text.
        found: String,
    },
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |key| format!(", did you mean `{key}`?"))
}
