//! One type for positions on boards of every size.

use super::state::State;
use crate::variant::Rules;

/// A state with its tables, in the smallest form the variant fits.
///
/// The large form is boxed: it would otherwise make every position large.
#[derive(Clone, Debug)]
pub(crate) enum Core {
    /// Up to 64 squares and 8 kinds.
    Small(&'static Rules<1, 8>, State<1, 8>),
    /// Up to 192 squares and 8 kinds.
    Medium(&'static Rules<3, 8>, State<3, 8>),
    /// Up to 192 squares and 16 kinds.
    Wide(&'static Rules<3, 16>, State<3, 16>),
    /// Up to 256 squares and 26 kinds.
    Large(&'static Rules<4, 26>, Box<State<4, 26>>),
}

/// Runs the same expression on whichever form `$core` has.
macro_rules! with_core {
    ($core:expr, ($rules:ident, $state:ident) => $body:expr) => {
        match $core {
            $crate::position::core::Core::Small($rules, $state) => $body,
            $crate::position::core::Core::Medium($rules, $state) => $body,
            $crate::position::core::Core::Wide($rules, $state) => $body,
            $crate::position::core::Core::Large($rules, $state) => $body,
        }
    };
}

pub(crate) use with_core;
