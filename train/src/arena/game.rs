//! One game of a match.

use gryphon_env::{Action, Color, Game, Outcome};

/// Number of a game within its match, from 0. Games `2 p` and `2 p + 1` form pair `p`: the same
/// opening, with the first contestant as White, then as Black.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct GameNumber(pub u64);

/// One of the two players of a match.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Contestant {
    /// The one whose score the match measures.
    First,
    /// Its opponent.
    Second,
}

impl Contestant {
    /// The other one.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

impl GameNumber {
    /// The pair it belongs to.
    #[must_use]
    pub const fn pair(self) -> u64 {
        self.0 / 2
    }

    /// Who plays `color` in it.
    #[must_use]
    pub const fn contestant(self, color: Color) -> Contestant {
        match (self.0.is_multiple_of(2), color) {
            (true, Color::White) | (false, Color::Black) => Contestant::First,
            (true, Color::Black) | (false, Color::White) => Contestant::Second,
        }
    }

    /// The color of `contestant` in it.
    #[must_use]
    pub fn color(self, contestant: Contestant) -> Color {
        if self.contestant(Color::White) == contestant { Color::White } else { Color::Black }
    }
}

/// How a game of a match ended.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum End {
    /// By the rules.
    Rules(Outcome),
    /// By the ply cap; counted as a draw and reported apart.
    PlyCap,
}

impl End {
    /// The winner, if there is one.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Rules(outcome) => outcome.winner(),
            Self::PlyCap => None,
        }
    }
}

/// A finished game of a match.
#[derive(Clone, Debug)]
pub struct ArenaGame {
    /// Its number.
    pub number: GameNumber,
    /// The game, opening included.
    pub game: Game,
    /// Plies of the opening, which nobody chose.
    pub opening_plies: usize,
    /// How it ended.
    pub end: End,
}

impl ArenaGame {
    /// All actions, rolls included.
    #[must_use]
    pub fn actions(&self) -> &[Action] {
        self.game.actions()
    }

    /// Half points of the first contestant: 0, 1 or 2.
    #[must_use]
    pub fn half_points(&self) -> usize {
        match self.end.winner() {
            None => 1,
            Some(winner) if self.number.contestant(winner) == Contestant::First => 2,
            Some(_) => 0,
        }
    }
}
