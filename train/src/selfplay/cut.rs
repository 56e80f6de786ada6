//! What a game is worth that the ply cap cut.

use gryphon_alphabeta::PieceWorth;
use gryphon_env::{Color, Position, Variant};
use gryphon_mcts::ValueWhite;

use crate::config::CapValue;

/// Advantage, in hundredths of a pawn, at which a cut game is worth `tanh(1)`, about 0.76.
const SCALE: f32 = 600.0;

/// The rule by which cut games are valued. Never a decisive result.
#[derive(Clone, Debug)]
pub enum CutRule {
    /// A draw.
    Draw,
    /// The balance of material, squashed into `(-1, 1)`.
    Material(PieceWorth),
}

impl CutRule {
    /// The rule that the config names, for games of `variant`.
    #[must_use]
    pub fn new(choice: CapValue, variant: &'static Variant) -> Self {
        match choice {
            CapValue::Draw => Self::Draw,
            CapValue::Material => Self::Material(PieceWorth::measure(variant)),
        }
    }

    /// What a game cut at `position` is worth.
    #[must_use]
    pub fn value(&self, position: &Position) -> ValueWhite {
        match self {
            Self::Draw => ValueWhite::DRAW,
            Self::Material(worth) => {
                let side = |color: Color| -> i32 {
                    let units = |kind| position.count(color, kind) as i32 * worth.of(kind);
                    position.variant().kinds().map(units).sum()
                };
                let balance = side(Color::White) - side(Color::Black);
                ValueWhite::new((balance as f32 / SCALE).tanh())
            }
        }
    }
}
