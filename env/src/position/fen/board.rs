//! The board field of a FEN.

use super::error;
use crate::position::FenError;
use crate::variant::Rules;
use crate::{Color, Excerpt, PieceKind, Square};

/// One unit of a FEN's board.
type Unit = (Square, PieceKind, Color);

/// Reads the units of a board field; needs no compiled start position. Every wrong rank is named.
pub(crate) fn read_board<const N: usize, const K: usize>(
    rules: &Rules<N, K>,
    text: &str,
) -> Result<Vec<Unit>, Vec<FenError>> {
    let size = rules.size;
    let (mut units, mut wrong) = (Vec::new(), Vec::new());
    let n_ranks = text.split('/').count();
    if n_ranks != usize::from(size.ranks()) {
        return Err(vec![error("board", text, format!("{} ranks, not {n_ranks}", size.ranks()))]);
    }
    for (rank, letters) in (0..size.ranks()).rev().zip(text.split('/')) {
        match read_rank(rules, rank, letters) {
            Ok(found) => units.extend(found),
            Err(expected) => wrong.push(error("board", text, expected)),
        }
    }
    if wrong.is_empty() { Ok(units) } else { Err(wrong) }
}

/// Reads one rank; the error says what was expected.
fn read_rank<const N: usize, const K: usize>(
    rules: &Rules<N, K>,
    rank: u8,
    text: &str,
) -> Result<Vec<Unit>, String> {
    let (n_files, number) = (usize::from(rules.size.files()), rank + 1);
    let mut units = Vec::new();
    let mut file = 0;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if let Some(digit) = letter.to_digit(10) {
            let mut run = digit as usize;
            while let Some(digit) = letters.peek().and_then(|next| next.to_digit(10)) {
                run = (run * 10 + digit as usize).min(1000);
                letters.next();
            }
            if digit == 0 {
                return Err(format!(
                    "a run of empty squares without leading zero in rank {number}"
                ));
            }
            file += run;
            continue;
        }
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let kind = rules.kind_of(letter.to_ascii_uppercase()).ok_or_else(|| {
            let known: String = rules.letters.iter().collect();
            let found = Excerpt(letter.encode_utf8(&mut [0; 4])).to_string();
            format!("the pieces {known}, not `{found}` in rank {number}")
        })?;
        if file < n_files {
            units.push((Square((usize::from(rank) * n_files + file) as u8), kind, color));
        }
        file += 1;
    }
    if file == n_files {
        Ok(units)
    } else {
        Err(format!("{n_files} squares in rank {number}, not {file}"))
    }
}
