//! The residual tower.

use tch::{TchError, Tensor};

use crate::NetShape;
use crate::layers::{Bias, Builder, Conv, Linear, Mode, Norm, pooled};

/// Stem, pre-activation residual blocks (He et al. 2016), and a last normalization.
#[derive(Debug)]
pub(crate) struct Trunk {
    pub(crate) stem: Conv,
    pub(crate) blocks: Vec<Block>,
    pub(crate) norm: Norm,
}

/// `x + conv2(relu(norm2(conv1(relu(norm1(x))) + pool)))`.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) norm1: Norm,
    pub(crate) conv1: Conv,
    pub(crate) pool: Option<PoolBias>,
    pub(crate) norm2: Norm,
    pub(crate) conv2: Conv,
}

/// What the whole board says to every square: pooled channels turned into one bias a channel
/// (Wu 2019, "Accelerating Self-Play Learning in Go", section 3.3).
#[derive(Debug)]
pub(crate) struct PoolBias {
    pub(crate) conv: Conv,
    pub(crate) norm: Norm,
    pub(crate) linear: Linear,
}

impl Trunk {
    pub(crate) fn new(builder: &mut Builder<'_>, shape: NetShape, n_planes: i64) -> Self {
        let channels = i64::from(shape.channels());
        Self {
            stem: Conv::new(builder, "stem", (n_planes, channels, 3), Bias::None, 1.0),
            blocks: (0..shape.blocks()).map(|index| Block::new(builder, shape, index)).collect(),
            norm: Norm::new(builder, "trunk.norm", channels),
        }
    }

    /// Planes `[B, C, H, W]` to activated features `[B, channels, H, W]`.
    pub(crate) fn forward(&self, planes: &Tensor, mode: Mode) -> Result<Tensor, TchError> {
        let mut x = self.stem.forward(planes)?;
        for block in &self.blocks {
            x = block.forward(&x, mode)?;
        }
        self.norm.forward(&x, mode)?.f_relu()
    }
}

impl Block {
    fn new(builder: &mut Builder<'_>, shape: NetShape, index: u32) -> Self {
        let name = |part: &str| format!("trunk.{index}.{part}");
        let channels = i64::from(shape.channels());
        let dims = (channels, channels, 3);
        // The tower's variance grows by a constant factor whatever its depth, so that a network
        // whose normalizations have seen no data yet answers with small numbers.
        let gain = f64::from(shape.blocks()).sqrt().recip();
        Self {
            norm1: Norm::new(builder, &name("norm1"), channels),
            conv1: Conv::new(builder, &name("conv1"), dims, Bias::None, 1.0),
            pool: shape.has_pool(index).then(|| PoolBias::new(builder, &name("pool"), shape)),
            norm2: Norm::new(builder, &name("norm2"), channels),
            conv2: Conv::new(builder, &name("conv2"), dims, Bias::None, gain),
        }
    }

    fn forward(&self, x: &Tensor, mode: Mode) -> Result<Tensor, TchError> {
        let active = self.norm1.forward(x, mode)?.f_relu()?;
        let mut inner = self.conv1.forward(&active)?;
        if let Some(pool) = &self.pool {
            inner = inner.f_add(&pool.forward(&active, mode)?)?;
        }
        let inner = self.norm2.forward(&inner, mode)?.f_relu()?;
        x.f_add(&self.conv2.forward(&inner)?)
    }
}

impl PoolBias {
    fn new(builder: &mut Builder<'_>, name: &str, shape: NetShape) -> Self {
        let (channels, pooled) = (i64::from(shape.channels()), shape.pool_channels());
        let dims = (channels, pooled, 1);
        Self {
            conv: Conv::new(builder, &format!("{name}.conv"), dims, Bias::None, 1.0),
            norm: Norm::new(builder, &format!("{name}.norm"), pooled),
            linear: Linear::new(builder, &format!("{name}.linear"), (2 * pooled, channels), 0.5),
        }
    }

    /// Activated features `[B, C, H, W]` to a bias `[B, C, 1, 1]`.
    fn forward(&self, active: &Tensor, mode: Mode) -> Result<Tensor, TchError> {
        let inner = self.norm.forward(&self.conv.forward(active)?, mode)?.f_relu()?;
        self.linear.forward(&pooled(&inner)?)?.f_unsqueeze(-1)?.f_unsqueeze(-1)
    }
}
