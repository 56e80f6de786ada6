//! Writing the planes of a position.

use super::ObservationContext;
use super::layout::ObservationLayout;
use crate::bits::Bits;
use crate::position::core::with_core;
use crate::position::state::State;
use crate::variant::Rules;
use crate::{ActionKind, Color, Position, Square};

impl ObservationLayout {
    /// Writes the observation of `position` into `out`, `[C, H, W]` row-major, values in `[0, 1]`.
    ///
    /// # Panics
    /// If `out.len()` is not `C * H * W`.
    pub fn encode(&self, position: &Position, context: ObservationContext, out: &mut [f32]) {
        let n_squares = self.size.n_squares();
        let expected = self.n_planes() * n_squares;
        assert_eq!(out.len(), expected, "an observation of this variant has {expected} numbers");
        out.fill(0.0);
        let mover = position.side_to_move();
        let mut canvas = Canvas { out, n_squares, seen: &self.seen_by[mover] };
        with_core!(position.core(), (rules, state) => {
            self.draw_units(state, mover, &mut canvas);
            self.draw_turn(rules, state, mover, &mut canvas);
        });
        self.draw_past(position, context, &mut canvas);
    }

    fn draw_units<const N: usize, const K: usize>(
        &self,
        state: &State<N, K>,
        mover: Color,
        canvas: &mut Canvas<'_>,
    ) {
        let sides = [mover, mover.opponent()];
        for (side, color) in sides.into_iter().enumerate() {
            for kind in 0..self.n_kinds {
                let units = state.kinds[kind] & state.colors[color.index()];
                canvas.mark_all(side * self.n_kinds + kind, units);
            }
        }
        for &(kind, limit, own) in &self.limits {
            for (side, color) in sides.into_iter().enumerate() {
                let count = state.count(color, kind);
                canvas.fill(own + side, share(count, u32::from(limit)));
            }
        }
    }

    fn draw_turn<const N: usize, const K: usize>(
        &self,
        rules: &Rules<N, K>,
        state: &State<N, K>,
        mover: Color,
        canvas: &mut Canvas<'_>,
    ) {
        if let Some(own) = self.rights {
            for (bit, right) in rules.rights.iter().enumerate() {
                if state.rights >> bit & 1 != 0 {
                    canvas.mark(own + usize::from(right.color != mover), right.square);
                }
            }
        }
        if let Some(plane) = self.en_passant {
            canvas.mark_all(plane, state.en_passant | state.own_en_passant);
        }
        if let Some(plane) = self.moved {
            canvas.mark_all(plane, state.moved);
        }
        if let Some(turns) = self.turns
            && !state.is_setup
        {
            let n_left = (turns.n_turns + 1).saturating_sub(state.fullmove);
            canvas.fill(turns.first, share(u32::from(n_left), u32::from(turns.n_turns)));
            canvas.fill(turns.first + 1, share(state.moved.len(), u32::from(turns.n_units)));
        }
        if let Some(plane) = self.set_up
            && state.is_setup
        {
            canvas.fill(plane, 1.0);
        }
        if let Some(first) = self.die
            && let Some(face) = state.face.checked_sub(1)
        {
            canvas.fill(first + usize::from(face), 1.0);
        }
    }

    fn draw_past(&self, position: &Position, context: ObservationContext, canvas: &mut Canvas<'_>) {
        let n_repetitions = usize::from(context.repetitions.0).min(2);
        for plane in self.repeated..self.repeated + n_repetitions {
            canvas.fill(plane, 1.0);
        }
        if let Some((plane, limit)) = self.clock {
            canvas.fill(plane, share(u32::from(position.halfmove_clock()), u32::from(limit)));
        }
        match context.last_action.map(crate::Action::kind) {
            Some(
                ActionKind::Move { from, to, .. } | ActionKind::Swap { first: from, second: to },
            ) => {
                canvas.mark(self.last_action, from);
                canvas.mark(self.last_action + 1, to);
            }
            Some(ActionKind::End | ActionKind::Roll(_)) | None => {}
        }
    }
}

/// `count / whole`, at most 1.
fn share(count: u32, whole: u32) -> f32 {
    (count as f32 / whole.max(1) as f32).min(1.0)
}

/// Planes all zero at first, seen from the mover's side.
struct Canvas<'a> {
    out: &'a mut [f32],
    n_squares: usize,
    /// For every square its index on the mover's board.
    seen: &'a [u8],
}

impl Canvas<'_> {
    fn mark(&mut self, plane: usize, square: Square) {
        self.out[plane * self.n_squares + usize::from(self.seen[square.index()])] = 1.0;
    }

    fn mark_all<const N: usize>(&mut self, plane: usize, squares: Bits<N>) {
        let plane = &mut self.out[plane * self.n_squares..][..self.n_squares];
        for square in squares {
            plane[usize::from(self.seen[square.index()])] = 1.0;
        }
    }

    fn fill(&mut self, plane: usize, value: f32) {
        if value != 0.0 {
            self.out[plane * self.n_squares..][..self.n_squares].fill(value);
        }
    }
}
