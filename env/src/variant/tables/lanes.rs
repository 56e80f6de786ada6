//! Rays four at a time, laid out so that one vector instruction works on four of them.
//!
//! The squares that a ray reaches up to the first unit are a subtraction where the square indices
//! rise along it. Rays that fall are stored on the mirrored board, where they rise.

use std::array::from_fn;

use wide::u64x4;

use crate::bits::Bits;

const N_LANES: usize = 4;

/// Up to four rays, word by word; unused ones are empty.
#[derive(Copy, Clone, Debug)]
pub(super) struct Lanes<const N: usize>([u64x4; N]);

impl<const N: usize> Lanes<N> {
    /// The rays of every square, and how many blocks each square has: as many as the rays of the
    /// square with most need.
    pub(super) fn table(rays: Vec<Vec<Bits<N>>>) -> (usize, Vec<Self>) {
        let n_rays = rays.iter().map(Vec::len).max().unwrap_or(0);
        let n_blocks = n_rays.div_ceil(N_LANES);
        let blocks = rays.into_iter().flat_map(|rays| {
            (0..n_blocks).map(move |block| {
                let lane = |number: usize| rays.get(number).copied().unwrap_or(Bits::EMPTY);
                let lanes: [Bits<N>; N_LANES] = from_fn(|index| lane(block * N_LANES + index));
                Self(from_fn(|word| u64x4::from(lanes.map(|ray| ray.words()[word]))))
            })
        });
        (n_blocks, blocks.collect())
    }

    /// All squares of the rays up to the first unit, the unit's included.
    #[inline(always)]
    pub(super) fn reached(&self, occupied: Bits<N>) -> Bits<N> {
        let mut res = [0; N];
        let mut minus_one = MINUS_ONE;
        for (index, (&ray, occupied)) in self.0.iter().zip(occupied.words()).enumerate() {
            let units = ray & u64x4::splat(occupied);
            let up_to_first = units ^ (units + minus_one);
            res[index] = any_lane(ray & up_to_first);
            minus_one &= units.simd_eq(u64x4::ZERO);
        }
        Bits::from_words(res)
    }

    /// All squares of the rays behind the first unit up to the second, the second's included.
    #[inline(always)]
    pub(super) fn hopped(&self, occupied: Bits<N>) -> Bits<N> {
        let mut res = [0; N];
        let (mut first, mut second) = (MINUS_ONE, MINUS_ONE);
        for (index, (&ray, occupied)) in self.0.iter().zip(occupied.words()).enumerate() {
            let units = ray & u64x4::splat(occupied);
            let up_to_first = units ^ (units + first);
            let others = units & !up_to_first;
            let up_to_second = others ^ (others + second);
            res[index] = any_lane(ray & up_to_second & !up_to_first);
            first &= units.simd_eq(u64x4::ZERO);
            second &= others.simd_eq(u64x4::ZERO);
        }
        Bits::from_words(res)
    }
}

/// What to add for subtracting one in the words with a lowest unit and those below it.
const MINUS_ONE: u64x4 = u64x4::splat(u64::MAX);

/// All lanes in one.
#[inline(always)]
fn any_lane(lanes: u64x4) -> u64 {
    let [a, b, c, d] = lanes.to_array();
    (a | b) | (c | d)
}
