//! What `manifest.json` says, and whether it is true.

use std::fs::File;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::CheckpointError;
use crate::run_folder::{FileAction, FileError, entries, read_bytes, write_bytes};

pub(super) const NAME: &str = "manifest.json";

/// The layout this build writes and reads.
const FORMAT: u32 = 1;

/// The files of a checkpoint.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    format: u32,
    files: Vec<Entry>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    bytes: u64,
    blake3: String,
}

/// Syncs every file in `folder` and writes the manifest beside them.
pub(super) fn seal(folder: &Path) -> Result<(), CheckpointError> {
    let mut files = Vec::new();
    for path in entries(folder)? {
        let sync = || File::open(&path)?.sync_all();
        sync().map_err(FileError::at(FileAction::Write, &path))?;
        files.push(Entry::of(&path)?);
    }
    let manifest = Manifest { format: FORMAT, files };
    let text = serde_json::to_string_pretty(&manifest).expect("plain strings and numbers");
    Ok(write_bytes(&folder.join(NAME), format!("{text}\n").as_bytes())?)
}

/// Checks that the files of `folder` are those of its manifest, byte for byte.
pub(super) fn verify(folder: &Path) -> Result<(), CheckpointError> {
    let path = folder.join(NAME);
    let manifest: Manifest = read_json(&path)?;
    if manifest.format != FORMAT {
        return Err(CheckpointError::Damaged {
            path,
            found: format!("format {}", manifest.format),
            expected: format!("format {FORMAT}, which this build reads"),
        });
    }
    manifest.files.iter().try_for_each(|entry| entry.verify(folder))
}

/// Reads a small JSON file of a checkpoint.
pub(super) fn read_json<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<T, CheckpointError> {
    if !path.exists() {
        return Err(missing(path.into()));
    }
    let bytes = read_bytes(path)?;
    serde_json::from_slice(&bytes).map_err(|error| CheckpointError::Damaged {
        path: path.into(),
        found: error.to_string(),
        expected: "what a checkpoint of this build holds".into(),
    })
}

fn missing(path: PathBuf) -> CheckpointError {
    CheckpointError::Damaged { path, found: "no file".into(), expected: "one".into() }
}

impl Entry {
    fn of(path: &Path) -> Result<Self, CheckpointError> {
        let hash = || -> std::io::Result<(u64, blake3::Hash)> {
            let file = File::open(path)?;
            let bytes = file.metadata()?.len();
            Ok((bytes, blake3::Hasher::new().update_reader(file)?.finalize()))
        };
        let (bytes, hash) = hash().map_err(FileError::at(FileAction::Read, path))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, bytes, blake3: hash.to_hex().to_string() })
    }

    fn verify(&self, folder: &Path) -> Result<(), CheckpointError> {
        // A name with a folder in it could only come from tampering.
        let name = Path::new(&self.name).file_name().unwrap_or_default();
        let path = folder.join(name);
        if !path.exists() {
            return Err(missing(path));
        }
        let found = Self::of(&path)?;
        let damaged = |found: String, expected: String| {
            Err(CheckpointError::Damaged { path: path.clone(), found, expected })
        };
        if found.bytes != self.bytes {
            return damaged(format!("{} bytes", found.bytes), format!("{} bytes", self.bytes));
        }
        if found.blake3 != self.blake3 {
            let short = |hash: &str| format!("blake3 {}…", hash.get(..12).unwrap_or(hash));
            return damaged(short(&found.blake3), short(&self.blake3));
        }
        Ok(())
    }
}
