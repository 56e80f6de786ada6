//! One process at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use super::{FileAction, FileError, RunFolderError};

/// An exclusive lock, held as long as this value lives. The system drops it with the process.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of the run folder `root`, which must exist.
    pub(super) fn take(root: &Path) -> Result<Self, RunFolderError> {
        let path = root.join("lock");
        let error = |source| FileError::at(FileAction::Lock, &path)(source);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(error)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(RunFolderError::Locked {
                    path: root.into(),
                    holder: holder(&mut file),
                });
            }
            Err(TryLockError::Error(source)) => return Err(error(source).into()),
        }
        let write_holder = |file: &mut File| -> io::Result<()> {
            file.set_len(0)?;
            write!(file, "{}", std::process::id())
        };
        write_holder(&mut file).map_err(error)?;
        Ok(Self { _file: file })
    }
}

/// The process id in the lock file, for the message only.
fn holder(file: &mut File) -> String {
    let mut text = String::new();
    let read = file.take(20).read_to_string(&mut text);
    let is_id = read.is_ok() && !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if is_id { text } else { "?".into() }
}
