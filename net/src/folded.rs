//! Layers with their normalization multiplied in, frozen for inference.

use tch::{Device, Kind, TchError, Tensor};

use crate::layers::{Conv, Linear, Norm, channels_last};
use crate::tensors::detached_copy;

/// A tensor that nobody changes any more. Clones share the numbers.
#[derive(Debug)]
pub(crate) struct Frozen(Tensor);

impl Clone for Frozen {
    fn clone(&self) -> Self {
        Self(self.0.shallow_clone())
    }
}

/// Where frozen tensors live, and their kind of number.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Placement {
    pub(crate) device: Device,
    pub(crate) kind: Kind,
}

impl Placement {
    fn freeze(self, tensor: &Tensor) -> Frozen {
        Frozen(detached_copy(tensor, self.device).to_kind(self.kind))
    }

    /// A convolution's weight `[outputs, inputs, k, k]` with channels innermost in memory.
    fn freeze_channels_last(self, weight: &Tensor) -> Result<Frozen, TchError> {
        Ok(Frozen(channels_last(&self.freeze(weight).0)?))
    }
}

/// `scale * x + shift` for every channel, `[1, C, 1, 1]` each.
#[derive(Clone, Debug)]
pub(crate) struct Affine {
    scale: Frozen,
    shift: Frozen,
}

impl Affine {
    pub(crate) fn new(norm: &Norm, place: Placement) -> Result<Self, TchError> {
        let (scale, shift) = norm.affine()?;
        let shape = [1, -1, 1, 1];
        Ok(Self {
            scale: place.freeze(&scale.f_view(shape)?),
            shift: place.freeze(&shift.f_view(shape)?),
        })
    }

    /// `[1, C, 1, 1]`.
    pub(crate) const fn scale(&self) -> &Tensor {
        &self.scale.0
    }

    /// `[1, C, 1, 1]`.
    pub(crate) const fn shift(&self) -> &Tensor {
        &self.shift.0
    }

    pub(crate) fn forward(&self, x: &Tensor) -> Result<Tensor, TchError> {
        self.shift.0.f_addcmul(x, &self.scale.0)
    }
}

/// A convolution with bias.
#[derive(Clone, Debug)]
pub(crate) struct FoldedConv {
    weight: Frozen,
    bias: Option<Frozen>,
    padding: i64,
}

impl FoldedConv {
    pub(crate) fn plain(conv: &Conv, place: Placement) -> Result<Self, TchError> {
        Ok(Self {
            weight: place.freeze_channels_last(&conv.weight)?,
            bias: conv.bias.as_ref().map(|bias| place.freeze(bias)),
            padding: conv.padding,
        })
    }

    /// `norm(conv(x))` as one convolution. The convolution has no bias of its own.
    pub(crate) fn normalized(conv: &Conv, norm: &Norm, place: Placement) -> Result<Self, TchError> {
        let (scale, shift) = norm.affine()?;
        let weight = conv.weight.f_mul(&scale.f_view([-1, 1, 1, 1])?)?;
        Ok(Self {
            weight: place.freeze_channels_last(&weight)?,
            bias: Some(place.freeze(&shift)),
            padding: conv.padding,
        })
    }

    /// `[outputs, inputs, k, k]`.
    pub(crate) const fn weight(&self) -> &Tensor {
        &self.weight.0
    }

    /// `[outputs]`.
    pub(crate) fn bias(&self) -> Option<&Tensor> {
        self.bias.as_ref().map(|bias| &bias.0)
    }

    /// Zeros added at each edge.
    pub(crate) const fn padding(&self) -> i64 {
        self.padding
    }

    pub(crate) fn forward(&self, x: &Tensor) -> Result<Tensor, TchError> {
        x.f_conv2d(&self.weight.0, self.bias(), 1, self.padding, 1, 1)
    }
}

/// A fully connected layer over the last dimension.
#[derive(Clone, Debug)]
pub(crate) struct FoldedLinear {
    weight: Frozen,
    bias: Frozen,
}

impl FoldedLinear {
    /// From `weight` `[outputs, inputs]` and `bias` `[outputs]`.
    pub(crate) fn new(weight: &Tensor, bias: &Tensor, place: Placement) -> Self {
        Self { weight: place.freeze(weight), bias: place.freeze(bias) }
    }

    pub(crate) fn plain(linear: &Linear, place: Placement) -> Self {
        Self::new(&linear.weight, &linear.bias, place)
    }

    /// Weight `[outputs, inputs]` and bias `[outputs]`.
    pub(crate) const fn numbers(&self) -> [&Tensor; 2] {
        [&self.weight.0, &self.bias.0]
    }

    pub(crate) fn forward(&self, x: &Tensor) -> Result<Tensor, TchError> {
        x.f_linear(&self.weight.0, Some(&self.bias.0))
    }
}
