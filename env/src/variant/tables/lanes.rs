//! Rays four at a time, laid out so that one vector instruction works on four of them.
//!
//! The squares that a ray reaches up to the first unit are a subtraction where the square indices
//! rise along it. Rays that fall are stored on the mirrored board, where they rise.

use wide::u64x4;

use crate::bits::Bits;

const N_LANES: usize = 4;

/// Up to four rays, word by word; unused ones are empty.
#[derive(Copy, Clone, Debug)]
pub(super) struct Lanes<const N: usize>([u64x4; N]);

impl<const N: usize> Lanes<N> {
    /// The rays in as many blocks as they need, at least `n_blocks`.
    pub(super) fn blocks(rays: &[Bits<N>], n_blocks: usize) -> Vec<Self> {
        let mut blocks = vec![[[0; N_LANES]; N]; n_blocks];
        for (number, ray) in rays.iter().enumerate() {
            for (index, word) in ray.words().into_iter().enumerate() {
                blocks[number / N_LANES][index][number % N_LANES] = word;
            }
        }
        blocks.into_iter().map(|block| Self(block.map(u64x4::from))).collect()
    }

    /// Number of blocks for so many rays.
    pub(super) const fn n_blocks(n_rays: usize) -> usize {
        n_rays.div_ceil(N_LANES)
    }

    /// All squares of the rays up to the first unit, the unit's included.
    #[inline(always)]
    pub(super) fn reached(&self, occupied: Bits<N>) -> Bits<N> {
        let mut res = [0; N];
        // What to add for subtracting one: only in the lowest word with a unit and in those below.
        let mut minus_one = u64x4::splat(u64::MAX);
        for (index, (&ray, occupied)) in self.0.iter().zip(occupied.words()).enumerate() {
            let units = ray & u64x4::splat(occupied);
            let up_to_first = units ^ (units + minus_one);
            res[index] = any_lane(ray & up_to_first);
            minus_one &= units.simd_eq(u64x4::ZERO);
        }
        Bits::from_words(res)
    }
}

/// All lanes in one.
#[inline(always)]
fn any_lane(lanes: u64x4) -> u64 {
    let [a, b, c, d] = lanes.to_array();
    (a | b) | (c | d)
}
