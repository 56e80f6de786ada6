//! Random numbers that hash positions.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::spec::MAX_KINDS;
use crate::Square;

/// Seed of all hash keys. Keys of equal positions are equal in every run of one build.
const SEED: u64 = 0x6772_7970_686f_6e00;

/// The hash keys of a variant.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    n_squares: usize,
    units: Vec<u64>,
    en_passant: Vec<u64>,
    moved: Vec<u64>,
    rights: Vec<u64>,
    pub(crate) black: u64,
    pub(crate) setup: u64,
    faces: Vec<u64>,
    turns: Vec<u64>,
}

impl Keys {
    pub(crate) fn new(n_squares: usize) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(SEED);
        let mut draw = |n: usize| -> Vec<u64> { (0..n).map(|_| random.next_u64()).collect() };
        let rights = draw(8);
        let rights = (0..256usize)
            .map(|set| {
                rights
                    .iter()
                    .enumerate()
                    .filter(|(bit, _)| set >> bit & 1 != 0)
                    .fold(0, |key, (_, one)| key ^ one)
            })
            .collect();
        let special = draw(2);
        Self {
            n_squares,
            rights,
            black: special[0],
            setup: special[1],
            faces: draw(MAX_KINDS + 1),
            turns: draw(256),
            en_passant: draw(n_squares),
            moved: draw(n_squares),
            units: draw(2 * MAX_KINDS * n_squares),
        }
    }

    /// The key of a unit; `code` numbers kind and color from 0.
    #[inline]
    pub(crate) fn unit(&self, code: usize, square: Square) -> u64 {
        self.units[code * self.n_squares + square.index()]
    }

    #[inline]
    pub(crate) fn en_passant(&self, square: Square) -> u64 {
        self.en_passant[square.index()]
    }

    #[inline]
    pub(crate) fn moved(&self, square: Square) -> u64 {
        self.moved[square.index()]
    }

    #[inline]
    pub(crate) fn rights(&self, set: u8) -> u64 {
        self.rights[usize::from(set)]
    }

    /// The key of a rolled face, from 1; 0 before the roll.
    #[inline]
    pub(crate) fn face(&self, face: u8) -> u64 {
        self.faces[usize::from(face)]
    }

    /// The key of an opening turn that may have several moves.
    #[inline]
    pub(crate) fn turn(&self, number: u16) -> u64 {
        self.turns[usize::from(number) & 255]
    }
}
