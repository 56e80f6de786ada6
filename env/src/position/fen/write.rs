//! Writing FENs.

use std::fmt::Write as _;

use crate::bits::Bits;
use crate::position::state::State;
use crate::variant::{Right, Rules};
use crate::{Color, PieceKind, Square};

impl<const N: usize, const K: usize> State<N, K> {
    /// The FEN of this position.
    pub(crate) fn fen(&self, rules: &Rules<N, K>) -> String {
        let size = rules.size;
        let mut fen = String::with_capacity(2 * size.n_squares());
        for rank in (0..size.ranks()).rev() {
            let mut run = 0;
            for file in 0..size.files() {
                let square = Square(rank * size.files() + file);
                let Some((kind, color)) = self.piece_at(square) else {
                    run += 1;
                    continue;
                };
                flush(&mut fen, &mut run);
                fen.push(letter(rules, kind, color));
            }
            flush(&mut fen, &mut run);
            if rank > 0 {
                fen.push('/');
            }
        }
        let side = if self.side == Color::White { 'w' } else { 'b' };
        let passed = write_passed(rules, self.en_passant | self.own_en_passant);
        let rights = self.write_rights(rules);
        let _ = write!(fen, " {side} {rights} {passed} {} {}", self.halfmove, self.fullmove);
        if !rules.faces.is_empty() {
            let _ = if self.face == 0 { write!(fen, " -") } else { write!(fen, " {}", self.face) };
        } else if rules.has_exchange || rules.n_several_turns != 0 {
            let squares = write_squares(rules, self.moved);
            let _ = match (self.is_setup, self.moved.any()) {
                (true, false) => write!(fen, " setup"),
                (true, true) => write!(fen, " setup:{squares}"),
                (false, _) => write!(fen, " {squares}"),
            };
        }
        fen
    }

    fn write_rights(&self, rules: &Rules<N, K>) -> String {
        if self.rights == 0 {
            return "-".into();
        }
        let held = rules.rights.iter().enumerate().filter(|(bit, _)| self.rights >> bit & 1 != 0);
        held.map(|(_, right)| right_letter(rules, right)).collect()
    }
}

fn flush(fen: &mut String, run: &mut u32) {
    if *run > 0 {
        let _ = write!(fen, "{run}");
        *run = 0;
    }
}

/// The letter of a unit: upper case for White.
pub(crate) fn letter<const N: usize, const K: usize>(
    rules: &Rules<N, K>,
    kind: PieceKind,
    color: Color,
) -> char {
    let letter = rules.letters[kind.index()];
    if color == Color::White { letter } else { letter.to_ascii_lowercase() }
}

pub(super) fn right_letter<const N: usize, const K: usize>(
    rules: &Rules<N, K>,
    right: &Right,
) -> char {
    let file = (b'a' + rules.size.file_of(right.square).0) as char;
    if right.color == Color::White { file.to_ascii_uppercase() } else { file }
}

/// Squares in the order of their index; `-` if there are none.
pub(super) fn write_squares<const N: usize, const K: usize>(
    rules: &Rules<N, K>,
    squares: Bits<N>,
) -> String {
    if squares.is_empty() {
        return "-".into();
    }
    let names: Vec<String> =
        squares.into_iter().map(|square| rules.size.square_name(square)).collect();
    names.join(",")
}

/// Squares sorted by text; `-` if there are none.
pub(super) fn write_passed<const N: usize, const K: usize>(
    rules: &Rules<N, K>,
    squares: Bits<N>,
) -> String {
    if squares.is_empty() {
        return "-".into();
    }
    let mut names: Vec<String> =
        squares.into_iter().map(|square| rules.size.square_name(square)).collect();
    names.sort_unstable();
    names.join(",")
}
