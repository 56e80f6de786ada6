//! What follows from the start position: first-move rights, castling, the king's leap, home squares.

use super::rays::step;
use super::rules::{Castling, KingLeap, Right, Rules};
use super::spec::Spec;
use crate::{Color, PieceKind, Square};

/// A key of the variant file that the start position does not fit, and why.
type Misfit = (&'static str, String);

impl<const N: usize, const K: usize> Rules<N, K> {
    /// Derives first-move rights and counts from the units of the start position.
    pub(crate) fn add_start(
        &mut self,
        spec: &Spec,
        units: &[(Square, PieceKind, Color)],
    ) -> Result<(), Misfit> {
        self.start_units = units.to_vec();
        for color in Color::ALL {
            let own = || units.iter().filter(move |unit| unit.2 == color);
            self.sides[color].n_start_units = own().count() as u32;
            let homes =
                |kind: PieceKind| own().filter(|unit| unit.1 == kind).map(|unit| unit.0).collect();
            if let Some(exchange) = spec.exchange {
                self.sides[color].exchange = (homes(exchange.first), homes(exchange.second));
            }
            if spec.castling.is_none() && spec.leap.is_none() {
                continue;
            }
            let kings: Vec<_> = own().filter(|unit| self.is_royal(unit.1)).collect();
            let key = if spec.castling.is_some() { "castling" } else { "leap" };
            let &[&(king, kind, _)] = kings.as_slice() else {
                return Err((key, format!("needs exactly one royal unit of {color} at the start")));
            };
            if spec.leap.is_some() {
                self.add_leap(spec, color, king, kind)?;
            }
            if spec.castling.is_some() {
                let mut partners: Vec<Square> = own()
                    .filter(|unit| {
                        spec.castling.as_ref().is_some_and(|castling| castling.partner == unit.1)
                    })
                    .map(|unit| unit.0)
                    .filter(|&square| self.size.rank_of(square) == self.size.rank_of(king))
                    .collect();
                partners.sort_unstable();
                for partner in partners {
                    self.add_castling(spec, color, king, partner)?;
                }
            }
        }
        Ok(())
    }

    fn add_right(&mut self, right: Right, lost_on: &[Square]) -> Result<u8, Misfit> {
        if self.rights.len() == 8 {
            return Err(("castling", "more than eight first-move rights".into()));
        }
        let bit = 1 << self.rights.len();
        self.rights.push(right);
        for square in lost_on {
            self.rights_lost[square.index()] |= bit;
        }
        Ok(bit)
    }

    fn add_leap(
        &mut self,
        spec: &Spec,
        color: Color,
        king: Square,
        kind: PieceKind,
    ) -> Result<(), Misfit> {
        let bit = self.add_right(Right { color, square: king, kind, is_leap: true }, &[king])?;
        self.sides[color].leap_right = Some((bit, king));
        for &(x, y) in spec.leap.iter().flat_map(|leap| &leap.leaps) {
            let Some(to) = step(self.size, color, king, (x, y)) else { continue };
            let mut between = vec![(x.signum(), y.signum())];
            if x.abs() != y.abs() && x != 0 && y != 0 {
                between.push((x / 2, y / 2));
            }
            let over =
                between.iter().filter_map(|&offset| step(self.size, color, king, offset)).collect();
            self.sides[color].leaps.push(KingLeap { to, over });
        }
        Ok(())
    }

    fn add_castling(
        &mut self,
        spec: &Spec,
        color: Color,
        king: Square,
        partner: Square,
    ) -> Result<(), Misfit> {
        let Some(castling) = &spec.castling else { return Ok(()) };
        let kind = castling.partner;
        let right = self
            .add_right(Right { color, square: partner, kind, is_leap: false }, &[king, partner])?;
        let distance = king.0.abs_diff(partner.0);
        let toward = |n: u8| Square(if partner > king { king.0 + n } else { king.0 - n });
        for &n in &castling.steps {
            if n >= distance {
                continue;
            }
            let (king_to, partner_to) = (toward(n), toward(n - 1));
            self.sides[color].castlings.push(Castling {
                right,
                king_from: king,
                king_to,
                partner_from: partner,
                partner_to,
                between: (1..distance).map(toward).collect(),
                over: (1..n).map(toward).collect(),
            });
        }
        Ok(())
    }
}
