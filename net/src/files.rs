//! Files written so that a reader never sees half of one.

use std::io::{self, Write};
use std::path::Path;

use tempfile::Builder;

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
    builder.prefix(".writing-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The file gets the usual permissions (less the umask), not those of a private one.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    #[cfg(unix)]
    fs_err::File::open(folder)?.sync_all()?;
    Ok(())
}
