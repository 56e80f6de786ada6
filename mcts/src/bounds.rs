//! What is certain about a node: an interval that holds its true value.

use gryphon_env::Color;

use crate::ValueWhite;

/// The interval, from White's side, in which a node's value under best play is known to lie.
///
/// Intervals instead of proven wins and losses make draws and dice the same code: the value of a
/// chance node may be any number.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Bounds {
    lower: ValueWhite,
    upper: ValueWhite,
}

/// [`Bounds`] seen by a side.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct MoverBounds {
    /// The side gets at least this.
    pub(crate) lower: f32,
    /// The side gets at most this.
    pub(crate) upper: f32,
}

impl Bounds {
    /// Anything can still happen.
    pub(crate) const UNKNOWN: Self = Self { lower: ValueWhite::LOSS, upper: ValueWhite::WIN };

    /// The value is certain.
    pub(crate) const fn exact(value: ValueWhite) -> Self {
        Self { lower: value, upper: value }
    }

    /// The value lies between `lower` and `upper`.
    pub(crate) const fn between(lower: ValueWhite, upper: ValueWhite) -> Self {
        Self { lower, upper }
    }

    /// The bounds that `mover` knows as `bounds`.
    pub(crate) fn of_mover(bounds: MoverBounds, mover: Color) -> Self {
        let (lower, upper) = match mover {
            Color::White => (bounds.lower, bounds.upper),
            Color::Black => (-bounds.upper, -bounds.lower),
        };
        Self { lower: ValueWhite::new(lower), upper: ValueWhite::new(upper) }
    }

    /// The bounds as `mover` sees them.
    pub(crate) fn to_mover(self, mover: Color) -> MoverBounds {
        let (lower, upper) = match mover {
            Color::White => (self.lower, self.upper),
            Color::Black => (self.upper, self.lower),
        };
        MoverBounds { lower: lower.to_mover(mover).get(), upper: upper.to_mover(mover).get() }
    }

    /// The value, if it is certain.
    pub(crate) fn proven(self) -> Option<ValueWhite> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// `value` moved into the interval.
    pub(crate) fn clamp(self, value: f64) -> f64 {
        value.clamp(f64::from(self.lower.get()), f64::from(self.upper.get()))
    }
}

impl MoverBounds {
    /// Worse than anything: the start of a maximum over choices.
    pub(crate) const WORST: Self = Self { lower: -1.0, upper: -1.0 };

    /// What a side has that may choose between `self` and `other`.
    pub(crate) fn or_better(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.max(other.upper) }
    }

    /// Whether a choice with these bounds is useless in a node with bounds `node`: it loses for
    /// certain, or another choice is certainly as good.
    pub(crate) fn is_useless_in(self, node: Self) -> bool {
        let is_exact = self.lower >= self.upper;
        self.upper <= -1.0 || self.upper < node.lower || (self.upper <= node.lower && !is_exact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_change_sides() {
        let bounds = Bounds { lower: ValueWhite::new(-0.25), upper: ValueWhite::WIN };
        let black = bounds.to_mover(Color::Black);
        assert_eq!(black, MoverBounds { lower: -1.0, upper: 0.25 });
        assert_eq!(Bounds::of_mover(black, Color::Black), bounds);
        let white = bounds.to_mover(Color::White);
        assert_eq!(Bounds::of_mover(white, Color::White), bounds);
    }

    #[test]
    fn certain_losses_and_dominated_choices_are_useless() {
        let open = MoverBounds { lower: -1.0, upper: 1.0 };
        let loss = MoverBounds { lower: -1.0, upper: -1.0 };
        let draw = MoverBounds { lower: 0.0, upper: 0.0 };
        let at_best_draw = MoverBounds { lower: -1.0, upper: 0.0 };
        assert!(loss.is_useless_in(open));
        assert!(!draw.is_useless_in(open));
        assert!(!at_best_draw.is_useless_in(open));
        let with_draw = open.or_better(draw);
        assert!(at_best_draw.is_useless_in(with_draw));
        assert!(!draw.is_useless_in(with_draw));
        assert!(!open.is_useless_in(with_draw));
    }
}
