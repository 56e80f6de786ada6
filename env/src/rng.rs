//! Named random streams: every random number of a run can be drawn again.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// The seed of a whole run.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub struct RunSeed(pub u64);

/// What a stream of random numbers is for. Distinct streams are independent.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum Stream {
    /// The initial weights of a network.
    Weights,
    /// Choice and order of training samples of one generation.
    Samples {
        /// The training cycle.
        generation: u32,
    },
    /// One self-play game.
    SelfPlay {
        /// The game's number within the run.
        game: u64,
    },
    /// One opening of an arena match.
    Opening {
        /// The pair's number.
        pair: u64,
    },
    /// One side's choices in an arena game.
    Arena {
        /// The game's number in the match.
        game: u64,
        /// 0 for the first contestant, 1 for the second, 2 for the die.
        contestant: u8,
    },
    /// Random play without further structure (tests, benchmarks), by number.
    Playout(u64),
    /// The die of one game of a batch.
    BatchDie {
        /// The game's number in the batch.
        game: u64,
    },
    /// The choices of a random policy for all games of a batch.
    BatchPolicy,
}

impl RunSeed {
    /// The generator of `stream`.
    #[must_use]
    pub fn stream(self, stream: Stream) -> ChaCha8Rng {
        let (tag, a, b) = match stream {
            Stream::Weights => (0u64, 0, 0),
            Stream::Samples { generation } => (1, u64::from(generation), 0),
            Stream::SelfPlay { game } => (2, game, 0),
            Stream::Opening { pair } => (3, pair, 0),
            Stream::Arena { game, contestant } => (4, game, u64::from(contestant)),
            Stream::Playout(number) => (5, number, 0),
            Stream::BatchDie { game } => (6, game, 0),
            Stream::BatchPolicy => (7, 0, 0),
        };
        let mut seed = [0; 32];
        for (chunk, word) in seed.chunks_exact_mut(8).zip([self.0, tag, a, b]) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        ChaCha8Rng::from_seed(seed)
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;

    #[test]
    fn streams_differ_and_repeat() {
        let seed = RunSeed(7);
        let streams = [
            Stream::Weights,
            Stream::Samples { generation: 0 },
            Stream::SelfPlay { game: 0 },
            Stream::SelfPlay { game: 1 },
            Stream::Opening { pair: 0 },
            Stream::Arena { game: 0, contestant: 0 },
            Stream::Arena { game: 0, contestant: 1 },
            Stream::Playout(0),
            Stream::BatchDie { game: 0 },
            Stream::BatchDie { game: 1 },
            Stream::BatchPolicy,
        ];
        let draws: Vec<u64> = streams.iter().map(|&s| seed.stream(s).next_u64()).collect();
        let again: Vec<u64> = streams.iter().map(|&s| seed.stream(s).next_u64()).collect();
        assert_eq!(draws, again);
        let mut unique = draws.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), draws.len());
    }
}
