//! Boards as SVG pictures, for notebooks and pages.

mod pieces;

use std::fmt::Write as _;

use gryphon_env::{Actor, Color, File, Game, Position, Rank, Square};

use self::pieces::BOX;
use crate::last_turn::last_turn_squares;

/// Width of the margin with the names of files and ranks.
const MARGIN: u32 = 18;
const LIGHT: &str = "#ecdfc8";
const DARK: &str = "#b3946f";
const MARK: &str = "#c9b037";
const CHECK: &str = "#c0392b";
const NAMES: &str = "#6b5b4b";

/// The current position of `game` as a self-contained SVG picture, seen from `view`'s side. The
/// squares of the last turn are tinted, attacked kings of the side to move ringed. Every unit has
/// its name as a tooltip.
///
/// The picture scales; its natural size is 45 units a square.
#[must_use]
pub fn svg_board(game: &Game, view: Color) -> String {
    let board = Board::new(game.position(), view);
    let mut svg = String::new();
    let (width, height) = (board.width + 2 * MARGIN, board.height + 2 * MARGIN);
    write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"DejaVu Sans, Verdana, sans-serif\">\
         <title>{}</title>",
        escaped(&game.position().fen())
    )
    .expect("writing to a string cannot fail");
    board.draw_squares(&mut svg, &last_turn_squares(game));
    board.draw_names(&mut svg);
    board.draw_checks(&mut svg);
    board.draw_units(&mut svg);
    svg.push_str("</svg>");
    svg
}

/// A position and where its squares lie in the picture.
struct Board<'a> {
    position: &'a Position,
    view: Color,
    width: u32,
    height: u32,
}

impl<'a> Board<'a> {
    fn new(position: &'a Position, view: Color) -> Self {
        let size = position.variant().size();
        let (width, height) = (u32::from(size.files()) * BOX, u32::from(size.ranks()) * BOX);
        Self { position, view, width, height }
    }

    /// The upper left corner of `square`.
    fn corner(&self, square: Square) -> (u32, u32) {
        let size = self.position.variant().size();
        let (file, rank) = (u32::from(size.file_of(square).0), u32::from(size.rank_of(square).0));
        let (right, down) = match self.view {
            Color::White => (file, u32::from(size.ranks()) - 1 - rank),
            Color::Black => (u32::from(size.files()) - 1 - file, rank),
        };
        (MARGIN + right * BOX, MARGIN + down * BOX)
    }

    fn draw_squares(&self, svg: &mut String, marked: &[Square]) {
        let size = self.position.variant().size();
        let mut rect = |square, color, opacity| {
            let (x, y) = self.corner(square);
            write!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{BOX}\" height=\"{BOX}\" fill=\"{color}\"{opacity}/>"
            )
            .expect("writing to a string cannot fail");
        };
        for square in size.squares() {
            let is_dark = (size.file_of(square).0 + size.rank_of(square).0).is_multiple_of(2);
            rect(square, if is_dark { DARK } else { LIGHT }, "");
        }
        for &square in marked {
            rect(square, MARK, " fill-opacity=\"0.6\"");
        }
    }

    fn draw_names(&self, svg: &mut String) {
        let size = self.position.variant().size();
        write!(svg, "<g font-size=\"11\" text-anchor=\"middle\" fill=\"{NAMES}\">")
            .expect("writing to a string cannot fail");
        let mut text = |x: u32, y: u32, name: &str| {
            write!(svg, "<text x=\"{x}\" y=\"{y}\">{name}</text>")
                .expect("writing to a string cannot fail");
        };
        for file in (0..size.files()).map(File) {
            let Some(square) = size.square(file, Rank(0)) else { continue };
            let x = self.corner(square).0 + BOX / 2;
            text(x, MARGIN - 5, &file.to_string());
            text(x, MARGIN + self.height + 13, &file.to_string());
        }
        for rank in (0..size.ranks()).map(Rank) {
            let Some(square) = size.square(File(0), rank) else { continue };
            let y = self.corner(square).1 + BOX / 2 + 4;
            text(MARGIN / 2, y, &rank.to_string());
            text(MARGIN + self.width + MARGIN / 2, y, &rank.to_string());
        }
        svg.push_str("</g>");
    }

    fn draw_checks(&self, svg: &mut String) {
        let Actor::Player(side) = self.position.actor() else { return };
        let variant = self.position.variant();
        self.position.for_each_unit(side, |kind, square| {
            if variant.is_royal(kind) && self.position.is_attacked(square, side.opponent()) {
                let (x, y) = self.corner(square);
                let (x, y) = (x + BOX / 2, y + BOX / 2);
                write!(
                    svg,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"20\" fill=\"{CHECK}\" fill-opacity=\"0.35\" \
                     stroke=\"{CHECK}\" stroke-width=\"2\"/>"
                )
                .expect("writing to a string cannot fail");
            }
        });
    }

    fn draw_units(&self, svg: &mut String) {
        let variant = self.position.variant();
        for square in variant.size().squares() {
            if let Some(piece) = self.position.piece_at(square) {
                let (x, y) = self.corner(square);
                pieces::draw(svg, variant, piece, x, y);
            }
        }
    }
}

/// `text` where XML expects text.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
