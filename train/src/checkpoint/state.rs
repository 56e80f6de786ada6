//! What `state.json` says.

use gryphon_env::VariantHash;
use serde::{Deserialize, Serialize};

use crate::config::RunConfig;
use crate::metrics::Step;
use crate::replay::{ReplayManifest, ReuseBudget};

/// Where a run stands after a generation, beside its tensors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckpointState {
    /// The generation that is complete.
    pub generation: u32,
    /// Training steps made.
    pub step: Step,
    /// Positions played and samples drawn.
    pub budget: ReuseBudget,
    /// The games it has learned from.
    pub replay: ReplayManifest,
    /// Hash of the rules, hexadecimal.
    pub variant_hash: String,
    /// Hash of the config, hexadecimal.
    pub config_hash: String,
}

impl CheckpointState {
    /// The hashes of `variant_hash` and `config_hash` for a run of these rules and this config.
    #[must_use]
    pub fn hashes(variant: VariantHash, config: &RunConfig) -> (String, String) {
        (blake3::Hash::from_bytes(variant.0).to_hex().to_string(), config.hash().to_string())
    }
}
