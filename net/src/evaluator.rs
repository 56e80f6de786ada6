//! The network as the search sees it.

use gryphon_env::{Actor, Variant};
use gryphon_mcts::{Evaluation, Evaluator, EvaluatorError, Query, Wdl};
use tch::Tensor;

use crate::body::NetIo;
use crate::policy_map::PolicySlot;
use crate::{InferenceNet, NetError, set_single_threaded};

/// Evaluates positions with a frozen network. Owned by one thread.
#[derive(Debug)]
pub struct NetEvaluator {
    net: InferenceNet,
    variant: &'static Variant,
    buffers: Buffers,
}

/// Memory used again for every batch.
#[derive(Debug, Default)]
struct Buffers {
    planes: Vec<f32>,
    maps: Vec<f32>,
    special: Vec<f32>,
    wdl: Vec<f32>,
}

impl NetEvaluator {
    /// An evaluator of positions of `variant`.
    ///
    /// # Errors
    /// If `net` was made for a variant with other planes, another board or other actions.
    pub fn new(net: InferenceNet, variant: &'static Variant) -> Result<Self, NetError> {
        let expected = NetIo::of(variant);
        if *net.io() != expected {
            return Err(NetError::Input {
                found: format!("`{}` ({expected})", variant.name()),
                expected: net.io().to_string(),
            });
        }
        Ok(Self { net, variant, buffers: Buffers::default() })
    }

    /// The network.
    #[must_use]
    pub const fn net(&self) -> &InferenceNet {
        &self.net
    }

    fn check(&self, queries: &[Query<'_>]) -> Result<(), EvaluatorError> {
        for query in queries {
            let variant = query.position.variant();
            if !std::ptr::eq(variant, self.variant) {
                return Err(EvaluatorError(format!(
                    "asked about a position of `{}`, the network plays `{}`",
                    variant.name(),
                    self.variant.name()
                )));
            }
        }
        Ok(())
    }

    fn run(&mut self, queries: &[Query<'_>]) -> Result<(), NetError> {
        let layout = self.variant.observation();
        let [c, h, w] = self.net.io().dims();
        let length = (c * h * w) as usize;
        self.buffers.planes.resize(queries.len() * length, 0.0);
        for (query, out) in queries.iter().zip(self.buffers.planes.chunks_exact_mut(length)) {
            layout.encode(query.position, query.context, out);
        }
        let batch = queries.len() as i64;
        let planes = Tensor::f_from_slice(&self.buffers.planes)?.f_view([batch, c, h, w])?;
        let raw = self.net.run(&planes)?;
        read(&raw.maps, &mut self.buffers.maps)?;
        read(&raw.special, &mut self.buffers.special)?;
        read(&raw.wdl, &mut self.buffers.wdl)
    }

    /// The answer to query number `index` of the batch that ran last.
    fn answer(&self, index: usize, query: &Query<'_>) -> Result<Evaluation, EvaluatorError> {
        let Actor::Player(mover) = query.position.actor() else {
            return Err(EvaluatorError("asked about a position in which the die is rolled".into()));
        };
        let io = self.net.io();
        let maps = &self.buffers.maps;
        let per_position = maps.len() / (self.buffers.wdl.len() / 3);
        let head = PolicyRow {
            maps: &maps[index * per_position..][..per_position],
            width: per_position / io.size.n_squares(),
            key_size: self.net.key_size(),
            special: &self.buffers.special[2 * index..][..2],
        };
        let space = self.variant.action_space();
        let mut logits = Vec::with_capacity(query.legal.len());
        for &action in query.legal {
            let known = space.index(action, mover).and_then(|i| io.policy.slot(i));
            let Some(slot) = known else {
                let text = self.variant.action_text(action);
                return Err(EvaluatorError(format!("action `{text}` has no index")));
            };
            logits.push(head.logit(slot));
        }
        let wdl = softmax(&self.buffers.wdl[3 * index..][..3]);
        if logits.iter().all(|logit| logit.is_finite()) && wdl.win.is_finite() {
            Ok(Evaluation { logits, wdl })
        } else {
            let fen = query.position.fen();
            Err(EvaluatorError(format!("the network's answer for `{fen}` is not finite")))
        }
    }
}

impl Evaluator for NetEvaluator {
    fn evaluate(&mut self, queries: &[Query<'_>]) -> Result<Vec<Evaluation>, EvaluatorError> {
        if queries.is_empty() {
            return Ok(Vec::new());
        }
        set_single_threaded();
        self.check(queries)?;
        self.run(queries).map_err(|error| EvaluatorError(error.to_string()))?;
        queries.iter().enumerate().map(|(index, query)| self.answer(index, query)).collect()
    }
}

/// One position's policy values, from which single logits are made: far cheaper on the CPU than
/// the whole table of squares by squares.
struct PolicyRow<'a> {
    /// `[S, D + D + P]`.
    maps: &'a [f32],
    /// `D + D + P`.
    width: usize,
    key_size: usize,
    /// Swap and end.
    special: &'a [f32],
}

impl PolicyRow<'_> {
    fn logit(&self, slot: PolicySlot) -> f32 {
        match slot {
            PolicySlot::Move { from, to, promotion } => {
                let kind = promotion
                    .map_or(0.0, |kind| self.square(to)[2 * self.key_size + usize::from(kind)]);
                self.attention(from, to) + kind
            }
            PolicySlot::Swap { first, second } => self.attention(first, second) + self.special[0],
            PolicySlot::End => self.special[1],
        }
    }

    fn square(&self, square: u8) -> &[f32] {
        &self.maps[usize::from(square) * self.width..][..self.width]
    }

    fn attention(&self, from: u8, to: u8) -> f32 {
        let query = &self.square(from)[..self.key_size];
        let key = &self.square(to)[self.key_size..2 * self.key_size];
        query.iter().zip(key).map(|(q, k)| q * k).sum()
    }
}

/// Copies a tensor's numbers into `out`, which takes its length.
fn read(tensor: &Tensor, out: &mut Vec<f32>) -> Result<(), NetError> {
    let n = tensor.numel();
    out.resize(n, 0.0);
    tensor.f_contiguous()?.f_copy_data(out, n)?;
    Ok(())
}

fn softmax(logits: &[f32]) -> Wdl {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights = [0, 1, 2].map(|index| (logits[index] - largest).exp());
    let sum: f32 = weights.iter().sum();
    let [win, draw, loss] = weights.map(|weight| weight / sum);
    Wdl { win, draw, loss }
}
