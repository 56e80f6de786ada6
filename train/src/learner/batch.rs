//! Training batches as tensors.

use gryphon_env::{ActionIndex, Actor, ObservationContext, Position, Variant};
use gryphon_mcts::Wdl;
use tch::{Device, TchError, Tensor};

/// One position to learn from.
#[derive(Clone, Debug)]
pub struct TrainingSample {
    /// The position; a side acts in it.
    pub position: Position,
    /// What its observation needs besides.
    pub context: ObservationContext,
    /// The improved policy: legal actions and their probabilities, which sum to 1.
    pub policy: Vec<(ActionIndex, f32)>,
    /// The result to expect, seen by the side to move.
    pub wdl: Wdl,
    /// Whether to learn from the left-right mirror image instead; only where the variant is
    /// mirror-symmetric.
    pub mirrored: bool,
}

/// Samples as tensors. `B` samples, `C` planes, `H` ranks, `W` files, `A` action indices.
#[derive(Debug)]
pub struct Batch {
    /// `[B, C, H, W]`, fp32.
    pub planes: Tensor,
    /// Target probabilities `[B, A]`, fp32, 0 for illegal actions; rows sum to 1.
    pub policy: Tensor,
    /// `[B, A]`, true for legal actions.
    pub legal: Tensor,
    /// Target probabilities of win, draw and loss `[B, 3]`, fp32.
    pub wdl: Tensor,
}

impl Batch {
    /// The batch of `samples`, all of `variant`, on `device`.
    ///
    /// # Errors
    /// If libtorch cannot place it there.
    pub fn new(
        variant: &'static Variant,
        samples: &[TrainingSample],
        device: Device,
    ) -> Result<Self, TchError> {
        let layout = variant.observation();
        let size = variant.size();
        let n_actions = variant.action_space().len();
        let row = layout.n_planes() * size.n_squares();
        let mut planes = vec![0.0; samples.len() * row];
        let mut policy = vec![0.0f32; samples.len() * n_actions];
        let mut legal = vec![0u8; samples.len() * n_actions];
        let mut wdl = Vec::with_capacity(samples.len() * 3);
        let mut actions = Vec::new();
        for (index, sample) in samples.iter().enumerate() {
            let out = &mut planes[index * row..][..row];
            layout.encode(&sample.position, sample.context, out);
            if sample.mirrored {
                out.chunks_exact_mut(usize::from(size.files())).for_each(<[f32]>::reverse);
            }
            let place = Places { variant, mirrored: sample.mirrored };
            let legal = &mut legal[index * n_actions..][..n_actions];
            sample.position.legal_actions(&mut actions);
            for &action in &actions {
                if let Actor::Player(mover) = sample.position.actor()
                    && let Some(at) = variant.action_space().index(action, mover)
                {
                    legal[place.of(at)] = 1;
                }
            }
            let policy = &mut policy[index * n_actions..][..n_actions];
            for &(at, probability) in &sample.policy {
                policy[place.of(at)] = probability;
            }
            wdl.extend([sample.wdl.win, sample.wdl.draw, sample.wdl.loss]);
        }
        let b = samples.len() as i64;
        let (c, h, w) =
            (layout.n_planes() as i64, i64::from(size.ranks()), i64::from(size.files()));
        let a = n_actions as i64;
        let place = |tensor: Tensor, shape: &[i64]| tensor.f_view(shape)?.f_to_device(device);
        Ok(Self {
            planes: place(Tensor::f_from_slice(&planes)?, &[b, c, h, w])?,
            policy: place(Tensor::f_from_slice(&policy)?, &[b, a])?,
            legal: place(Tensor::f_from_slice(&legal)?.f_to_kind(tch::Kind::Bool)?, &[b, a])?,
            wdl: place(Tensor::f_from_slice(&wdl)?, &[b, 3])?,
        })
    }
}

/// Where an action's column is.
struct Places {
    variant: &'static Variant,
    mirrored: bool,
}

impl Places {
    fn of(&self, index: ActionIndex) -> usize {
        let index = match self.variant.action_space().mirrored() {
            Some(table) if self.mirrored => table[usize::from(index.0)],
            _ => index,
        };
        usize::from(index.0)
    }
}
