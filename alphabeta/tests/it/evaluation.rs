//! Evaluation is fair to both sides and values pieces sensibly.

use std::fmt::Write as _;

use gryphon_alphabeta::{Evaluation, PieceWorth};
use gryphon_env::{Position, Variant};

use crate::support::{ongoing, variants};

/// The same position with colors changed and the board turned; `None` if the FEN says something
/// that this simple turn does not cover.
fn turned(position: &Position) -> Option<Position> {
    let fen = position.fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let swap = |text: &str| -> String {
        let change = |c: char| match c {
            c if c.is_ascii_uppercase() => c.to_ascii_lowercase(),
            c => c.to_ascii_uppercase(),
        };
        text.chars().map(change).collect()
    };
    let board: Vec<String> = fields[0].split('/').rev().map(swap).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let extra = fields.get(6).copied();
    if fields[3] != "-" || extra.is_some_and(|extra| extra.contains(char::is_alphabetic)) {
        return None;
    }
    let (board, rights) = (board.join("/"), sorted_rights(&swap(fields[2])));
    let mut text = format!("{board} {side} {rights} - {} {}", fields[4], fields[5]);
    if let Some(extra) = extra {
        text.push(' ');
        text.push_str(extra);
    }
    Position::from_fen(position.variant(), &text).ok()
}

/// White's rights first, as FEN wants them.
fn sorted_rights(rights: &str) -> String {
    let (white, black): (String, String) = rights.chars().partition(|c| c.is_ascii_uppercase());
    if white.is_empty() && black.is_empty() { rights.to_owned() } else { white + &black }
}

#[test]
fn a_turned_position_has_the_same_score() {
    for variant in variants() {
        let evaluation = Evaluation::new(variant);
        let mut compared = 0;
        for number in 0..60 {
            let Some(game) = ongoing(variant, number, 5 + 2 * number as usize) else { continue };
            let Some(turned) = turned(game.position()) else { continue };
            let found = evaluation.score(&turned);
            let expected = evaluation.score(game.position());
            assert_eq!(found, expected, "{}: {}", variant.name(), game.position().fen());
            compared += 1;
        }
        assert!(compared >= 15, "{}: only {compared} positions compared", variant.name());
    }
}

#[test]
fn worth_of_every_kind() {
    let mut text = String::new();
    for variant in variants() {
        let worth = PieceWorth::measure(variant);
        write!(text, "{}:", variant.name()).unwrap();
        for kind in variant.kinds() {
            write!(text, " {} {}", variant.letter(kind), worth.of(kind)).unwrap();
        }
        text.push('\n');
    }
    insta::assert_snapshot!(text);
}

#[test]
fn orthodox_pieces_have_their_usual_order() {
    let variant = Variant::named("chess").unwrap();
    let worth = PieceWorth::measure(variant);
    let of = |letter: char| {
        let kind = variant.kinds().find(|&kind| variant.letter(kind) == letter).unwrap();
        worth.of(kind)
    };
    let ordered = ['P', 'N', 'B', 'R', 'Q'].map(of);
    assert!(ordered.is_sorted(), "{ordered:?}");
    assert!(of('N') > 2 * of('P') && of('Q') > of('R') + of('N'), "{ordered:?}");
}
