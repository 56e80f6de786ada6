//! What can go wrong with files and run folders.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What was tried with a file.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum FileAction {
    /// Opening or reading.
    Read,
    /// Writing, syncing or renaming into place.
    Write,
    /// Making a folder.
    Create,
    /// Removing.
    Remove,
    /// Locking.
    Lock,
}

impl fmt::Display for FileAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Create => "create",
            Self::Remove => "remove",
            Self::Lock => "lock",
        })
    }
}

/// A file operation that failed. What stood in the file before is still there.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} `{path}`{}", hint(.source))]
pub struct FileError {
    /// What was tried.
    pub action: FileAction,
    /// On which file or folder.
    pub path: PathBuf,
    /// Why it failed.
    #[source]
    pub source: io::Error,
}

fn hint(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            " (free some space, then run the same command again)"
        }
        io::ErrorKind::PermissionDenied => " (check who owns the folder and its permissions)",
        _ => "",
    }
}

impl FileError {
    /// A closure for `map_err` that names `path`.
    pub fn at(action: FileAction, path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| Self { action, path: path.to_owned(), source }
    }
}

/// Why a run folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RunFolderError {
    /// A file operation failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// The config in the folder cannot be read.
    #[error(transparent)]
    Config(#[from] crate::config::ConfigError),
    /// Another process trains here.
    #[error("`{path}` is in use by process {holder}; wait for it or end it")]
    Locked {
        /// The run folder.
        path: PathBuf,
        /// The process id written into the lock file, or `?`.
        holder: String,
    },
    /// The folder holds other things.
    #[error(
        "`{path}` is not a run folder (found `{found}` and no `meta.json`), expected a new or empty folder"
    )]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// One thing in it.
        found: String,
    },
    /// `meta.json` cannot be understood.
    #[error("`{path}`: found {found}, expected {expected}")]
    Meta {
        /// The file.
        path: PathBuf,
        /// What stands there.
        found: String,
        /// What should.
        expected: String,
    },
    /// The rules are not those the run began with.
    #[error(
        "`{path}` was started with the rules `{found}`, this command asks for `{expected}`; start a new run"
    )]
    WrongVariant {
        /// The run folder.
        path: PathBuf,
        /// Name and hash of the stored rules.
        found: String,
        /// Name and hash of the given rules.
        expected: String,
    },
    /// A key was changed that must not.
    #[error(
        "`{path}` has `{key} = {found}`, this command asks for `{expected}`; start a new run, or change only: {allowed}"
    )]
    ConfigChanged {
        /// The stored config.
        path: PathBuf,
        /// The key.
        key: String,
        /// The stored value.
        found: String,
        /// The given value.
        expected: String,
        /// Keys that may change.
        allowed: String,
    },
}
