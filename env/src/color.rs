//! The two sides, and who acts next.

use std::fmt;
use std::ops::{Index, IndexMut};

/// One of the two sides.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub enum Color {
    /// Moves first; its pawns go up the board.
    White,
    /// Moves second; its pawns go down the board.
    Black,
}

impl Color {
    /// Both colors, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The other side.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// 0 for White, 1 for Black.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "white",
            Self::Black => "black",
        })
    }
}

/// Who acts next: a side, or the die.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum Actor {
    /// A side chooses among the legal actions.
    Player(Color),
    /// A chance event comes next; its outcomes carry probabilities.
    Chance,
}

/// A pair of values, one for each side.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq, Hash)]
pub struct ByColor<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    fn index(&self, color: Color) -> &T {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    fn index_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }
}
