//! What is measured: a config with a network.

use std::path::Path;

use gryphon_env::{Stream, Variant};
use gryphon_net::{NetError, NetShape, Network, ShapeError};
use tch::Device;

use crate::checkpoint::{Checkpoint, CheckpointError};
use crate::config::{ConfigError, RunConfig};
use crate::selfplay::SelfPlayRules;
use crate::training::{self, TrainingError, load_agent};

/// Why there is nothing to measure.
#[derive(Debug, thiserror::Error)]
pub enum SubjectError {
    /// The config.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The size of the network.
    #[error("`network`: {0}")]
    Shape(#[from] ShapeError),
    /// The network.
    #[error(transparent)]
    Net(#[from] NetError),
    /// The run's checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The variant, or the checkpoint's agent.
    #[error(transparent)]
    Training(#[from] TrainingError),
}

/// A config and a network of its variant.
#[derive(Debug)]
pub struct Subject {
    /// The config.
    pub config: RunConfig,
    /// The network, on the CPU.
    pub network: Network,
}

impl Subject {
    /// What `configs/quick.toml` describes, changed by `overrides`, with fresh weights.
    ///
    /// # Errors
    /// If an override names no key or a wrong value.
    pub fn shipped(overrides: &[String]) -> Result<Self, SubjectError> {
        const QUICK: &str = include_str!("../../../configs/quick.toml");
        Self::fresh(RunConfig::from_text("configs/quick.toml", QUICK, overrides)?)
    }

    /// What the config file at `path` describes, changed by `overrides`, with fresh weights.
    ///
    /// # Errors
    /// If the file or an override is wrong.
    pub fn of_config(path: &Path, overrides: &[String]) -> Result<Self, SubjectError> {
        Self::fresh(RunConfig::from_file(path, overrides)?)
    }

    /// The run in the folder `root`, with the weights of its newest checkpoint. `overrides`
    /// change the config; variant and size of the network stay those of the weights.
    ///
    /// # Errors
    /// If there is none, it is damaged, or an override is wrong.
    pub fn of_run(root: &Path, overrides: &[String]) -> Result<Self, SubjectError> {
        let config = RunConfig::from_file(&root.join("config.toml"), overrides)?;
        let checkpoint = Checkpoint::open_newest(root)?;
        Ok(Self { config, network: load_agent(&checkpoint)?.network })
    }

    fn fresh(config: RunConfig) -> Result<Self, SubjectError> {
        let variant = training::variant(&config)?;
        let shape = NetShape::new(config.network.blocks.get(), config.network.channels.get())?;
        let mut rng = config.run.seed.stream(Stream::Weights);
        let network = Network::new(variant, shape, &mut rng, Device::Cpu)?;
        Ok(Self { config, network })
    }

    /// The variant.
    #[must_use]
    pub const fn variant(&self) -> &'static Variant {
        self.network.variant()
    }

    /// The rules of self-play by the config.
    #[must_use]
    pub fn rules(&self) -> SelfPlayRules {
        training::self_play_rules(&self.config, self.variant())
    }
}
