//! Making and opening run folders.

use std::path::{Path, PathBuf};

use gryphon_env::VariantHash;
use serde::{Deserialize, Serialize};

use super::atomic::entries;
use super::lock::Lock;
use super::{
    FileError, RunFolderError, create_folder, read_bytes, read_text, sweep_temporaries, write_bytes,
};
use crate::config::{Difference, KEYS, OnResume, RunConfig};

/// What `meta.json` says.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunMeta {
    /// Version of the folder's layout.
    pub format: u32,
    /// Version of the program that began the run.
    pub program: String,
    /// Name of the rules.
    pub variant: String,
    /// Hash of the rules, hexadecimal.
    pub variant_hash: String,
}

/// The layout this build writes and reads.
const FORMAT: u32 = 1;

impl RunMeta {
    /// What this build writes for a run of the rules called `variant`.
    #[must_use]
    pub fn new(variant: &str, hash: VariantHash) -> Self {
        Self {
            format: FORMAT,
            program: env!("CARGO_PKG_VERSION").into(),
            variant: variant.into(),
            variant_hash: blake3::Hash::from_bytes(hash.0).to_hex().to_string(),
        }
    }

    fn rules(&self) -> String {
        let hash = self.variant_hash.get(..12).unwrap_or(&self.variant_hash);
        format!("{} {hash}", self.variant)
    }
}

/// A run folder that this process holds.
#[derive(Debug)]
pub struct RunFolder {
    root: PathBuf,
    meta: RunMeta,
    _lock: Lock,
}

/// A folder just opened, and what was found there.
#[derive(Debug)]
pub struct Opened {
    /// The folder.
    pub folder: RunFolder,
    /// Whether the run begins now.
    pub is_new: bool,
    /// Keys that were changed as allowed.
    pub changed: Vec<Difference>,
    /// Unfinished files of an interrupted process, now removed.
    pub swept: Vec<PathBuf>,
}

impl RunFolder {
    /// Opens the run at `root`, or begins it if the folder is missing or empty. `meta` is
    /// [`RunMeta::new`] of the rules, `variant_text` their self-contained text.
    ///
    /// # Errors
    /// If another process holds the run, its rules or a fixed key of its config differ from those
    /// given, the folder holds other things, or a file operation fails. Nothing was changed then.
    pub fn open_or_create(
        root: &Path,
        config: &RunConfig,
        meta: RunMeta,
        variant_text: &str,
    ) -> Result<Opened, RunFolderError> {
        refuse_foreign(root)?;
        create_folder(root)?;
        let lock = Lock::take(root)?;
        let is_new = !root.join("meta.json").exists();
        let mut changed = Vec::new();
        if !is_new {
            check_meta(root, &meta)?;
            changed = check_config(root, config)?;
        }
        let mut folder = Self { root: root.into(), meta, _lock: lock };
        let swept = folder.sweep()?;
        if is_new {
            write_bytes(&root.join("variant.toml"), variant_text.as_bytes())?;
        }
        if is_new || !changed.is_empty() {
            write_bytes(&folder.config(), config.to_toml().as_bytes())?;
        }
        for sub in [folder.shards(), folder.checkpoints(), folder.games(), folder.tensorboard()] {
            create_folder(&sub)?;
        }
        if is_new {
            // The last file: a folder without it is one whose making was interrupted.
            let text = serde_json::to_string_pretty(&folder.meta).expect("plain strings");
            write_bytes(&root.join("meta.json"), format!("{text}\n").as_bytes())?;
        } else {
            folder.meta = read_meta(root)?;
        }
        Ok(Opened { folder, is_new, changed, swept })
    }

    fn sweep(&self) -> Result<Vec<PathBuf>, FileError> {
        let mut swept = sweep_temporaries(&self.root)?;
        for folder in [self.shards(), self.checkpoints(), self.games()] {
            swept.extend(sweep_temporaries(&folder)?);
        }
        Ok(swept)
    }

    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What began the run.
    #[must_use]
    pub const fn meta(&self) -> &RunMeta {
        &self.meta
    }

    /// The resolved config.
    #[must_use]
    pub fn config(&self) -> PathBuf {
        self.root.join("config.toml")
    }

    /// The record of all metrics.
    #[must_use]
    pub fn metrics(&self) -> PathBuf {
        self.root.join("metrics.jsonl")
    }

    /// TensorBoard's folder.
    #[must_use]
    pub fn tensorboard(&self) -> PathBuf {
        self.root.join("tb")
    }

    /// The games to learn from.
    #[must_use]
    pub fn shards(&self) -> PathBuf {
        self.root.join("shards")
    }

    /// The checkpoints.
    #[must_use]
    pub fn checkpoints(&self) -> PathBuf {
        self.root.join("checkpoints")
    }

    /// Games for people.
    #[must_use]
    pub fn games(&self) -> PathBuf {
        self.root.join("games")
    }
}

/// Names that a run folder without `meta.json` may hold: those of an interrupted start.
const OWN: [&str; 7] =
    ["lock", "variant.toml", "config.toml", "shards", "checkpoints", "games", "tb"];

fn refuse_foreign(root: &Path) -> Result<(), RunFolderError> {
    if root.join("meta.json").exists() {
        return Ok(());
    }
    for path in entries(root)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !OWN.contains(&name.as_str()) && !name.starts_with(super::TEMPORARY_PREFIX) {
            return Err(RunFolderError::Foreign { path: root.into(), found: name });
        }
    }
    Ok(())
}

fn read_meta(root: &Path) -> Result<RunMeta, RunFolderError> {
    let path = root.join("meta.json");
    let bytes = read_bytes(&path)?;
    serde_json::from_slice(&bytes).map_err(|error| RunFolderError::Meta {
        path,
        found: error.to_string(),
        expected: "what `gryphon train` wrote".into(),
    })
}

fn check_meta(root: &Path, given: &RunMeta) -> Result<(), RunFolderError> {
    let stored = read_meta(root)?;
    if stored.format != given.format {
        return Err(RunFolderError::Meta {
            path: root.join("meta.json"),
            found: format!("format {}", stored.format),
            expected: format!("format {}, which this build reads", given.format),
        });
    }
    if stored.variant_hash != given.variant_hash {
        return Err(RunFolderError::WrongVariant {
            path: root.into(),
            found: stored.rules(),
            expected: given.rules(),
        });
    }
    Ok(())
}

fn check_config(root: &Path, given: &RunConfig) -> Result<Vec<Difference>, RunFolderError> {
    let path = root.join("config.toml");
    let stored = RunConfig::from_text(&path.display().to_string(), &read_text(&path)?, &[])?;
    let differences = given.differences(&stored);
    if let Some(refused) = differences.iter().find(|difference| !difference.is_allowed()) {
        let free = KEYS.iter().filter(|key| key.on_resume == OnResume::Free);
        return Err(RunFolderError::ConfigChanged {
            path,
            key: refused.key.path(),
            found: refused.stored.to_string(),
            expected: refused.given.to_string(),
            allowed: free.map(|key| format!("`{}`", key.path())).collect::<Vec<_>>().join(", "),
        });
    }
    Ok(differences)
}
