//! Files written so that a reader never sees half of one.

use std::io::{self, Write};
use std::path::Path;

use tempfile::Builder;

/// Names of unfinished files begin so; a process that is killed leaves them behind.
pub const TEMPORARY_PREFIX: &str = ".tmp-";

/// Writes `bytes` to `path`: beside it first, synced, then renamed over it, and the folder synced.
/// Whatever happens in between, `path` holds its old content or the new one.
///
/// # Errors
/// If the folder does not exist, is not writable or is full.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = Builder::new();
    builder.prefix(TEMPORARY_PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The file gets the usual permissions (less the umask), not those of a private one.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let write = || {
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        #[cfg(unix)]
        std::fs::File::open(folder)?.sync_all()?;
        Ok(())
    };
    write().map_err(without_temporary_name)
}

/// The system's error alone, without the name of a file that nobody knows, which `tempfile` adds.
fn without_temporary_name(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path \"") {
        Some((cause, _)) => io::Error::new(error.kind(), cause),
        None => error,
    }
}
