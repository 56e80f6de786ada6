//! The folder of checkpoints and the file `latest`.

use std::fs;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use super::manifest::{self, read_json, seal};
use super::{CheckpointError, CheckpointState};
use crate::config::CheckpointsSection;
use crate::run_folder::{
    FileAction, FileError, RunFolder, TEMPORARY_PREFIX, create_folder, entries, read_text,
    sync_folder, write_bytes,
};

/// Which checkpoints stay.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct KeepRule {
    /// So many of the newest.
    pub newest: NonZeroU32,
    /// Those whose generation this divides; `None` for no others.
    pub every: Option<NonZeroU32>,
}

impl From<&CheckpointsSection> for KeepRule {
    fn from(config: &CheckpointsSection) -> Self {
        Self { newest: config.keep, every: NonZeroU32::new(config.keep_every) }
    }
}

/// The checkpoints of a run.
#[derive(Clone, Debug)]
pub struct CheckpointStore {
    folder: PathBuf,
    latest: PathBuf,
    keep: KeepRule,
}

/// An intact checkpoint.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// Its folder.
    pub path: PathBuf,
    /// Where the run stood.
    pub state: CheckpointState,
}

/// The newest intact checkpoint, and what was wrong with newer ones.
#[derive(Debug, Default)]
pub struct Found {
    /// `None` in a run that has saved none.
    pub checkpoint: Option<Checkpoint>,
    /// One for each newer checkpoint that cannot be used.
    pub warnings: Vec<CheckpointError>,
}

impl Checkpoint {
    /// Opens the checkpoint in the folder `path` after checking every file.
    ///
    /// # Errors
    /// If a file is missing or damaged; the error names it, what was found and what was expected.
    pub fn open(path: &Path) -> Result<Self, CheckpointError> {
        manifest::verify(path)?;
        let state = read_json(&path.join(STATE))?;
        Ok(Self { path: path.into(), state })
    }

    /// Opens the newest checkpoint of the run in the folder `root`, the one that its `latest` names.
    ///
    /// # Errors
    /// As [`Checkpoint::open`], or if there is none.
    pub fn open_newest(root: &Path) -> Result<Self, CheckpointError> {
        let latest = read_text(&root.join(LATEST))?;
        Self::open(&root.join("checkpoints").join(latest.trim()))
    }

    /// The path of one of its files.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

const STATE: &str = "state.json";
/// Names the newest checkpoint, in the run's folder.
const LATEST: &str = "latest";

impl CheckpointStore {
    /// The checkpoints of the run in `folder`.
    #[must_use]
    pub fn of(folder: &RunFolder, keep: KeepRule) -> Self {
        Self { folder: folder.checkpoints(), latest: folder.root().join(LATEST), keep }
    }

    /// Saves a checkpoint: `fill` writes the tensors as plain files into the folder it is given, this
    /// adds the state, makes it last, and switches `latest` to it. Then older ones go, by the rule.
    ///
    /// A damaged checkpoint of the same generation is set aside as `NNNNNN.damaged`.
    ///
    /// # Errors
    /// If `fill` or the disk fails, or an intact checkpoint of this generation exists. Then no
    /// checkpoint was changed, unless only the removal of old ones failed.
    pub fn save<E>(
        &self,
        state: &CheckpointState,
        fill: impl FnOnce(&Path) -> Result<(), E>,
    ) -> Result<Checkpoint, CheckpointError>
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        create_folder(&self.folder)?;
        let path = self.path(state.generation);
        self.set_damaged_aside(&path)?;
        let temporary = tempfile::Builder::new()
            .prefix(TEMPORARY_PREFIX)
            .tempdir_in(&self.folder)
            .map_err(FileError::at(FileAction::Create, &path))?;
        fill(temporary.path()).map_err(|source| CheckpointError::Content {
            path: path.clone(),
            source: source.into(),
        })?;
        let text = serde_json::to_string_pretty(state).expect("plain strings and numbers");
        write_bytes(&temporary.path().join(STATE), format!("{text}\n").as_bytes())?;
        seal(temporary.path())?;
        open_to_others(temporary.path()).map_err(FileError::at(FileAction::Write, &path))?;
        fs::rename(temporary.path(), &path).map_err(FileError::at(FileAction::Write, &path))?;
        let _ = temporary.keep();
        sync_folder(&self.folder)?;
        self.point_latest(&path)?;
        self.prune(state.generation)?;
        Ok(Checkpoint { path, state: state.clone() })
    }

    /// The newest intact checkpoint. Damaged ones are warned of and left as they are.
    ///
    /// # Errors
    /// If there are checkpoints but none is intact, or the folder cannot be read.
    pub fn open_latest(&self) -> Result<Found, CheckpointError> {
        let mut generations = self.generations()?;
        let count = generations.len();
        let mut warnings = Vec::new();
        while let Some(generation) = generations.pop() {
            match Checkpoint::open(&self.path(generation)) {
                Ok(checkpoint) => {
                    self.point_latest(&checkpoint.path)?;
                    return Ok(Found { checkpoint: Some(checkpoint), warnings });
                }
                Err(warning) => warnings.push(warning),
            }
        }
        if warnings.is_empty() {
            return Ok(Found::default());
        }
        let newest = Box::new(warnings.swap_remove(0));
        Err(CheckpointError::NoneIntact { folder: self.folder.clone(), count, newest })
    }

    /// Generations that have a checkpoint, ascending; none of them is checked.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn generations(&self) -> Result<Vec<u32>, CheckpointError> {
        let number = |path: &PathBuf| {
            let name = path.file_name()?.to_str()?;
            let is_number = name.len() >= 6 && name.bytes().all(|b| b.is_ascii_digit());
            if is_number && path.is_dir() { name.parse().ok() } else { None }
        };
        let mut generations: Vec<u32> = entries(&self.folder)?.iter().filter_map(number).collect();
        generations.sort_unstable();
        Ok(generations)
    }

    /// The folder of a generation's checkpoint, whether it is there or not.
    #[must_use]
    pub fn path(&self, generation: u32) -> PathBuf {
        self.folder.join(format!("{generation:06}"))
    }

    /// Writes the name of `path` to `latest`, unless it stands there.
    fn point_latest(&self, path: &Path) -> Result<(), CheckpointError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let line = format!("{name}\n");
        if fs::read_to_string(&self.latest).is_ok_and(|text| text == line) {
            return Ok(());
        }
        Ok(write_bytes(&self.latest, line.as_bytes())?)
    }

    fn set_damaged_aside(&self, path: &Path) -> Result<(), CheckpointError> {
        if !path.exists() {
            return Ok(());
        }
        if Checkpoint::open(path).is_ok() {
            return Err(CheckpointError::Exists { path: path.into() });
        }
        let aside = path.with_extension("damaged");
        self.remove(&aside)?;
        Ok(fs::rename(path, &aside).map_err(FileError::at(FileAction::Write, path))?)
    }

    fn prune(&self, newest: u32) -> Result<(), CheckpointError> {
        let generations: Vec<u32> =
            self.generations()?.into_iter().filter(|&generation| generation <= newest).collect();
        let n_old = generations.len().saturating_sub(self.keep.newest.get() as usize);
        let is_kept = |generation: u32| self.keep.every.is_some_and(|n| generation % n == 0);
        for &generation in generations[..n_old].iter().filter(|&&old| !is_kept(old)) {
            self.remove(&self.path(generation))?;
        }
        Ok(())
    }

    /// Removes a checkpoint so that a crash leaves no half of it under its name.
    fn remove(&self, path: &Path) -> Result<(), CheckpointError> {
        if !path.exists() {
            return Ok(());
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let doomed = self.folder.join(format!("{TEMPORARY_PREFIX}{name}"));
        let remove = || {
            fs::rename(path, &doomed)?;
            fs::remove_dir_all(&doomed)
        };
        Ok(remove().map_err(FileError::at(FileAction::Remove, path))?)
    }
}

/// Temporary folders are private to the user; checkpoints are as other folders of the run.
fn open_to_others(folder: &Path) -> std::io::Result<()> {
    let parent = folder.parent().unwrap_or(folder);
    fs::set_permissions(folder, fs::metadata(parent)?.permissions())
}
