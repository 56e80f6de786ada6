//! Units as drawings in a box of 45 by 45, all made for this program.

use std::fmt::Write as _;

use gryphon_env::{Color, Piece, PieceKind, Variant};

/// Side of the box that a unit is drawn in.
pub(super) const BOX: u32 = 45;

/// Outlines to be filled, and lines on top of them, as SVG path data.
struct Silhouette {
    body: &'static str,
    detail: &'static str,
}

const PAWN: Silhouette = Silhouette {
    body: "M17 13.5a5.5 5.5 0 1 1 11 0a5.5 5.5 0 1 1-11 0zM15.5 19h14v3h-14zM19 22h7l4 12h-15z\
           M11.5 34h22v5h-22z",
    detail: "",
};

const ROOK: Silhouette = Silhouette {
    body: "M12.5 8h5v3.5h3V8h4v3.5h3V8h5v7l-2.5 3h-15l-2.5-3zM15 18h15l1.5 16h-18zM10.5 34h24v5h-24z",
    detail: "",
};

const BISHOP: Silhouette = Silhouette {
    body: "M20.5 7.5a2 2 0 1 1 4 0a2 2 0 1 1-4 0zM22.5 9.5c5.5 4 7.5 8 7.5 11.5c0 3-1.5 5-3 6h-9\
           c-1.5-1-3-3-3-6c0-3.5 2-7.5 7.5-11.5zM18.5 27h8l3 7h-14zM10.5 34h24v5h-24z",
    detail: "M22.5 15.5v8M19 19h7",
};

const KNIGHT: Silhouette = Silhouette {
    body: "M30.5 34c1-7 1.5-14-2.5-19.5c-1.5-2.5-4-4.5-6.5-5.5l-1-3.5l-3 3.5c-2 .8-3.3 2.2-4 4.5\
           l-4.2 8.2c-.6 1.4 0 3.2 1.4 3.9c1.3.7 2.6.2 3.6-.9l2.4-2.5c1.8.4 3.5.1 5-.9\
           c.5 4.2-5.7 6.2-7.2 12.7zM10.5 34h24v5h-24z",
    detail: "M17.5 14.2h.6M24.5 12.5c3.5 4.5 4.5 11 4 18",
};

const QUEEN: Silhouette = Silhouette {
    body: "M9 14l4.2 8 2.8-12.5 4.2 11 2.3-12.5 2.3 12.5 4.2-11 2.8 12.5 4.2-8-4.5 16h-18z\
           M7.3 12.5a1.7 1.7 0 1 1 3.4 0a1.7 1.7 0 1 1-3.4 0zM14.3 8a1.7 1.7 0 1 1 3.4 0\
           a1.7 1.7 0 1 1-3.4 0zM20.8 6.5a1.7 1.7 0 1 1 3.4 0a1.7 1.7 0 1 1-3.4 0z\
           M27.3 8a1.7 1.7 0 1 1 3.4 0a1.7 1.7 0 1 1-3.4 0zM34.3 12.5a1.7 1.7 0 1 1 3.4 0\
           a1.7 1.7 0 1 1-3.4 0zM13.5 30h18v4h-18zM10.5 34h24v5h-24z",
    detail: "",
};

const KING: Silhouette = Silhouette {
    body: "M21 4h3v3h3v3h-3v4h-3v-4h-3V7h3zM22.5 15c3-3.5 12.5-2.5 12.5 4.5c0 4-2.5 7-3.5 10.5h-18\
           c-1-3.5-3.5-6.5-3.5-10.5c0-7 9.5-8 12.5-4.5zM13.5 30h18v4h-18zM10.5 34h24v5h-24z",
    detail: "M22.5 16.5v10M17.5 21.5h10",
};

/// The colors of a side's units.
struct Ink {
    fill: &'static str,
    line: &'static str,
    detail: &'static str,
}

const fn ink(color: Color) -> Ink {
    match color {
        Color::White => Ink { fill: "#fffdf6", line: "#2a221c", detail: "#2a221c" },
        Color::Black => Ink { fill: "#3d342e", line: "#120e0b", detail: "#f3ead9" },
    }
}

/// Draws `piece` with the upper left corner of its box at (`x`, `y`). Kinds of orthodox chess have
/// a silhouette, all others a disc with their letter, which no other kind of the variant has.
pub(super) fn draw(svg: &mut String, variant: &Variant, piece: Piece, x: u32, y: u32) {
    let Ink { fill, line, detail } = ink(piece.color);
    let (name, color) = (super::escaped(variant.kind_name(piece.kind)), piece.color);
    write!(
        svg,
        "<g transform=\"translate({x} {y})\" fill=\"{fill}\" stroke=\"{line}\" \
         stroke-width=\"1.4\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\
         <title>{color} {name}</title>"
    )
    .expect("writing to a string cannot fail");
    match silhouette(variant, piece.kind) {
        Some(shape) => {
            write!(svg, "<path d=\"{}\"/>", shape.body).expect("writing to a string cannot fail");
            if !shape.detail.is_empty() {
                write!(
                    svg,
                    "<path d=\"{}\" fill=\"none\" stroke=\"{detail}\" stroke-width=\"1.8\"/>",
                    shape.detail
                )
                .expect("writing to a string cannot fail");
            }
        }
        None => {
            let letter = variant.letter(piece.kind);
            write!(
                svg,
                "<circle cx=\"22.5\" cy=\"22.5\" r=\"17\"/>\
                 <circle cx=\"22.5\" cy=\"22.5\" r=\"14\" fill=\"none\" stroke=\"{detail}\" \
                 stroke-width=\"0.8\"/>\
                 <text x=\"22.5\" y=\"29.7\" font-size=\"20\" font-weight=\"bold\" \
                 text-anchor=\"middle\" fill=\"{detail}\" stroke=\"none\">{letter}</text>"
            )
            .expect("writing to a string cannot fail");
        }
    }
    svg.push_str("</g>");
}

/// The silhouette of an orthodox kind; of several kinds with one name the first has it.
fn silhouette(variant: &Variant, kind: PieceKind) -> Option<&'static Silhouette> {
    let name = variant.kind_name(kind);
    if variant.kinds().find(|&other| variant.kind_name(other) == name) != Some(kind) {
        return None;
    }
    match name {
        "king" => Some(&KING),
        "queen" => Some(&QUEEN),
        "rook" => Some(&ROOK),
        "bishop" => Some(&BISHOP),
        "knight" => Some(&KNIGHT),
        "pawn" => Some(&PAWN),
        _ => None,
    }
}
