//! How a game ends.

use std::fmt;

use crate::Color;

/// A finished game's result, with its reason.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum Outcome {
    /// One side won.
    Decisive {
        /// Who won.
        winner: Color,
        /// Why.
        reason: WinReason,
    },
    /// Nobody won.
    Draw {
        /// Why.
        reason: DrawReason,
    },
}

/// Why a side won.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum WinReason {
    /// The loser is in check and has no legal action.
    Checkmate,
    /// The loser has no legal action, where the variant counts that as a loss.
    Stalemate,
    /// The loser has nothing but its king, where the variant counts that as a loss.
    BareKing,
}

/// Why a game was drawn.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum DrawReason {
    /// No legal action, and not in check.
    Stalemate,
    /// The same position for the third time.
    Repetition,
    /// The halfmove clock ran out.
    Clock,
    /// Only kings are left.
    OnlyKings,
    /// Neither side can mate (orthodox chess).
    InsufficientMaterial,
}

impl Outcome {
    /// The winner, if there is one.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Decisive { winner, .. } => Some(winner),
            Self::Draw { .. } => None,
        }
    }
}

impl fmt::Display for Outcome {
    /// `white:checkmate`, `draw:stalemate`, …
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decisive { winner, reason } => write!(f, "{winner}:{reason}"),
            Self::Draw { reason } => write!(f, "draw:{reason}"),
        }
    }
}

impl fmt::Display for WinReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::BareKing => "bare king",
        })
    }
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stalemate => "stalemate",
            Self::Repetition => "repetition",
            Self::Clock => "clock",
            Self::OnlyKings => "only kings",
            Self::InsufficientMaterial => "insufficient material",
        })
    }
}
