//! Whole files: read with their name in every error, written so that they are never half there.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::{FileAction, FileError, TEMPORARY_PREFIX};

/// Replaces the file at `path` by `bytes`, or leaves it as it is (see
/// [`gryphon_net::write_atomically`]).
///
/// # Errors
/// If the disk fails; the error names `path`.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    gryphon_net::write_atomically(path, bytes).map_err(FileError::at(FileAction::Write, path))
}

/// Makes names created, renamed or removed in `folder` survive a power cut.
///
/// # Errors
/// If the folder cannot be opened or synced.
pub fn sync_folder(folder: &Path) -> Result<(), FileError> {
    let sync = || File::open(folder)?.sync_all();
    sync().map_err(FileError::at(FileAction::Write, folder))
}

/// Makes `folder` and its parents, where they are missing.
///
/// # Errors
/// If that fails.
pub fn create_folder(folder: &Path) -> Result<(), FileError> {
    fs::create_dir_all(folder).map_err(FileError::at(FileAction::Create, folder))
}

/// Removes a file; one that is not there is no error.
///
/// # Errors
/// If that fails.
pub fn remove_file(path: &Path) -> Result<(), FileError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(FileError::at(FileAction::Remove, path)(error))
        }
        _ => Ok(()),
    }
}

/// The content of a text file.
///
/// # Errors
/// If it cannot be read or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    fs::read_to_string(path).map_err(FileError::at(FileAction::Read, path))
}

/// The content of a file.
///
/// # Errors
/// If it cannot be read.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    fs::read(path).map_err(FileError::at(FileAction::Read, path))
}

/// Removes what an interrupted process left unfinished in `folder` itself, and returns their paths.
/// A folder that is not there holds nothing.
///
/// # Errors
/// If the folder cannot be read or something cannot be removed.
pub fn sweep_temporaries(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let mut swept = Vec::new();
    for path in entries(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !name.starts_with(TEMPORARY_PREFIX) {
            continue;
        }
        let removed =
            if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.map_err(FileError::at(FileAction::Remove, &path))?;
        swept.push(path);
    }
    Ok(swept)
}

/// Paths in `folder`, sorted; none if it is not there.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let list = || -> io::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        entries.map(|entry| Ok(entry?.path())).collect()
    };
    let mut paths = list().map_err(FileError::at(FileAction::Read, folder))?;
    paths.sort();
    Ok(paths)
}
