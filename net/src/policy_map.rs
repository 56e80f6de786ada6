//! Where the policy head's answer for each action index lies.

use gryphon_env::{ActionIndex, ActionParts, ActionSpace, PieceKind};

/// The parts of one action index, with promotion kinds numbered densely.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) enum PolicySlot {
    Move { from: u8, to: u8, promotion: Option<u8> },
    Swap { first: u8, second: u8 },
    End,
}

/// All action indices of a variant, as the policy head computes them.
///
/// A move's logit is the attention of its two squares, plus its promotion kind's logit at the
/// destination; a swap's is the attention of its squares plus one logit for swapping at all; the
/// end of a turn has a logit of its own. So no parameter belongs to a single action.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct PolicyMap {
    slots: Vec<PolicySlot>,
    n_promotions: usize,
}

impl PolicyMap {
    pub(crate) fn new(space: &ActionSpace) -> Self {
        Self::from_parts(space.parts())
    }

    pub(crate) fn from_parts(parts: &[ActionParts]) -> Self {
        let mut kinds: Vec<PieceKind> = parts
            .iter()
            .filter_map(|part| match part {
                ActionParts::Move { promotion, .. } => *promotion,
                ActionParts::Swap { .. } | ActionParts::End => None,
            })
            .collect();
        kinds.sort_unstable();
        kinds.dedup();
        let dense = |kind: PieceKind| kinds.partition_point(|&other| other < kind) as u8;
        let slot = |part: &ActionParts| match *part {
            ActionParts::Move { from, to, promotion } => PolicySlot::Move {
                from: from.index() as u8,
                to: to.index() as u8,
                promotion: promotion.map(dense),
            },
            ActionParts::Swap { first, second } => {
                PolicySlot::Swap { first: first.index() as u8, second: second.index() as u8 }
            }
            ActionParts::End => PolicySlot::End,
        };
        Self { slots: parts.iter().map(slot).collect(), n_promotions: kinds.len() }
    }

    /// Number of action indices.
    pub(crate) const fn len(&self) -> usize {
        self.slots.len()
    }

    /// The parts of `index`.
    pub(crate) fn slot(&self, index: ActionIndex) -> Option<PolicySlot> {
        self.slots.get(usize::from(index.0)).copied()
    }

    /// Number of kinds that some player can choose for a promotion.
    pub(crate) const fn n_promotions(&self) -> usize {
        self.n_promotions
    }

    /// Hash of the order and meaning of the indices.
    pub(crate) fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for slot in &self.slots {
            hasher.update(&match *slot {
                PolicySlot::Move { from, to, promotion: None } => [0, from, to, 0],
                PolicySlot::Move { from, to, promotion: Some(kind) } => [1, from, to, kind],
                PolicySlot::Swap { first, second } => [2, first, second, 0],
                PolicySlot::End => [3, 0, 0, 0],
            });
        }
        hasher.finalize().to_hex().to_string()
    }

    /// For every action index the two places whose sum is its logit, in a row of
    /// `n_squares²` attention logits by from and to, `n_promotions * n_squares` promotion logits by
    /// kind and destination, then the logits of swap and end, then a zero.
    pub(crate) fn places(&self, n_squares: usize) -> (Vec<i64>, Vec<i64>) {
        let table = |from: u8, to: u8| usize::from(from) * n_squares + usize::from(to);
        let promotions = n_squares * n_squares;
        let swap = promotions + self.n_promotions * n_squares;
        let (end, zero) = (swap + 1, swap + 2);
        let place = |slot: &PolicySlot| {
            let (base, offset) = match *slot {
                PolicySlot::Move { from, to, promotion: None } => (table(from, to), zero),
                PolicySlot::Move { from, to, promotion: Some(kind) } => {
                    let offset = promotions + usize::from(kind) * n_squares + usize::from(to);
                    (table(from, to), offset)
                }
                PolicySlot::Swap { first, second } => (table(first, second), swap),
                PolicySlot::End => (end, zero),
            };
            (base as i64, offset as i64)
        };
        self.slots.iter().map(place).unzip()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use gryphon_env::Variant;

    use super::*;

    #[test]
    fn the_policy_head_can_tell_all_actions_of_every_variant_apart() {
        for name in Variant::names() {
            let variant = Variant::named(name).unwrap();
            let map = PolicyMap::new(variant.action_space());
            let n_squares = variant.size().n_squares();
            let width = (n_squares + map.n_promotions()) * n_squares + 3;
            let (base, offset) = map.places(n_squares);
            assert_eq!(base.len(), variant.action_space().len(), "{name}");
            let pairs: HashSet<(i64, i64)> = base.into_iter().zip(offset).collect();
            assert_eq!(pairs.len(), map.len(), "{name}: two actions share a logit");
            assert!(pairs.iter().all(|&(a, b)| a.max(b) < width as i64), "{name}");
        }
    }

    #[test]
    fn the_hash_follows_order_and_meaning() {
        let hash = |parts: &[ActionParts]| PolicyMap::from_parts(parts).hash();
        let variant = Variant::named("grant-acedrex").unwrap();
        let parts = variant.action_space().parts();
        let mut swapped = parts.to_vec();
        swapped.swap(0, 1);
        assert_eq!(hash(parts), hash(parts));
        assert_ne!(hash(parts), hash(&swapped));
        assert_ne!(hash(parts), hash(&parts[1..]));
    }
}
