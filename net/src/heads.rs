//! Policy head and value head.
//!
//! Shapes: `B` batch, `C` trunk channels, `S` squares, `D` length of a key, `P` promotion kinds.

use tch::{TchError, Tensor};

use crate::NetShape;
use crate::layers::{Bias, Builder, Conv, Linear, Mode, Norm, pooled};

/// Number of logits that belong to no square: swap and end.
pub(crate) const N_SPECIAL: i64 = 2;

/// Policy by attention between the squares a unit leaves and reaches.
#[derive(Debug)]
pub(crate) struct PolicyHead {
    pub(crate) conv: Conv,
    pub(crate) norm: Norm,
    /// Query, key and promotion maps, `D + D + P` channels in this order.
    pub(crate) maps: Conv,
    pub(crate) special: Linear,
    pub(crate) key_size: i64,
    pub(crate) n_promotions: i64,
}

impl PolicyHead {
    /// Initial scale of queries and keys: logits start with a standard deviation far below 1, so
    /// that the first games are played with nearly equal priors.
    const MAPS_GAIN: f64 = 0.35;

    pub(crate) fn new(builder: &mut Builder<'_>, shape: NetShape, n_promotions: i64) -> Self {
        let (channels, key_size) = (i64::from(shape.channels()), shape.key_size());
        let hidden = (channels, channels, 1);
        let maps = (channels, 2 * key_size + n_promotions, 1);
        let special = (2 * channels, N_SPECIAL);
        Self {
            conv: Conv::new(builder, "policy.conv", hidden, Bias::None, 1.0),
            norm: Norm::new(builder, "policy.norm", channels),
            maps: Conv::new(builder, "policy.maps", maps, Bias::Learned, Self::MAPS_GAIN),
            special: Linear::new(builder, "policy.special", special, 0.1),
            key_size,
            n_promotions,
        }
    }

    /// Features `[B, C, H, W]` to a row of logits as
    /// [`PolicyMap::places`](crate::policy_map::PolicyMap::places) describes it, without the zero:
    /// `[B, S * S + P * S + 2]`.
    pub(crate) fn forward(&self, features: &Tensor, mode: Mode) -> Result<Tensor, TchError> {
        let hidden = self.norm.forward(&self.conv.forward(features)?, mode)?.f_relu()?;
        let maps = self.maps.forward(&hidden)?.f_flatten(2, 3)?;
        let batch = maps.size()[0];
        let query = maps.f_narrow(1, 0, self.key_size)?.f_transpose(1, 2)?;
        let key = maps.f_narrow(1, self.key_size, self.key_size)?;
        let scale = (self.key_size as f64).sqrt().recip();
        let table = query.f_matmul(&key)?.f_mul_scalar(scale)?;
        let promotions = maps.f_narrow(1, 2 * self.key_size, self.n_promotions)?;
        let special = self.special.forward(&pooled(&hidden)?)?;
        let rows = [table.f_reshape([batch, -1])?, promotions.f_reshape([batch, -1])?, special];
        Tensor::f_cat(&rows, 1)
    }
}

/// Logits of win, draw and loss from pooled features.
#[derive(Debug)]
pub(crate) struct ValueHead {
    pub(crate) conv: Conv,
    pub(crate) norm: Norm,
    pub(crate) hidden: Linear,
    pub(crate) wdl: Linear,
}

impl ValueHead {
    pub(crate) fn new(builder: &mut Builder<'_>, shape: NetShape) -> Self {
        let (channels, inner) = (i64::from(shape.channels()), shape.value_channels());
        let dims = (channels, inner, 1);
        Self {
            conv: Conv::new(builder, "value.conv", dims, Bias::None, 1.0),
            norm: Norm::new(builder, "value.norm", inner),
            hidden: Linear::new(builder, "value.hidden", (2 * inner, 2 * inner), 1.0),
            wdl: Linear::new(builder, "value.wdl", (2 * inner, 3), 0.05),
        }
    }

    /// Features `[B, C, H, W]` to logits of win, draw and loss `[B, 3]`.
    pub(crate) fn forward(&self, features: &Tensor, mode: Mode) -> Result<Tensor, TchError> {
        let inner = self.norm.forward(&self.conv.forward(features)?, mode)?.f_relu()?;
        self.wdl.forward(&self.hidden.forward(&pooled(&inner)?)?.f_relu()?)
    }
}
