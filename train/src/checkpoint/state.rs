//! What `state.json` says.

use gryphon_env::VariantHash;
use rand_chacha::ChaCha8Rng;
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
    /// Random streams that go on in the next generation.
    pub rng: Vec<RngPosition>,
    /// Hash of the rules, hexadecimal.
    pub variant_hash: String,
    /// Hash of the config, hexadecimal.
    pub config_hash: String,
}

/// How far a named random stream was read.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RngPosition {
    /// The stream's name.
    pub stream: String,
    /// 32-bit words read from it.
    pub words: u64,
}

impl RngPosition {
    /// Where `rng`, the stream called `stream`, stands.
    #[must_use]
    pub fn of(stream: &str, rng: &ChaCha8Rng) -> Self {
        let words = u64::try_from(rng.get_word_pos()).expect("fewer than 2^64 words are ever read");
        Self { stream: stream.into(), words }
    }

    /// Moves `rng`, the same stream, to this place.
    pub fn restore(&self, rng: &mut ChaCha8Rng) {
        rng.set_word_pos(self.words.into());
    }
}

impl CheckpointState {
    /// The hashes of `variant_hash` and `config_hash` for a run of these rules and this config.
    #[must_use]
    pub fn hashes(variant: VariantHash, config: &RunConfig) -> (String, String) {
        (blake3::Hash::from_bytes(variant.0).to_hex().to_string(), config.hash().to_string())
    }
}
