//! The drawn board.

use std::ffi::OsStr;
use std::fmt::Write as _;

use gryphon_env::{Color, File, Game, Piece, Rank, Variant};

use crate::last_turn::last_turn_squares;

/// How units are drawn.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Glyphs {
    /// The letters of FEN: upper case White.
    Letters,
    /// Chess symbols where the kind has one, letters elsewhere.
    Unicode,
}

/// Whether colors are used.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Paint {
    /// Text only; the last turn stands in brackets.
    Plain,
    /// Colored squares by ANSI escape codes; the last turn stands out by its color and brackets.
    Colored,
}

impl Paint {
    /// Colors on a terminal, unless the variable `NO_COLOR` is set to anything but nothing.
    #[must_use]
    pub fn choose(is_terminal: bool, no_color: Option<&OsStr>) -> Self {
        let refused = no_color.is_some_and(|value| !value.is_empty());
        if is_terminal && !refused { Self::Colored } else { Self::Plain }
    }
}

/// How a board is drawn.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct BoardStyle {
    /// How units look.
    pub glyphs: Glyphs,
    /// Whether colors are used.
    pub paint: Paint,
}

/// The current position of `game` with files and ranks named, seen from `view`'s side, a line a
/// rank. The squares of the last turn are marked by brackets.
#[must_use]
pub fn draw_board(game: &Game, view: Color, style: BoardStyle) -> String {
    let position = game.position();
    let size = position.variant().size();
    let marked = last_turn_squares(game);
    let mut ranks: Vec<u8> = (0..size.ranks()).rev().collect();
    let mut files: Vec<u8> = (0..size.files()).collect();
    if view == Color::Black {
        ranks.reverse();
        files.reverse();
    }
    let names: String = files.iter().map(|&file| format!(" {} ", File(file))).collect();
    let names = format!("    {}", names.trim_end());
    let mut text = format!("{names}\n");
    for rank in ranks {
        let rank = Rank(rank);
        let name = rank.to_string();
        write!(text, "{name:>3} ").expect("writing to a string cannot fail");
        for &file in &files {
            let square = size.square(File(file), rank).expect("both are on the board");
            let is_marked = marked.contains(&square);
            let unit = position.piece_at(square);
            let shade = Shade::of(File(file), rank, is_marked);
            text.push_str(&cell(position.variant(), unit, shade, style));
        }
        writeln!(text, " {name}").expect("writing to a string cannot fail");
    }
    text.push_str(&names);
    text.push('\n');
    text
}

#[derive(Copy, Clone, Debug, Eq, PartialEq)]
enum Shade {
    Light,
    Dark,
    Marked,
}

impl Shade {
    const fn of(file: File, rank: Rank, is_marked: bool) -> Self {
        if is_marked {
            Self::Marked
        } else if (file.0 + rank.0).is_multiple_of(2) {
            Self::Dark
        } else {
            Self::Light
        }
    }

    /// Number in the 256-color palette: both unit colors stand out on each.
    const fn background(self) -> u8 {
        match self {
            Self::Light => 137,
            Self::Dark => 95,
            Self::Marked => 65,
        }
    }
}

fn cell(variant: &Variant, unit: Option<Piece>, shade: Shade, style: BoardStyle) -> String {
    let (open, close) = if shade == Shade::Marked { ('[', ']') } else { (' ', ' ') };
    let plain = |glyph: char| format!("{open}{glyph}{close}");
    match (style.paint, unit) {
        (Paint::Plain, None) => plain('.'),
        (Paint::Plain, Some(piece)) => plain(glyph(variant, piece, style.glyphs)),
        (Paint::Colored, None) => format!("\x1b[48;5;{}m{}\x1b[0m", shade.background(), plain(' ')),
        (Paint::Colored, Some(piece)) => {
            let ink = if piece.color == Color::White { 231 } else { 16 };
            let text = plain(glyph(variant, piece, style.glyphs));
            format!("\x1b[48;5;{};38;5;{ink};1m{text}\x1b[0m", shade.background())
        }
    }
}

fn glyph(variant: &Variant, piece: Piece, glyphs: Glyphs) -> char {
    let letter = variant.letter(piece.kind);
    let symbol = match (glyphs, variant.kind_name(piece.kind)) {
        (Glyphs::Letters, _) => None,
        (Glyphs::Unicode, "king") => Some(('♔', '♚')),
        (Glyphs::Unicode, "queen") => Some(('♕', '♛')),
        (Glyphs::Unicode, "rook") => Some(('♖', '♜')),
        (Glyphs::Unicode, "bishop") => Some(('♗', '♝')),
        (Glyphs::Unicode, "knight") => Some(('♘', '♞')),
        (Glyphs::Unicode, "pawn") => Some(('♙', '♟')),
        (Glyphs::Unicode, _) => None,
    };
    let (white, black) = symbol.unwrap_or((letter, letter.to_ascii_lowercase()));
    match piece.color {
        Color::White => white,
        Color::Black => black,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_need_a_terminal_and_no_refusal() {
        assert_eq!(Paint::choose(true, None), Paint::Colored);
        assert_eq!(Paint::choose(true, Some(OsStr::new(""))), Paint::Colored);
        assert_eq!(Paint::choose(true, Some(OsStr::new("1"))), Paint::Plain);
        assert_eq!(Paint::choose(false, None), Paint::Plain);
    }
}
