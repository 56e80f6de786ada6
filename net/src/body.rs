//! The whole trainable graph, without a variant.
//!
//! Shapes: `B` batch, `C` planes, `H` ranks, `W` files, `A` action indices.

use std::fmt;

use gryphon_env::{BoardSize, Variant};
use tch::{Device, Kind, Tensor};

use crate::heads::{PolicyHead, ValueHead};
use crate::layers::{Builder, Mode, Start, channels_last};
use crate::policy_map::PolicyMap;
use crate::tensors::{NamedTensor, describe};
use crate::trunk::Trunk;
use crate::{NetError, NetShape};

/// What goes into a network and comes out of it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct NetIo {
    pub(crate) n_planes: usize,
    pub(crate) size: BoardSize,
    pub(crate) policy: PolicyMap,
}

impl NetIo {
    pub(crate) fn of(variant: &Variant) -> Self {
        Self {
            n_planes: variant.observation().n_planes(),
            size: variant.size(),
            policy: PolicyMap::new(variant.action_space()),
        }
    }

    /// Planes, ranks and files: the dimensions of one observation.
    pub(crate) fn dims(&self) -> [i64; 3] {
        [self.n_planes as i64, i64::from(self.size.ranks()), i64::from(self.size.files())]
    }

    /// Whether a network with this input and output plays `variant`.
    pub(crate) fn check_variant(&self, variant: &Variant) -> Result<(), NetError> {
        let wanted = Self::of(variant);
        if *self == wanted {
            return Ok(());
        }
        Err(NetError::Input {
            found: format!("`{}` ({wanted})", variant.name()),
            expected: self.to_string(),
        })
    }

    /// Whether `planes` is `[B, C, H, W]` of fp32.
    pub(crate) fn check(&self, planes: &Tensor) -> Result<(), NetError> {
        let [c, h, w] = self.dims();
        let fits =
            matches!(planes.size()[..], [b, pc, ph, pw] if b > 0 && [pc, ph, pw] == [c, h, w]);
        if fits && planes.kind() == Kind::Float {
            return Ok(());
        }
        Err(NetError::Input {
            found: describe(planes),
            expected: format!("fp32 [batch, {c}, {h}, {w}]"),
        })
    }
}

impl fmt::Display for NetIo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [c, h, w] = self.dims();
        let (actions, promotions) = (self.policy.len(), self.policy.n_promotions());
        write!(f, "{c} planes of {w}x{h}, {actions} actions, {promotions} promotion kinds")
    }
}

/// The network's answer to a batch.
#[derive(Debug)]
pub struct NetOutput {
    /// Logits of every action index, legal or not: `[B, A]`, fp32.
    pub policy_logits: Tensor,
    /// Logits of win, draw and loss for the side to move: `[B, 3]`, fp32.
    pub wdl_logits: Tensor,
}

#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) io: NetIo,
    pub(crate) shape: NetShape,
    pub(crate) device: Device,
    pub(crate) trunk: Trunk,
    pub(crate) policy: PolicyHead,
    pub(crate) value: ValueHead,
    pub(crate) parameters: Vec<NamedTensor>,
    pub(crate) buffers: Vec<NamedTensor>,
    places: PolicyPlaces,
}

impl Body {
    pub(crate) fn new(
        io: NetIo,
        shape: NetShape,
        start: Start<'_>,
        device: Device,
    ) -> Result<Self, NetError> {
        let mut builder = Builder::new(start, device);
        let trunk = Trunk::new(&mut builder, shape, io.n_planes as i64);
        let policy = PolicyHead::new(&mut builder, shape, io.policy.n_promotions() as i64);
        let value = ValueHead::new(&mut builder, shape);
        let Builder { parameters, buffers, .. } = builder;
        let places = PolicyPlaces::new(&io, device);
        Ok(Self { io, shape, device, trunk, policy, value, parameters, buffers, places })
    }

    pub(crate) fn forward(&self, planes: &Tensor, mode: Mode) -> Result<NetOutput, NetError> {
        self.io.check(planes)?;
        let features = self.trunk.forward(&channels_last(planes)?, mode)?;
        let row = self.policy.forward(&features, mode)?;
        Ok(NetOutput {
            policy_logits: self.places.gather(&row)?,
            wdl_logits: self.value.forward(&features, mode)?,
        })
    }
}

/// [`PolicyMap::places`] on the network's device.
#[derive(Debug)]
pub(crate) struct PolicyPlaces {
    base: Tensor,
    offset: Tensor,
}

impl PolicyPlaces {
    pub(crate) fn new(io: &NetIo, device: Device) -> Self {
        let (base, offset) = io.policy.places(io.size.n_squares());
        let on_device = |places: &[i64]| Tensor::from_slice(places).to_device(device);
        Self { base: on_device(&base), offset: on_device(&offset) }
    }

    /// A row of logits without the final zero to logits of action indices: `[B, A]`.
    pub(crate) fn gather(&self, row: &Tensor) -> Result<Tensor, NetError> {
        let row = row.f_constant_pad_nd([0i64, 1])?;
        let logits = row.f_index_select(1, &self.base)?;
        Ok(logits.f_add(&row.f_index_select(1, &self.offset)?)?)
    }
}

#[cfg(test)]
mod tests;
