//! The frozen form of a network that plays.
//!
//! Shapes: `B` batch, `C` channels, `S` squares, `D` length of a key, `P` promotion kinds,
//! `A` action indices.

use tch::{Device, Kind, TchError, Tensor};

use crate::body::{Body, NetIo, NetOutput, PolicyPlaces};
use crate::folded::{Affine, FoldedConv, FoldedLinear, Placement};
use crate::heads::{PolicyHead, ValueHead};
use crate::layers::{Norm, channels_last};
use crate::trunk::{Block, PoolBias};
use crate::{NetError, Network, Precision};

/// A network frozen for play: normalizations multiplied into the weights, channels innermost in
/// memory, bf16 or fp32. Clones share their weights and may go to other threads, one each.
#[derive(Clone, Debug)]
pub struct InferenceNet {
    io: NetIo,
    place: Placement,
    precision: Precision,
    pub(crate) stem: FoldedConv,
    pub(crate) blocks: Vec<FoldedBlock>,
    pub(crate) last: Affine,
    pub(crate) heads: FoldedHeads,
}

/// What the heads say before the policy is put together, in fp32.
#[derive(Debug)]
pub(crate) struct RawOutput {
    /// Query, key and promotion values of every square: `[B, S, D + D + P]`, queries scaled.
    pub(crate) maps: Tensor,
    /// Logits of swap and end: `[B, 2]`.
    pub(crate) special: Tensor,
    /// Logits of win, draw and loss: `[B, 3]`.
    pub(crate) wdl: Tensor,
}

impl InferenceNet {
    /// The frozen form of `network` as it is now, on `device`.
    ///
    /// # Errors
    /// If libtorch cannot place it there.
    pub fn new(network: &Network, device: Device, precision: Precision) -> Result<Self, NetError> {
        Self::of_body(&network.body, device, precision)
    }

    pub(crate) fn of_body(
        body: &Body,
        device: Device,
        precision: Precision,
    ) -> Result<Self, NetError> {
        let _guard = tch::no_grad_guard();
        let kind = match precision {
            Precision::F32 => Kind::Float,
            Precision::Bf16 => Kind::BFloat16,
        };
        let place = Placement { device, kind };
        let fold = |block: &Block| FoldedBlock::new(block, place);
        Ok(Self {
            io: body.io.clone(),
            place,
            precision,
            stem: FoldedConv::plain(&body.trunk.stem, place)?,
            blocks: body.trunk.blocks.iter().map(fold).collect::<Result<_, _>>()?,
            last: Affine::new(&body.trunk.norm, place)?,
            heads: FoldedHeads::new(&body.policy, &body.value, place)?,
        })
    }

    /// The kind of numbers it computes with.
    #[must_use]
    pub const fn precision(&self) -> Precision {
        self.precision
    }

    /// Where it runs.
    #[must_use]
    pub const fn device(&self) -> Device {
        self.place.device
    }

    pub(crate) const fn io(&self) -> &NetIo {
        &self.io
    }

    /// Length `D` of queries and keys.
    pub(crate) const fn key_size(&self) -> usize {
        self.heads.key_size as usize
    }

    /// Answers a batch of planes `[B, C, H, W]`, fp32, as [`Network::forward`] does in
    /// [`Mode::Eval`](crate::Mode::Eval), up to rounding.
    ///
    /// # Errors
    /// If the batch has another form, or libtorch runs out of memory.
    pub fn forward(&self, planes: &Tensor) -> Result<NetOutput, NetError> {
        let _guard = tch::no_grad_guard();
        let raw = self.run(planes)?;
        let d = self.heads.key_size;
        let query = raw.maps.f_narrow(2, 0, d)?;
        let key = raw.maps.f_narrow(2, d, d)?.f_transpose(1, 2)?;
        let promotions = raw.maps.f_narrow(2, 2 * d, self.heads.n_promotions)?;
        let promotions = promotions.f_transpose(1, 2)?.f_flatten(1, 2)?;
        let table = query.f_matmul(&key)?.f_flatten(1, 2)?;
        let row = Tensor::f_cat(&[table, promotions, raw.special], 1)?;
        Ok(NetOutput {
            policy_logits: PolicyPlaces::new(&self.io, self.place.device).gather(&row)?,
            wdl_logits: raw.wdl,
        })
    }

    /// Answers a batch of planes `[B, C, H, W]`, fp32 on any device.
    pub(crate) fn run(&self, planes: &Tensor) -> Result<RawOutput, NetError> {
        self.run_observed(planes, &mut |_| Ok(()))
    }

    /// The same; `observe` sees the input of every convolution that a
    /// [`Quantization`](crate::Quantization) counts, in its order.
    pub(crate) fn run_observed(
        &self,
        planes: &Tensor,
        observe: &mut impl FnMut(&Tensor) -> Result<(), TchError>,
    ) -> Result<RawOutput, NetError> {
        self.io.check(planes)?;
        let _guard = tch::no_grad_guard();
        let planes = planes.f_to_device_(self.place.device, self.place.kind, false, false)?;
        let mut x = self.stem.forward(&channels_last(&planes)?)?;
        for block in &self.blocks {
            x = block.forward(&x, observe)?;
        }
        let features = self.last.forward(&x)?.f_relu_()?;
        Ok(self.heads.forward(&features)?)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct FoldedBlock {
    pub(crate) before: Affine,
    pub(crate) conv1: FoldedConv,
    pub(crate) pool: Option<FoldedPool>,
    pub(crate) conv2: FoldedConv,
}

impl FoldedBlock {
    fn new(block: &Block, place: Placement) -> Result<Self, TchError> {
        let fold = |pool: &PoolBias| FoldedPool::new(pool, &block.norm2, place);
        Ok(Self {
            before: Affine::new(&block.norm1, place)?,
            conv1: FoldedConv::normalized(&block.conv1, &block.norm2, place)?,
            pool: block.pool.as_ref().map(fold).transpose()?,
            conv2: FoldedConv::plain(&block.conv2, place)?,
        })
    }

    fn forward(
        &self,
        x: &Tensor,
        observe: &mut impl FnMut(&Tensor) -> Result<(), TchError>,
    ) -> Result<Tensor, TchError> {
        let active = self.before.forward(x)?.f_relu_()?;
        observe(&active)?;
        let mut inner = self.conv1.forward(&active)?;
        if let Some(pool) = &self.pool {
            inner = inner.f_add_(&pool.forward(&active)?)?;
        }
        let inner = inner.f_relu_()?;
        observe(&inner)?;
        self.conv2.forward(&inner)?.f_add_(x)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct FoldedPool {
    pub(crate) conv: FoldedConv,
    pub(crate) linear: FoldedLinear,
}

impl FoldedPool {
    /// The bias comes before `next`, the block's second normalization, which is folded into it.
    fn new(pool: &PoolBias, next: &Norm, place: Placement) -> Result<Self, TchError> {
        let (scale, _) = next.affine()?;
        let weight = pool.linear.weight.f_mul(&scale.f_unsqueeze(1)?)?;
        let bias = pool.linear.bias.f_mul(&scale)?;
        Ok(Self {
            conv: FoldedConv::normalized(&pool.conv, &pool.norm, place)?,
            linear: FoldedLinear::new(&weight, &bias, place),
        })
    }

    fn forward(&self, active: &Tensor) -> Result<Tensor, TchError> {
        let inner = self.conv.forward(active)?.f_relu_()?;
        let bias = self.linear.forward(&pooled_squares(&by_square(&inner)?)?)?;
        bias.f_unsqueeze(-1)?.f_unsqueeze(-1)
    }
}

/// Both heads; their first convolutions are done as one.
#[derive(Clone, Debug)]
pub(crate) struct FoldedHeads {
    pub(crate) both: FoldedLinear,
    pub(crate) maps: FoldedLinear,
    pub(crate) special: FoldedLinear,
    pub(crate) hidden: FoldedLinear,
    pub(crate) wdl: FoldedLinear,
    pub(crate) policy_channels: i64,
    pub(crate) value_channels: i64,
    key_size: i64,
    n_promotions: i64,
}

impl FoldedHeads {
    fn new(policy: &PolicyHead, value: &ValueHead, place: Placement) -> Result<Self, TchError> {
        let (policy_scale, policy_shift) = policy.norm.affine()?;
        let (value_scale, value_shift) = value.norm.affine()?;
        let scale = Tensor::f_cat(&[policy_scale, value_scale], 0)?.f_unsqueeze(1)?;
        let weight =
            Tensor::f_cat(&[&policy.conv.weight, &value.conv.weight], 0)?.f_flatten(1, 3)?;
        let shift = Tensor::f_cat(&[policy_shift, value_shift], 0)?;
        // The scaling of the attention goes into the queries.
        let d = policy.key_size;
        let scaled = |tensor: &Tensor| -> Result<Tensor, TchError> {
            let query = tensor.f_narrow(0, 0, d)?.f_mul_scalar((d as f64).sqrt().recip())?;
            let rest = tensor.f_narrow(0, d, tensor.size()[0] - d)?;
            Tensor::f_cat(&[query, rest], 0)
        };
        let maps_bias = policy.maps.bias.as_ref().map_or_else(
            || Tensor::f_zeros(policy.maps.weight.size()[0], (Kind::Float, place.device)),
            scaled,
        )?;
        let single = Placement { kind: Kind::Float, ..place };
        Ok(Self {
            both: FoldedLinear::new(&weight.f_mul(&scale)?, &shift, place),
            maps: FoldedLinear::new(
                &scaled(&policy.maps.weight.f_flatten(1, 3)?)?,
                &maps_bias,
                place,
            ),
            special: FoldedLinear::plain(&policy.special, single),
            hidden: FoldedLinear::plain(&value.hidden, single),
            wdl: FoldedLinear::plain(&value.wdl, single),
            policy_channels: policy.conv.weight.size()[0],
            value_channels: value.conv.weight.size()[0],
            key_size: policy.key_size,
            n_promotions: policy.n_promotions,
        })
    }

    /// Activated features `[B, C, H, W]`, channels innermost.
    fn forward(&self, features: &Tensor) -> Result<RawOutput, TchError> {
        let both = self.both.forward(&by_square(features)?)?.f_relu_()?;
        let (p, v) = (self.policy_channels, self.value_channels);
        let maps = self.maps.forward(&both.f_narrow(2, 0, p)?)?;
        let pooled = pooled_squares(&both)?.f_to_kind(Kind::Float)?;
        // Means of policy and value channels come first, then the maxima of both.
        let part = |start: i64, length: i64| -> Result<Tensor, TchError> {
            let mean = pooled.f_narrow(1, start, length)?;
            let max = pooled.f_narrow(1, p + v + start, length)?;
            Tensor::f_cat(&[mean, max], 1)
        };
        let hidden = self.hidden.forward(&part(p, v)?)?.f_relu_()?;
        Ok(RawOutput {
            maps: maps.f_to_kind(Kind::Float)?,
            special: self.special.forward(&part(0, p)?)?,
            wdl: self.wdl.forward(&hidden)?,
        })
    }
}

/// `[B, C, H, W]` with channels innermost in memory as `[B, S, C]`, without a copy.
fn by_square(x: &Tensor) -> Result<Tensor, TchError> {
    x.f_permute([0, 2, 3, 1])?.f_flatten(1, 2)
}

/// Mean and maximum over the squares: `[B, S, C]` to `[B, 2C]`.
fn pooled_squares(x: &Tensor) -> Result<Tensor, TchError> {
    let mean = x.f_mean_dim(1i64, false, x.kind())?;
    let max = x.f_amax(1i64, false)?;
    Tensor::f_cat(&[mean, max], 1)
}

// One thread owns a network; that it may be handed over is part of the contract.
const _: () = {
    const fn is_send<T: Send>() {}
    is_send::<InferenceNet>();
};
