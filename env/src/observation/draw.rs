//! What the planes of a position show.

use super::ObservationContext;
use super::canvas::Canvas;
use super::layout::ObservationLayout;
use crate::bits::Bits;
use crate::position::core::with_core;
use crate::position::state::State;
use crate::variant::Rules;
use crate::{ActionKind, Color, Position, Square};

impl ObservationLayout {
    /// Draws the observation of `position` on an empty canvas.
    #[inline]
    pub(crate) fn draw(
        &self,
        position: &Position,
        context: ObservationContext,
        canvas: &mut impl Canvas,
    ) {
        self.draw_seen_by(position.side_to_move(), position, context, canvas);
    }

    /// Draws what `viewer` sees of `position` on an empty canvas.
    #[inline]
    pub(super) fn draw_seen_by(
        &self,
        viewer: Color,
        position: &Position,
        context: ObservationContext,
        canvas: &mut impl Canvas,
    ) {
        let mut brush = Brush { canvas, seen: &self.seen_by[viewer] };
        with_core!(position.core(), (rules, state) => {
            self.draw_units(state, viewer, &mut brush);
            self.draw_turn(rules, state, viewer, &mut brush);
            if let Some(plane) = self.clock {
                brush.count(plane, u32::from(state.halfmove));
            }
        });
        self.draw_past(context, &mut brush);
    }

    #[inline]
    fn draw_units<const N: usize, const K: usize>(
        &self,
        state: &State<N, K>,
        viewer: Color,
        brush: &mut Brush<'_, impl Canvas>,
    ) {
        let sides = [viewer, viewer.opponent()];
        for (side, color) in sides.into_iter().enumerate() {
            let first = side * self.n_kinds;
            let plane =
                |square| state.piece_at(square).map_or(first, |(kind, _)| first + kind.index());
            let seen = brush.seen;
            let place = |square: Square| (plane(square), usize::from(seen[square.index()]));
            brush.canvas.mark_each(state.colors[color.index()], place);
        }
        for &(kind, own) in &self.limits {
            for (side, color) in sides.into_iter().enumerate() {
                brush.count(own + side, state.count(color, kind));
            }
        }
    }

    #[inline]
    fn draw_turn<const N: usize, const K: usize>(
        &self,
        rules: &Rules<N, K>,
        state: &State<N, K>,
        viewer: Color,
        brush: &mut Brush<'_, impl Canvas>,
    ) {
        if let Some(own) = self.rights {
            for (bit, right) in rules.rights.iter().enumerate() {
                if state.rights >> bit & 1 != 0 {
                    brush.mark(own + usize::from(right.color != viewer), right.square);
                }
            }
        }
        if let Some(plane) = self.en_passant {
            brush.mark_all(plane, state.en_passant | state.own_en_passant);
        }
        if let Some(plane) = self.moved {
            brush.mark_all(plane, state.moved);
        }
        if let Some(turns) = self.turns {
            let n_left = (turns.n_turns + 1).saturating_sub(state.fullmove);
            let (n_left, n_moved) =
                if state.is_setup { (0, 0) } else { (u32::from(n_left), state.moved.len()) };
            brush.count(turns.first, n_left);
            brush.count(turns.first + 1, n_moved);
        }
        if let Some(plane) = self.set_up {
            brush.count(plane, u32::from(state.is_setup));
        }
        if let Some(first) = self.die {
            for face in 0..rules.faces.len() {
                brush.count(first + face, u32::from(usize::from(state.face) == face + 1));
            }
        }
    }

    #[inline]
    fn draw_past(&self, context: ObservationContext, brush: &mut Brush<'_, impl Canvas>) {
        for n in [1, 2] {
            let is_repeated = context.repetitions.0 >= n;
            brush.count(self.repeated + usize::from(n) - 1, u32::from(is_repeated));
        }
        match context.last_action.map(crate::Action::kind) {
            Some(
                ActionKind::Move { from, to, .. } | ActionKind::Swap { first: from, second: to },
            ) => {
                brush.mark(self.last_action, from);
                brush.mark(self.last_action + 1, to);
            }
            Some(ActionKind::End | ActionKind::Roll(_)) | None => {}
        }
    }
}

/// Draws on a canvas what stands on the real board.
struct Brush<'a, C> {
    canvas: &'a mut C,
    /// For every square its index on the viewer's board.
    seen: &'a [u8],
}

impl<C: Canvas> Brush<'_, C> {
    #[inline]
    fn mark(&mut self, plane: usize, square: Square) {
        self.canvas.mark(plane, usize::from(self.seen[square.index()]));
    }

    #[inline]
    fn mark_all<const N: usize>(&mut self, plane: usize, squares: Bits<N>) {
        squares.for_each(|square| self.mark(plane, square));
    }

    #[inline]
    fn count(&mut self, plane: usize, count: u32) {
        self.canvas.set_count(plane, count);
    }
}
