//! Moves of all units of a kind at once, for kinds with few steps such as pawns.

use arrayvec::ArrayVec;

use super::rays::{Ray, Way};
use super::tables::Leaps;
use crate::bits::Bits;
use crate::{BoardSize, Color, Square};

/// The same step from many squares.
#[derive(Clone, Debug)]
pub(crate) struct Step<const N: usize> {
    /// By how much it raises the square's index.
    pub(crate) delta: i8,
    /// The squares from which it stays on the board.
    pub(crate) from: Bits<N>,
}

/// Most steps of each way beside those straight forward.
const MAX_STEPS: usize = 4;

/// Most squares a unit goes straight forward.
const MAX_FORWARD: usize = 3;

/// Steps of a kind that slides at most three squares, straight forward.
#[derive(Clone, Debug)]
pub(crate) struct SetMoves<const N: usize> {
    /// Steps that move or capture.
    pub(crate) both: ArrayVec<Step<N>, MAX_STEPS>,
    /// Steps that only move.
    pub(crate) quiet: ArrayVec<Step<N>, MAX_STEPS>,
    /// Steps that only capture.
    pub(crate) takes: ArrayVec<Step<N>, MAX_STEPS>,
    /// By how much a step straight forward raises the square's index.
    pub(crate) forward: i8,
    /// From which squares a unit may go one, two and three squares forward.
    pub(crate) advance: [Bits<N>; MAX_FORWARD],
}

impl<const N: usize> SetMoves<N> {
    /// The steps of a kind with these moves from every square; `None` if it moves otherwise.
    pub(super) fn new(
        moves: &[(Leaps<N>, Vec<Ray>)],
        color: Color,
        size: BoardSize,
    ) -> Option<Self> {
        let files = i8::try_from(size.files()).ok()?;
        let mut res = Self {
            both: ArrayVec::new(),
            quiet: ArrayVec::new(),
            takes: ArrayVec::new(),
            forward: if color == Color::White { files } else { -files },
            advance: [Bits::EMPTY; MAX_FORWARD],
        };
        for (from, (leaps, rays)) in size.squares().zip(moves) {
            for to in leaps.both {
                add(&mut res.both, from, to)?;
            }
            for to in leaps.quiet.and_not(leaps.both) {
                if delta(from, to) == Some(res.forward) {
                    res.advance[0].insert(from);
                } else {
                    add(&mut res.quiet, from, to)?;
                }
            }
            for to in leaps.takes.and_not(leaps.both) {
                add(&mut res.takes, from, to)?;
            }
            for ray in rays {
                res.add_ray(from, ray)?;
            }
        }
        // Few units of a kind make plain leaps, and one by one is quicker for few.
        let is_pawnlike = !res.quiet.is_empty() || !res.takes.is_empty() || res.advance[0].any();
        is_pawnlike.then_some(res)
    }

    /// Steps that capture.
    #[inline]
    pub(crate) fn captures(&self) -> impl Iterator<Item = &Step<N>> {
        self.takes.iter().chain(&self.both)
    }

    fn add_ray(&mut self, from: Square, ray: &Ray) -> Option<()> {
        if ray.way != Way::Moves || !ray.is_plain() || ray.squares.len() > MAX_FORWARD {
            return None;
        }
        let mut at = from;
        for (&square, advance) in ray.squares.iter().zip(&mut self.advance) {
            if delta(at, square) != Some(self.forward) {
                return None;
            }
            advance.insert(from);
            at = square;
        }
        Some(())
    }
}

/// By how much a move raises the square's index, if a shift can express it.
fn delta(from: Square, to: Square) -> Option<i8> {
    let delta = i16::from(to.0) - i16::from(from.0);
    i8::try_from(delta).ok().filter(|delta| delta.unsigned_abs() < 64)
}

fn add<const N: usize>(
    steps: &mut ArrayVec<Step<N>, MAX_STEPS>,
    from: Square,
    to: Square,
) -> Option<()> {
    let delta = delta(from, to)?;
    match steps.iter_mut().find(|step| step.delta == delta) {
        Some(step) => step.from.insert(from),
        None => steps.try_push(Step { delta, from: Bits::of(from) }).ok()?,
    }
    Some(())
}
