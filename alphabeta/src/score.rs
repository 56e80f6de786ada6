//! Scores, always seen by the side whose turn it is.

use std::fmt;

/// What a position is worth to the side to move, in hundredths of a pawn, or a forced mate.
///
/// Range: forced results lie beyond ±[`Score::EVALUATION_LIMIT`], the faster the further.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd)]
pub struct Score(i32);

/// Actions between a node and the root of its search.
pub(crate) type Ply = usize;

/// The deepest ply a search visits.
pub(crate) const MAX_PLY: Ply = 120;

const MATE: i32 = 32_000;

impl Score {
    /// A drawn position.
    pub const DRAW: Self = Self(0);
    /// Better than every score.
    pub const INFINITE: Self = Self(MATE + 1);
    /// The largest score that an evaluation gives, in hundredths of a pawn.
    pub const EVALUATION_LIMIT: i32 = 25_000;

    /// An evaluation, in hundredths of a pawn, clamped to ±[`Score::EVALUATION_LIMIT`].
    #[must_use]
    pub const fn centipawns(value: i32) -> Self {
        let limit = Self::EVALUATION_LIMIT;
        Self(if value > limit {
            limit
        } else if value < -limit {
            -limit
        } else {
            value
        })
    }

    /// The side to move wins after `plies` more actions.
    #[must_use]
    pub const fn mate_in(plies: usize) -> Self {
        Self(MATE - plies as i32)
    }

    /// The side to move has lost after `plies` more actions.
    #[must_use]
    pub const fn mated_in(plies: usize) -> Self {
        Self(plies as i32 - MATE)
    }

    /// The same score seen by the other side.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self(-self.0)
    }

    /// The number, in hundredths of a pawn; forced results are beyond the evaluation limit.
    #[must_use]
    pub const fn get(self) -> i32 {
        self.0
    }

    /// Actions until the forced win, if this is one.
    #[must_use]
    pub const fn plies_to_win(self) -> Option<u32> {
        if self.0 > Self::EVALUATION_LIMIT && self.0 <= MATE {
            Some((MATE - self.0) as u32)
        } else {
            None
        }
    }

    /// Actions until the forced loss, if this is one.
    #[must_use]
    pub const fn plies_to_loss(self) -> Option<u32> {
        self.flipped().plies_to_win()
    }

    /// Whether the score is a forced result.
    #[must_use]
    pub const fn is_forced(self) -> bool {
        self.0.abs() > Self::EVALUATION_LIMIT
    }

    /// The smallest score above this one.
    pub(crate) const fn next_up(self) -> Self {
        Self(self.0 + 1)
    }

    /// The score moved by `delta` hundredths of a pawn, kept within ±[`Score::INFINITE`].
    pub(crate) const fn shifted(self, delta: i32) -> Self {
        let moved = self.0.saturating_add(delta);
        let limit = Self::INFINITE.0;
        Self(if moved > limit {
            limit
        } else if moved < -limit {
            -limit
        } else {
            moved
        })
    }

    /// The score as the table keeps it: forced results counted from the node, not from the root.
    pub(crate) const fn to_table(self, ply: Ply) -> i16 {
        let value = if self.0 > Self::EVALUATION_LIMIT {
            self.0 + ply as i32
        } else if self.0 < -Self::EVALUATION_LIMIT {
            self.0 - ply as i32
        } else {
            self.0
        };
        value as i16
    }

    /// Undoes [`Score::to_table`] for a node at `ply`.
    pub(crate) const fn from_table(value: i16, ply: Ply) -> Self {
        let value = value as i32;
        Self(if value > Self::EVALUATION_LIMIT {
            value - ply as i32
        } else if value < -Self::EVALUATION_LIMIT {
            value + ply as i32
        } else {
            value
        })
    }
}

impl fmt::Display for Score {
    /// `+0.35`, `-1.20`, `#3` (wins in three actions), `#-2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.plies_to_win(), self.plies_to_loss()) {
            (Some(plies), _) => write!(f, "#{plies}"),
            (_, Some(plies)) => write!(f, "#-{plies}"),
            (None, None) => write!(f, "{:+.2}", f64::from(self.0) / 100.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faster_wins_and_slower_losses_are_better() {
        let ordered = [
            Score::mated_in(0),
            Score::mated_in(5),
            Score::centipawns(-i32::MAX),
            Score::DRAW,
            Score::centipawns(i32::MAX),
            Score::mate_in(MAX_PLY),
            Score::mate_in(1),
            Score::INFINITE,
        ];
        assert!(ordered.is_sorted_by(|a, b| a < b), "{ordered:?}");
        assert_eq!(Score::mate_in(3).flipped(), Score::mated_in(3));
    }

    #[test]
    fn forced_results_are_told_apart() {
        assert_eq!(Score::mate_in(3).plies_to_win(), Some(3));
        assert_eq!(Score::mated_in(4).plies_to_loss(), Some(4));
        assert_eq!(Score::centipawns(90_000).plies_to_win(), None);
        assert_eq!(Score::INFINITE.plies_to_win(), None);
        assert!(!Score::centipawns(-90_000).is_forced());
    }

    #[test]
    fn the_table_counts_mates_from_the_node() {
        for score in [Score::mate_in(9), Score::mated_in(8), Score::centipawns(-41)] {
            assert_eq!(Score::from_table(score.to_table(6), 6), score);
        }
        assert_eq!(Score::from_table(Score::mate_in(9).to_table(6), 2), Score::mate_in(5));
    }

    #[test]
    fn scores_read_well() {
        let texts = [Score::centipawns(35), Score::mate_in(3), Score::mated_in(2)]
            .map(|score| score.to_string());
        assert_eq!(texts, ["+0.35", "#3", "#-2"]);
    }
}
