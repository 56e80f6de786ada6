//! Writing a game to a new file, whole or not at all.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why a game was not saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// A file of that name is there and stays as it is.
    #[error("`{path}` exists and is left as it is; choose another name")]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be written.
    #[error("cannot write `{path}`: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

/// Writes `text` beside `path`, syncs it and gives it its name, unless that name is taken.
pub(super) fn save_new(path: &Path, text: &str) -> Result<(), SaveError> {
    let failed = |source| SaveError::Write { path: path.to_owned(), source };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // `tempfile` names its own file in its errors, which says nothing to a person.
    let unnamed = |error: io::Error| failed(error.kind().into());
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(unnamed)?;
    file.as_file_mut().write_all(text.as_bytes()).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist_noclobber(path).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => SaveError::Exists { path: path.to_owned() },
        _ => failed(error.error),
    })?;
    sync_folder(folder).map_err(failed)
}

/// Makes the new name last through a power cut.
fn sync_folder(folder: &Path) -> io::Result<()> {
    std::fs::File::open(folder)?.sync_all()
}
