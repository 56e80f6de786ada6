//! What becomes of legal actions as they are found: listed, counted, looked up or just noticed.

use crate::action_space::MoveRow;
use crate::bits::Bits;
use crate::{Action, ActionIndex, ActionKind, ActionSpace, Color, Square};

/// Takes the legal actions as they are found.
pub(crate) trait Sink<const N: usize> {
    /// Moves without promotion.
    fn moves(&mut self, from: Square, targets: Bits<N>);
    /// Moves without promotion to `targets` of the mirrored board (see [`Bits::mirrored`]).
    fn mirrored_moves(&mut self, from: Square, targets: Bits<N>);
    /// Moves without promotion to `targets`, each from the square whose index is lower by `delta`.
    fn steps(&mut self, delta: i8, targets: Bits<N>);
    /// Any single action.
    fn action(&mut self, action: Action);
    /// Whether no more actions are wanted.
    fn is_full(&self) -> bool {
        false
    }
}

/// Collects actions.
impl<const N: usize> Sink<N> for Vec<Action> {
    #[inline]
    fn moves(&mut self, from: Square, targets: Bits<N>) {
        targets.list(self, |to| Action::new_move(from, to));
    }

    #[inline]
    fn mirrored_moves(&mut self, from: Square, targets: Bits<N>) {
        targets.list(self, |to| Action::new_move(from, to.mirrored::<N>()));
    }

    #[inline]
    fn steps(&mut self, delta: i8, targets: Bits<N>) {
        targets.list(self, |to| Action::new_move(origin(to, delta), to));
    }

    #[inline]
    fn action(&mut self, action: Action) {
        self.push(action);
    }
}

/// A sink that knows whether it got anything.
pub(crate) trait Collection<const N: usize>: Sink<N> {
    fn is_empty(&self) -> bool;
}

impl<const N: usize> Collection<N> for Vec<Action> {
    #[inline]
    fn is_empty(&self) -> bool {
        self.is_empty()
    }
}

/// Collects the indices of actions.
#[derive(Debug)]
pub(crate) struct Indices<'a> {
    space: &'a ActionSpace,
    mover: Color,
    rows: &'a [MoveRow],
    list: &'a mut Vec<ActionIndex>,
}

impl<'a> Indices<'a> {
    /// Appends to `list`.
    pub(crate) fn new(
        space: &'a ActionSpace,
        mover: Color,
        list: &'a mut Vec<ActionIndex>,
    ) -> Self {
        Self { space, mover, rows: space.move_rows(mover), list }
    }
}

impl<const N: usize> Sink<N> for Indices<'_> {
    #[inline]
    fn moves(&mut self, from: Square, targets: Bits<N>) {
        let row = &self.rows[from.index()];
        targets.list(self.list, |to| ActionIndex(row[to.index()]));
    }

    #[inline]
    fn mirrored_moves(&mut self, from: Square, targets: Bits<N>) {
        let row = &self.rows[from.index()];
        targets.list(self.list, |to| ActionIndex(row[to.mirrored::<N>().index()]));
    }

    #[inline]
    fn steps(&mut self, delta: i8, targets: Bits<N>) {
        let rows = self.rows;
        targets.for_each(|to| {
            self.list.push(ActionIndex(rows[origin(to, delta).index()][to.index()]));
        });
    }

    #[inline]
    fn action(&mut self, action: Action) {
        let index = self.space.index(action, self.mover);
        self.list.push(index.expect("legal actions have an index"));
    }
}

impl<const N: usize> Collection<N> for Indices<'_> {
    #[inline]
    fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// Counts actions.
#[derive(Debug, Default)]
pub(crate) struct Count(pub(crate) u64);

impl<const N: usize> Sink<N> for Count {
    #[inline]
    fn moves(&mut self, _: Square, targets: Bits<N>) {
        self.0 += u64::from(targets.len());
    }

    #[inline]
    fn mirrored_moves(&mut self, _: Square, targets: Bits<N>) {
        self.0 += u64::from(targets.len());
    }

    #[inline]
    fn steps(&mut self, _: i8, targets: Bits<N>) {
        self.0 += u64::from(targets.len());
    }

    #[inline]
    fn action(&mut self, _: Action) {
        self.0 += 1;
    }
}

/// Asks whether there is any action.
#[derive(Debug, Default)]
pub(crate) struct Any(pub(crate) bool);

impl<const N: usize> Sink<N> for Any {
    #[inline]
    fn moves(&mut self, _: Square, targets: Bits<N>) {
        self.0 |= targets.any();
    }

    #[inline]
    fn mirrored_moves(&mut self, _: Square, targets: Bits<N>) {
        self.0 |= targets.any();
    }

    #[inline]
    fn steps(&mut self, _: i8, targets: Bits<N>) {
        self.0 |= targets.any();
    }

    #[inline]
    fn action(&mut self, _: Action) {
        self.0 = true;
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.0
    }
}

/// Asks whether one action is among them.
#[derive(Debug)]
pub(crate) struct Find {
    wanted: Action,
    pub(crate) is_found: bool,
}

impl Find {
    pub(crate) const fn new(wanted: Action) -> Self {
        Self { wanted, is_found: false }
    }

    /// Source and goal of the wanted action, if it is a move without promotion.
    #[inline]
    fn plain_move(&self) -> Option<(Square, Square)> {
        match self.wanted.kind() {
            ActionKind::Move { from, to, promotion: None } => Some((from, to)),
            _ => None,
        }
    }
}

impl<const N: usize> Sink<N> for Find {
    #[inline]
    fn moves(&mut self, from: Square, targets: Bits<N>) {
        self.is_found |=
            self.plain_move().is_some_and(|(start, to)| start == from && targets.contains(to));
    }

    #[inline]
    fn mirrored_moves(&mut self, from: Square, targets: Bits<N>) {
        Sink::<N>::moves(self, from, targets.mirrored());
    }

    #[inline]
    fn steps(&mut self, delta: i8, targets: Bits<N>) {
        self.is_found |= self
            .plain_move()
            .is_some_and(|(from, to)| targets.contains(to) && origin(to, delta) == from);
    }

    #[inline]
    fn action(&mut self, action: Action) {
        self.is_found |= action == self.wanted;
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.is_found
    }
}

/// Where a step that raises the index by `delta` comes from.
pub(super) const fn origin(to: Square, delta: i8) -> Square {
    Square(to.0.wrapping_sub(delta as u8))
}
