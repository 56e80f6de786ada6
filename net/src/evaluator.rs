//! The network as the search sees it.

use gryphon_env::{Actor, Variant};
use gryphon_mcts::{Evaluation, Evaluator, EvaluatorError, Query, Wdl};

use crate::engine::{Engine, RawAnswers};
use crate::policy_map::PolicySlot;
use crate::{NetError, PlayingNet};

/// Evaluates positions with a frozen network. Owned by one thread.
#[derive(Debug)]
pub struct NetEvaluator {
    engine: Box<dyn Engine>,
    variant: &'static Variant,
    // Memory used again for every batch.
    planes: Vec<f32>,
    raw: RawAnswers,
}

impl NetEvaluator {
    /// An evaluator of positions of `variant`.
    ///
    /// # Errors
    /// If `net` was made for a variant with other planes, another board or other actions, or its library
    /// gives no more engines.
    pub fn new(net: impl Into<PlayingNet>, variant: &'static Variant) -> Result<Self, NetError> {
        let engine = net.into().engine()?;
        engine.io().check_variant(variant)?;
        Ok(Self { engine, variant, planes: Vec::new(), raw: RawAnswers::default() })
    }

    /// Computes the network for `batch` positions, at least 1, that nobody asked about: the engine
    /// alone, for comparison with what [`Evaluator::evaluate`] reaches.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn run_engine(&mut self, batch: usize) -> Result<(), NetError> {
        self.planes.resize(batch * self.observation_length(), 0.0);
        self.engine.run(&self.planes, batch, &mut self.raw)
    }

    fn observation_length(&self) -> usize {
        self.engine.io().dims().iter().product::<i64>() as usize
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
        encode(self.variant, queries, &mut self.planes);
        self.engine.run(&self.planes, queries.len(), &mut self.raw)
    }

    /// The answer to query number `index` of the batch that ran last.
    fn answer(&self, index: usize, query: &Query<'_>) -> Result<Evaluation, EvaluatorError> {
        let Actor::Player(mover) = query.position.actor() else {
            return Err(EvaluatorError("asked about a position in which the die is rolled".into()));
        };
        let io = self.engine.io();
        let RawAnswers { maps, special, wdl } = &self.raw;
        let per_position = maps.len() / (wdl.len() / 3);
        let head = PolicyRow {
            maps: &maps[index * per_position..][..per_position],
            width: per_position / io.size.n_squares(),
            key_size: self.engine.key_size(),
            special: &special[2 * index..][..2],
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
        let wdl = softmax(&wdl[3 * index..][..3]);
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
        self.check(queries)?;
        self.run(queries).map_err(|error| EvaluatorError(error.to_string()))?;
        queries.iter().enumerate().map(|(index, query)| self.answer(index, query)).collect()
    }
}

/// Writes the planes of all queries, positions of `variant`, into `planes`: `[B, C, H, W]`.
pub(crate) fn encode(variant: &Variant, queries: &[Query<'_>], planes: &mut Vec<f32>) {
    let layout = variant.observation();
    let length = layout.n_planes() * variant.size().n_squares();
    planes.resize(queries.len() * length, 0.0);
    for (query, out) in queries.iter().zip(planes.chunks_exact_mut(length)) {
        layout.encode(query.position, query.context, out);
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

fn softmax(logits: &[f32]) -> Wdl {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights = [0, 1, 2].map(|index| (logits[index] - largest).exp());
    let sum: f32 = weights.iter().sum();
    let [win, draw, loss] = weights.map(|weight| weight / sum);
    Wdl { win, draw, loss }
}
