//! Comparing the config of a run with the one it is asked to go on with.

use std::fmt;

use super::{KEYS, Key, OnResume, RunConfig};

/// Hash of a resolved config.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub struct ConfigHash(pub [u8; 32]);

impl fmt::Display for ConfigHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(blake3::Hash::from_bytes(self.0).to_hex().as_str())
    }
}

/// One key with two values.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The key.
    pub key: &'static Key,
    /// The value the run was started with.
    pub stored: toml::Value,
    /// The value it is asked to go on with.
    pub given: toml::Value,
}

impl RunConfig {
    /// Hash of all values; equal hashes mean equal settings, whatever the comments.
    #[must_use]
    pub fn hash(&self) -> ConfigHash {
        let mut hasher = blake3::Hasher::new();
        for (key, value) in KEYS.iter().zip(self.values()) {
            hasher.update(format!("{} = {value}\n", key.path()).as_bytes());
        }
        ConfigHash(*hasher.finalize().as_bytes())
    }
}

impl Difference {
    /// Whether a run may go on with the new value.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.key.on_resume == OnResume::Free
    }
}

pub(super) fn between(stored: &RunConfig, given: &RunConfig) -> Vec<Difference> {
    let values = stored.values().into_iter().zip(given.values());
    KEYS.iter()
        .zip(values)
        .filter(|(_, (stored, given))| stored != given)
        .map(|(key, (stored, given))| Difference { key, stored, given })
        .collect()
}
