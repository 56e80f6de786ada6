//! Cutting what belongs to the games of a batch into what belongs to two halves.

/// One item, or one row of items, for each game.
pub trait Divide: Sized {
    /// What belongs to the first `n_games` games, and the rest.
    fn divide(self, n_games: usize) -> (Self, Self);
}

impl<T> Divide for &[T] {
    fn divide(self, n_games: usize) -> (Self, Self) {
        self.split_at(n_games)
    }
}

impl<T> Divide for &mut [T] {
    fn divide(self, n_games: usize) -> (Self, Self) {
        self.split_at_mut(n_games)
    }
}

impl<A: Divide, B: Divide> Divide for (A, B) {
    fn divide(self, n_games: usize) -> (Self, Self) {
        let (a, b) = self;
        let ((a, a_rest), (b, b_rest)) = (a.divide(n_games), b.divide(n_games));
        ((a, b), (a_rest, b_rest))
    }
}

/// One row of `len` items for each game.
#[derive(Debug)]
pub(super) struct Table<'a, T> {
    items: &'a mut [T],
    len: usize,
}

impl<'a, T> Table<'a, T> {
    pub(super) fn new(items: &'a mut [T], n_games: usize) -> Self {
        let len = items.len() / n_games;
        Self { items, len }
    }

    #[inline]
    pub(super) fn row(&mut self, game: usize) -> &mut [T] {
        &mut self.items[game * self.len..][..self.len]
    }
}

impl<T> Divide for Table<'_, T> {
    fn divide(self, n_games: usize) -> (Self, Self) {
        let (items, rest) = self.items.split_at_mut(n_games * self.len);
        (Self { items, len: self.len }, Self { items: rest, len: self.len })
    }
}
