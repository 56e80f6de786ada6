//! Observation planes: what a network sees of a position.

mod canvas;
mod draw;
mod encode;
mod layout;

use crate::{Action, Repetitions};

pub(crate) use canvas::{Drawn, Element, KnownCanvas, PackedCanvas, erase};
pub use layout::{LayoutHash, ObservationLayout, PlaneContent, PlaneSpec};

/// What the observation shows that a position alone does not tell.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct ObservationContext {
    /// Earlier occurrences of the position.
    pub repetitions: Repetitions,
    /// The last action of a side; the position shows the die by itself.
    pub last_action: Option<Action>,
}
