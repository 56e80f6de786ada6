//! An agent: everything needed to play, in one file.

use std::path::{Path, PathBuf};

use gryphon_env::{Variant, VariantError};
use tch::Device;

use crate::tensor_file::{TensorFile, TensorFileError, TensorMetadata};
use crate::{InferenceNet, NetError, NetEvaluator, NetShape, Network, Precision, Weights};

/// A trained network with its variant and what is known of its strength.
#[derive(Debug)]
pub struct Agent {
    /// The network; its variant is the agent's.
    pub network: Network,
    /// Where it comes from.
    pub origin: AgentOrigin,
    /// What evaluation found, in a form of the evaluator's choice.
    pub strength: Option<serde_json::Value>,
}

/// The point of a training run at which an agent was taken.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct AgentOrigin {
    /// The checkpoint's number.
    pub checkpoint: u32,
    /// Optimizer steps made.
    pub step: u64,
}

/// Why an agent could not be saved or opened.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The file could not be read or written, or is damaged.
    #[error(transparent)]
    File(#[from] TensorFileError),
    /// A safetensors file that is something else.
    #[error("`{path}` is not a gryphon agent: found format {found}, expected `{}`", Agent::FORMAT)]
    NotAgent {
        /// The file.
        path: PathBuf,
        /// What its metadata says.
        found: String,
    },
    /// An agent of another release.
    #[error(
        "agent `{path}` has format version {found}, this build reads version {}",
        Agent::VERSION
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: String,
    },
    /// An entry of the metadata is missing or unreadable.
    #[error("agent `{path}`: entry `{key}` is {found}, expected {expected}")]
    Entry {
        /// The file.
        path: PathBuf,
        /// The entry.
        key: &'static str,
        /// What is there.
        found: String,
        /// What should be.
        expected: &'static str,
    },
    /// The variant's text does not compile.
    #[error("agent `{path}`: its variant cannot be used: {source}")]
    Variant {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Box<VariantError>,
    },
    /// Planes or actions are not those of this build.
    #[error(
        "agent `{path}` was trained with {what} {found}, this build has {expected}; play it with \
         the release that made it, or train it anew"
    )]
    Layout {
        /// The file.
        path: PathBuf,
        /// `observation layout` or `action space`.
        what: &'static str,
        /// Hash in the file.
        found: String,
        /// Hash of this build.
        expected: String,
    },
    /// The tensors are not those of the network.
    #[error("agent `{path}`: {source}")]
    Weights {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: NetError,
    },
}

impl Agent {
    /// What the metadata of every agent file says it is.
    const FORMAT: &str = "gryphon-agent";
    /// Raised when files of the old form can no longer be read, also when the network's graph changes.
    const VERSION: &str = "1";

    /// The variant the agent plays.
    #[must_use]
    pub const fn variant(&self) -> &'static Variant {
        self.network.variant()
    }

    /// An evaluator with the agent's weights.
    ///
    /// # Errors
    /// If libtorch cannot place the network on `device`.
    pub fn evaluator(
        &self,
        device: Device,
        precision: Precision,
    ) -> Result<NetEvaluator, NetError> {
        NetEvaluator::new(InferenceNet::new(&self.network, device, precision)?, self.variant())
    }

    /// Writes the agent to `path`, replacing what is there at once or not at all. The same agent
    /// always gives the same bytes.
    ///
    /// # Errors
    /// If the file cannot be written, or a weight is not finite.
    pub fn save(&self, path: &Path) -> Result<(), AgentError> {
        let weights = self.network.weights();
        weights.check_finite().map_err(|source| wrong_weights(path, source))?;
        let variant = self.variant();
        let mut metadata = TensorMetadata::new();
        let mut put = |key: &str, value: String| metadata.insert(key.to_owned(), value);
        put("format", Self::FORMAT.to_owned());
        put("version", Self::VERSION.to_owned());
        put("variant", variant.name().to_owned());
        put("variant_text", variant.text().to_owned());
        put("net", self.network.shape().to_string());
        put("observation_layout", layout_hash(variant));
        put("action_space", self.network.action_hash());
        put("checkpoint", self.origin.checkpoint.to_string());
        put("step", self.origin.step.to_string());
        if let Some(strength) = &self.strength {
            put("strength", strength.to_string());
        }
        Ok(TensorFile::write(path, weights.tensors(), &metadata)?)
    }

    /// Opens an agent, with its network on the CPU.
    ///
    /// # Errors
    /// If the file is not an agent, is damaged, or does not fit this build.
    pub fn load(path: &Path) -> Result<Self, AgentError> {
        let TensorFile { tensors, metadata } = TensorFile::read(path)?;
        let card = Card { path, metadata: &metadata };
        card.check_format()?;
        let variant = card.variant()?;
        let shape = card.parsed::<NetShape>("net", "a network size as in `6x64`")?;
        card.check_hash("observation_layout", "observation layout", &layout_hash(variant))?;
        let network = Network::from_weights(variant, shape, &Weights::new(tensors), Device::Cpu)
            .map_err(|source| wrong_weights(path, source))?;
        card.check_hash("action_space", "action space", &network.action_hash())?;
        let origin = AgentOrigin {
            checkpoint: card.parsed("checkpoint", "a number")?,
            step: card.parsed("step", "a number")?,
        };
        let strength = match metadata.get("strength") {
            Some(_) => Some(card.parsed("strength", "JSON")?),
            None => None,
        };
        Ok(Self { network, origin, strength })
    }
}

/// The metadata of one agent file.
struct Card<'a> {
    path: &'a Path,
    metadata: &'a TensorMetadata,
}

impl Card<'_> {
    fn check_format(&self) -> Result<(), AgentError> {
        let path = self.path.to_owned();
        match self.metadata.get("format") {
            Some(format) if format == Agent::FORMAT => {}
            Some(other) => {
                return Err(AgentError::NotAgent {
                    path,
                    found: format!("`{}`", shortened(other)),
                });
            }
            None => return Err(AgentError::NotAgent { path, found: "none".to_owned() }),
        }
        let found = self.text("version")?;
        if found == Agent::VERSION {
            return Ok(());
        }
        Err(AgentError::Version { path, found: shortened(found) })
    }

    fn variant(&self) -> Result<&'static Variant, AgentError> {
        let source = self.path.display().to_string();
        Variant::from_text(&source, self.text("variant_text")?).map_err(|source| {
            AgentError::Variant { path: self.path.to_owned(), source: Box::new(source) }
        })
    }

    fn check_hash(
        &self,
        key: &'static str,
        what: &'static str,
        expected: &str,
    ) -> Result<(), AgentError> {
        let found = self.text(key)?;
        if found == expected {
            return Ok(());
        }
        Err(AgentError::Layout {
            path: self.path.to_owned(),
            what,
            found: shortened(found),
            expected: shortened(expected),
        })
    }

    fn text(&self, key: &'static str) -> Result<&str, AgentError> {
        self.metadata.get(key).map(String::as_str).ok_or_else(|| AgentError::Entry {
            path: self.path.to_owned(),
            key,
            found: "missing".to_owned(),
            expected: "text",
        })
    }

    fn parsed<T: std::str::FromStr>(
        &self,
        key: &'static str,
        expected: &'static str,
    ) -> Result<T, AgentError> {
        let text = self.text(key)?;
        text.parse().map_err(|_| AgentError::Entry {
            path: self.path.to_owned(),
            key,
            found: format!("`{}`", shortened(text)),
            expected,
        })
    }
}

fn layout_hash(variant: &Variant) -> String {
    blake3::Hash::from_bytes(variant.observation().hash().0).to_hex().to_string()
}

fn wrong_weights(path: &Path, source: NetError) -> AgentError {
    AgentError::Weights { path: path.to_owned(), source }
}

/// Enough of a text to recognize it.
fn shortened(text: &str) -> String {
    const LIMIT: usize = 16;
    match text.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
