//! What computes a frozen network.
//!
//! Shapes: `B` batch, `C` planes, `H` ranks, `W` files, `S` squares, `D` length of a key, `P` promotion
//! kinds.

use std::fmt;

use tch::Tensor;

use crate::body::NetIo;
use crate::{InferenceNet, NetError, set_single_threaded};

/// What the heads say about a batch before the policy is put together: one row a position.
#[derive(Debug, Default)]
pub(crate) struct RawAnswers {
    /// Query, key and promotion values of every square: `[B, S, D + D + P]`, queries scaled.
    pub(crate) maps: Vec<f32>,
    /// Logits of swap and end: `[B, 2]`.
    pub(crate) special: Vec<f32>,
    /// Logits of win, draw and loss: `[B, 3]`.
    pub(crate) wdl: Vec<f32>,
}

/// Computes a frozen network for one thread.
pub(crate) trait Engine: fmt::Debug + Send {
    /// What goes in and comes out.
    fn io(&self) -> &NetIo;

    /// Length `D` of queries and keys.
    fn key_size(&self) -> usize;

    /// Answers a batch of `batch` positions, at least 1: `planes` is `[B, C, H, W]`. The vectors of
    /// `answers` take the lengths they need.
    fn run(
        &mut self,
        planes: &[f32],
        batch: usize,
        answers: &mut RawAnswers,
    ) -> Result<(), NetError>;
}

impl Engine for InferenceNet {
    fn io(&self) -> &NetIo {
        self.io()
    }

    fn key_size(&self) -> usize {
        self.key_size()
    }

    fn run(
        &mut self,
        planes: &[f32],
        batch: usize,
        answers: &mut RawAnswers,
    ) -> Result<(), NetError> {
        set_single_threaded();
        let [c, h, w] = self.io().dims();
        let planes = Tensor::f_from_slice(planes)?.f_view([batch as i64, c, h, w])?;
        let raw = Self::run(self, &planes)?;
        read(&raw.maps, &mut answers.maps)?;
        read(&raw.special, &mut answers.special)?;
        read(&raw.wdl, &mut answers.wdl)
    }
}

/// Copies a tensor's numbers into `out`, which takes its length.
fn read(tensor: &Tensor, out: &mut Vec<f32>) -> Result<(), NetError> {
    let n = tensor.numel();
    out.resize(n, 0.0);
    tensor.f_contiguous()?.f_copy_data(out, n)?;
    Ok(())
}
