//! Boards of up to 16×16 and their squares.

use std::fmt;

/// Width and height of a board, each from 1 to [`BoardSize::MAX_SIDE`].
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub struct BoardSize {
    files: u8,
    ranks: u8,
}

impl BoardSize {
    /// The largest number of files or ranks.
    pub const MAX_SIDE: u8 = 16;

    /// `None` unless both sides are in `1..=16`.
    #[must_use]
    pub const fn new(files: u8, ranks: u8) -> Option<Self> {
        if files == 0 || ranks == 0 || files > Self::MAX_SIDE || ranks > Self::MAX_SIDE {
            return None;
        }
        Some(Self { files, ranks })
    }

    /// Number of files (width).
    #[must_use]
    pub const fn files(self) -> u8 {
        self.files
    }

    /// Number of ranks (height).
    #[must_use]
    pub const fn ranks(self) -> u8 {
        self.ranks
    }

    /// Number of squares, at most 256.
    #[must_use]
    pub const fn n_squares(self) -> usize {
        self.files as usize * self.ranks as usize
    }

    /// All squares: a1, b1, …, then rank 2, and so on.
    pub fn squares(self) -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..self.n_squares() as u16).map(|index| Square(index as u8))
    }

    /// The square on `file` and `rank`, both counted from 0, if it is on the board.
    #[must_use]
    pub const fn square(self, file: File, rank: Rank) -> Option<Square> {
        if file.0 < self.files && rank.0 < self.ranks {
            Some(Square(rank.0 * self.files + file.0))
        } else {
            None
        }
    }

    /// The file of `square`.
    #[must_use]
    pub const fn file_of(self, square: Square) -> File {
        File(square.0 % self.files)
    }

    /// The rank of `square`.
    #[must_use]
    pub const fn rank_of(self, square: Square) -> Rank {
        Rank(square.0 / self.files)
    }

    /// The square at (`files` right, `ranks` up) from `square`, if it is on the board.
    #[must_use]
    pub fn offset(self, square: Square, files: i8, ranks: i8) -> Option<Square> {
        let file = self.file_of(square).0 as i8 + files;
        let rank = self.rank_of(square).0 as i8 + ranks;
        if file < 0 || rank < 0 {
            return None;
        }
        self.square(File(file as u8), Rank(rank as u8))
    }

    /// `square` seen from the other side of the board: the rank mirrored, the file kept.
    #[must_use]
    pub const fn flip_rank(self, square: Square) -> Square {
        let rank = self.ranks - 1 - square.0 / self.files;
        Square(rank * self.files + square.0 % self.files)
    }

    /// `square` mirrored left to right: the file mirrored, the rank kept.
    #[must_use]
    pub const fn flip_file(self, square: Square) -> Square {
        let file = self.files - 1 - square.0 % self.files;
        Square(square.0 / self.files * self.files + file)
    }

    /// The text form of `square`: file letter and rank number, as in `l12`.
    #[must_use]
    pub fn square_name(self, square: Square) -> String {
        format!("{}{}", self.file_of(square), self.rank_of(square))
    }

    /// The square that `text` names, if it is on the board.
    #[must_use]
    pub fn parse_square(self, text: &str) -> Option<Square> {
        let (file, rank) = text.split_at_checked(1)?;
        let file = file.bytes().next()?.checked_sub(b'a')?;
        if rank.starts_with(['0', '+']) {
            return None;
        }
        let rank = rank.parse::<u8>().ok()?.checked_sub(1)?;
        self.square(File(file), Rank(rank))
    }
}

/// A file (column), counted from 0: the a-file.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct File(pub u8);

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", (b'a' + self.0) as char)
    }
}

/// A rank (row), counted from 0: White's first rank, written `1`.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct Rank(pub u8);

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// A square of some [`BoardSize`]: the dense index `rank * files + file`, a1 being 0.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
#[repr(transparent)]
pub struct Square(pub(crate) u8);

impl Square {
    /// The square of the same bit seen from the other end of `N` words.
    #[inline]
    pub(crate) const fn mirrored<const N: usize>(self) -> Self {
        Self((N * 64 - 1) as u8 - self.0)
    }

    /// `None` if `index` lies outside a board of `size`.
    #[must_use]
    pub const fn new(index: usize, size: BoardSize) -> Option<Self> {
        if index < size.n_squares() { Some(Self(index as u8)) } else { None }
    }

    /// The dense index, `rank * files + file`.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
