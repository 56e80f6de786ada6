//! The trainable network of a variant.

use gryphon_env::Variant;
use rand_chacha::ChaCha8Rng;
use tch::{Device, Tensor};

use crate::body::{Body, NetIo, NetOutput};
use crate::layers::{Mode, Start};
use crate::tensors::{NamedTensor, Weights, copy_into};
use crate::{NetError, NetShape};

/// A policy and value network for one variant, in fp32 and trainable.
///
/// Not shared between threads: one thread trains, and others run an
/// [`InferenceNet`](crate::InferenceNet) made from it.
#[derive(Debug)]
pub struct Network {
    variant: &'static Variant,
    pub(crate) body: Body,
}

impl Network {
    /// A network with fresh weights, all of them drawn from `rng`: the same stream gives the same
    /// weights. Its first answers are nearly equal priors and a value near zero.
    ///
    /// # Errors
    /// If libtorch cannot place it on `device`.
    pub fn new(
        variant: &'static Variant,
        shape: NetShape,
        rng: &mut ChaCha8Rng,
        device: Device,
    ) -> Result<Self, NetError> {
        Ok(Self {
            variant,
            body: Body::new(NetIo::of(variant), shape, Start::Random(rng), device)?,
        })
    }

    /// A network with the given weights.
    ///
    /// # Errors
    /// If the weights are not those of such a network, or a number is not finite.
    pub fn from_weights(
        variant: &'static Variant,
        shape: NetShape,
        weights: &Weights,
        device: Device,
    ) -> Result<Self, NetError> {
        let body = Body::new(NetIo::of(variant), shape, Start::Zeros, device)?;
        let mut network = Self { variant, body };
        network.load_weights(weights)?;
        Ok(network)
    }

    /// The variant it plays.
    #[must_use]
    pub const fn variant(&self) -> &'static Variant {
        self.variant
    }

    /// Its size.
    #[must_use]
    pub const fn shape(&self) -> NetShape {
        self.body.shape
    }

    /// Where its weights are.
    #[must_use]
    pub const fn device(&self) -> Device {
        self.body.device
    }

    /// Answers a batch of planes, `[B, C, H, W]` of fp32 on the network's device. Gradients flow
    /// unless a no-gradient guard is held.
    ///
    /// # Errors
    /// If the batch has another form, or libtorch runs out of memory.
    pub fn forward(&self, planes: &Tensor, mode: Mode) -> Result<NetOutput, NetError> {
        self.body.forward(planes, mode)
    }

    /// The trainable tensors, in the order of files and optimizers.
    #[must_use]
    pub fn parameters(&self) -> &[NamedTensor] {
        &self.body.parameters
    }

    /// The running statistics of the normalizations: saved, but not trained.
    #[must_use]
    pub fn buffers(&self) -> &[NamedTensor] {
        &self.body.buffers
    }

    /// Number of trainable numbers.
    #[must_use]
    pub fn n_parameters(&self) -> usize {
        self.parameters().iter().map(|named| named.tensor.numel()).sum()
    }

    /// A copy of all weights, parameters first, on the network's device.
    #[must_use]
    pub fn weights(&self) -> Weights {
        Weights(self.all().map(|named| named.copied_to(self.device())).collect())
    }

    /// Replaces all weights.
    ///
    /// # Errors
    /// If names, order or shapes are not this network's, or a number is not finite; nothing is
    /// changed then.
    pub fn load_weights(&mut self, weights: &Weights) -> Result<(), NetError> {
        let mine: Vec<NamedTensor> = self
            .all()
            .map(|named| NamedTensor::new(named.name.clone(), named.tensor.shallow_clone()))
            .collect();
        copy_into(&weights.0, &mine)
    }

    /// Hash of the order and meaning of its action indices.
    pub(crate) fn action_hash(&self) -> String {
        self.body.io.policy.hash()
    }

    fn all(&self) -> impl Iterator<Item = &NamedTensor> {
        self.body.parameters.iter().chain(&self.body.buffers)
    }
}
