//! OpenVINO's library: where it is looked for, loaded once.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use openvino::{Core, DeviceType};

use crate::{NetError, onnx};

/// Names the library's file, or the folder that holds it. Nothing else is looked at if it is set.
pub(crate) const VARIABLE: &str = "GRYPHON_OPENVINO";
/// Where `scripts/openvino` puts it.
const OWN_FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../.openvino/lib");
const FILE: &str = "libopenvino_c.so";
/// A name in every such file; calling what a library lacks would be a panic.
const ENTRY: &[u8] = b"ov_core_create";

/// The library, loaded.
pub(super) struct Library {
    path: PathBuf,
    core: Mutex<Core>,
}

impl Library {
    /// Loads it at the first call; later ones give the same answer.
    pub(super) fn get() -> Result<&'static Self, NetError> {
        static LIBRARY: OnceLock<Result<Library, String>> = OnceLock::new();
        let loaded = LIBRARY.get_or_init(|| Self::load(&find()?));
        loaded.as_ref().map_err(|reason| NetError::NoOpenVino { reason: reason.clone() })
    }

    fn load(path: &Path) -> Result<Self, String> {
        let wrong = |reason: &dyn std::fmt::Display| {
            let reason = reason.to_string();
            let lines: Vec<&str> = reason.lines().map(str::trim).collect();
            format!("`{}`: {}", path.display(), lines.join(" "))
        };
        let file = std::fs::read(path).map_err(|error| wrong(&error))?;
        if !file.windows(ENTRY.len()).any(|part| part == ENTRY) {
            return Err(wrong(&"not OpenVINO's C library: run `scripts/openvino`"));
        }
        openvino_sys::library::load_from(path.to_owned()).map_err(|error| wrong(&error))?;
        let mut core = Core::new().map_err(|error| wrong(&error))?;
        try_out(&mut core).map_err(|error| {
            wrong(&format!(
                "parts of OpenVINO are missing or damaged, run `scripts/openvino`: {error}"
            ))
        })?;
        Ok(Self { path: path.to_owned(), core: Mutex::new(core) })
    }

    /// Its file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Its entry point, for one thread at a time.
    pub(super) fn core(&self) -> MutexGuard<'_, Core> {
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads and compiles a model as small as can be: OpenVINO loads what it needs for that only then.
fn try_out(core: &mut Core) -> Result<(), openvino::InferenceError> {
    let model = core.read_model_from_buffer(&onnx::probe(), None)?;
    core.compile_model(&model, DeviceType::CPU).map(|_| ())
}

/// The library's file, or why there is none.
fn find() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os(VARIABLE) {
        let named = PathBuf::from(named);
        let found = if named.is_file() { Some(named.clone()) } else { in_folder(&named) };
        let absent =
            || format!("{VARIABLE} is `{}`, expected {FILE} or the folder of it", named.display());
        return found.ok_or_else(absent);
    }
    let elsewhere = || openvino_sys::library::find();
    in_folder(Path::new(OWN_FOLDER))
        .or_else(elsewhere)
        .ok_or_else(|| format!("no {FILE}; run `scripts/openvino`, or name it in {VARIABLE}"))
}

/// The library in `folder`, with or without a version behind its name; the last by name if there are
/// several.
fn in_folder(folder: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let is_it = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.strip_prefix(FILE).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    entries.filter(is_it).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_found_with_and_without_a_version() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        assert_eq!(in_folder(folder.path()), None);
        std::fs::write(file("libopenvino_c.source"), "").unwrap();
        std::fs::write(file("libopenvino.so.2641"), "").unwrap();
        assert_eq!(in_folder(folder.path()), None);
        std::fs::write(file("libopenvino_c.so"), "").unwrap();
        assert_eq!(in_folder(folder.path()), Some(file("libopenvino_c.so")));
        std::fs::write(file("libopenvino_c.so.2641"), "").unwrap();
        assert_eq!(in_folder(folder.path()), Some(file("libopenvino_c.so.2641")));
        assert_eq!(in_folder(&file("nothing")), None);
    }

    #[test]
    fn a_file_that_is_no_library_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        for (content, reason) in [("nonsense", "not OpenVINO's C library"), ("ov_core_create", "")]
        {
            std::fs::write(&path, content).unwrap();
            let error = Library::load(&path).err().unwrap_or_default();
            assert!(error.contains(path.to_str().unwrap()) && error.contains(reason), "{error}");
        }
    }
}
