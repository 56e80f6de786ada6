//! FENs of the same position with sides or wings exchanged.

use gryphon_env::{BoardSize, Square, Variant};

/// The position with White's and Black's roles exchanged.
pub(crate) fn swap_sides(variant: &Variant, fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let ranks: Vec<String> = fields[0].split('/').rev().map(swap_case).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let mut rights: Vec<char> = swap_case(fields[2]).chars().collect();
    rights.sort_unstable();
    let rights: String = rights.into_iter().collect();
    let flip = |square| variant.size().flip_rank(square);
    let en_passant = squares(variant.size(), fields[3], flip, true);
    let mut swapped =
        vec![ranks.join("/"), side.into(), rights, en_passant, fields[4].into(), fields[5].into()];
    if let Some(extra) = fields.get(6) {
        swapped.push(match extra.split_once(':') {
            Some((head, rest)) => format!("{head}:{}", squares(variant.size(), rest, flip, false)),
            None if *extra == "setup" || extra.parse::<u8>().is_ok() => (*extra).into(),
            None => squares(variant.size(), extra, flip, false),
        });
    }
    swapped.join(" ")
}

/// The position with left and right exchanged; it has no squares in its en passant and extra fields.
pub(crate) fn swap_wings(variant: &Variant, fen: &str) -> String {
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    fields[0] = fields[0].split('/').map(reverse_rank).collect::<Vec<_>>().join("/");
    assert_eq!(fields[3], "-", "a variant with en passant needs its squares mirrored here");
    let files = variant.size().files();
    let mirror = |letter: char| {
        let first = if letter.is_ascii_uppercase() { b'A' } else { b'a' };
        (first + files - 1 - (letter as u8 - first)) as char
    };
    if fields[2] != "-" {
        let mut rights: Vec<char> = fields[2].chars().map(mirror).collect();
        rights.sort_unstable();
        fields[2] = rights.into_iter().collect();
    }
    fields.join(" ")
}

fn swap_case(text: &str) -> String {
    text.chars()
        .map(
            |c| {
                if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
            },
        )
        .collect()
}

/// `e4,e5` with every square replaced by its image; sorted by text or by square.
fn squares(size: BoardSize, text: &str, image: impl Fn(Square) -> Square, by_text: bool) -> String {
    if text == "-" {
        return text.into();
    }
    let mut images: Vec<Square> =
        text.split(',').map(|name| image(size.parse_square(name).unwrap())).collect();
    images.sort_unstable();
    let mut names: Vec<String> =
        images.into_iter().map(|square| size.square_name(square)).collect();
    if by_text {
        names.sort_unstable();
    }
    names.join(",")
}

/// One rank of a FEN from right to left; numbers of several digits stay whole.
fn reverse_rank(rank: &str) -> String {
    let mut tokens: Vec<String> = Vec::new();
    for letter in rank.chars() {
        match tokens.last_mut() {
            Some(last)
                if letter.is_ascii_digit() && last.ends_with(|c: char| c.is_ascii_digit()) =>
            {
                last.push(letter);
            }
            _ => tokens.push(letter.into()),
        }
    }
    tokens.into_iter().rev().collect()
}
