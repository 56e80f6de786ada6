//! Observation planes: what a network sees of a position.

use crate::{Action, Position, Repetitions};

/// Hash of plane order and meaning; equal hashes mean interchangeable observations.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub struct LayoutHash(pub [u8; 32]);

/// What the observation shows that a position alone does not tell.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct ObservationContext {
    /// Earlier occurrences of the position.
    pub repetitions: Repetitions,
    /// The last action of a side; the position shows the die by itself.
    pub last_action: Option<Action>,
}

/// One plane.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PlaneSpec {
    /// What it shows, in words.
    pub name: String,
}

/// Planes `[C, H, W]` from the side to move's point of view: its own first rank is row 0 and its own
/// units come first.
#[derive(Debug)]
pub struct ObservationLayout {}

impl ObservationLayout {
    /// Number of planes `C`.
    #[must_use]
    pub fn n_planes(&self) -> usize {
        self.planes().len()
    }

    /// The planes, in order.
    #[must_use]
    pub fn planes(&self) -> &[PlaneSpec] {
        todo!()
    }

    /// Hash of plane order and meaning.
    #[must_use]
    pub fn hash(&self) -> LayoutHash {
        todo!()
    }

    /// Writes the observation of `position` into `out`, `[C, H, W]` row-major, values in `[0, 1]`.
    ///
    /// # Panics
    /// If `out.len()` is not `C * H * W`.
    pub fn encode(&self, position: &Position, context: ObservationContext, out: &mut [f32]) {
        let _ = (position, context, out);
        todo!()
    }
}
