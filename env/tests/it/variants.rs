//! Variant files: what is accepted, what is refused and why, and what is printed about them.

use std::path::Path;

use gryphon_env::{Variant, check_report};

/// A game small enough for every test.
const KINGS: &str = r#"
name = "kings"
board = "5x5"
start = "2k2/2p2/5/2P2/2K2 w - - 0 1"

[[piece]]
letter = "K"
moves = "K"
royal = true

[[piece]]
letter = "P"
moves = "fmWfcF"
pawn = true
"#;

#[track_caller]
fn check_rejects(text: &str, messages: &[&str]) {
    let mistakes = Variant::mistakes("my.toml", text);
    let report = check_report("my.toml", &mistakes);
    assert_eq!(mistakes.len(), messages.len(), "{report}");
    for (mistake, message) in mistakes.iter().zip(messages) {
        let mistake = mistake.to_string();
        assert!(mistake.starts_with("variant file `my.toml`"), "{mistake}");
        assert!(mistake.contains(message), "unexpected message: {mistake}");
    }
    let error = Variant::from_text("my.toml", text).unwrap_err().to_string();
    assert_eq!(report.lines().next(), error.lines().next());
}

#[test]
fn a_small_file_is_enough() {
    assert!(Variant::mistakes("kings.toml", KINGS).is_empty());
    let variant = Variant::from_text("kings.toml", KINGS).unwrap();
    assert_eq!([1, 2].map(|depth| variant.start().perft(depth)), [5, 22]);
    let again = Variant::from_text("other.toml", variant.text()).unwrap();
    assert!(std::ptr::eq(variant, again));
}

#[test]
fn a_name_does_not_change_the_hash_and_a_rule_does() {
    let variant = Variant::from_text("a", KINGS).unwrap();
    let renamed = Variant::from_text("b", &KINGS.replace("\"kings\"", "\"queens\"")).unwrap();
    assert_eq!(variant.hash(), renamed.hash());
    let other = Variant::from_text("c", &KINGS.replace("fmWfcF", "fmWfcFfmF")).unwrap();
    assert_ne!(variant.hash(), other.hash());
}

#[test]
fn every_mistake_is_named() {
    let text =
        KINGS.replace("5x5", "5y5").replace("fmWfcF", "fmWfcX").replace("\"kings\"", "\"K!\"");
    let found = [
        "key `name`: found `K!`",
        "key `board`: found `5y5`",
        "key `piece.P.moves`: `fmWfcX` at character 6",
    ];
    check_rejects(&text, &found);
}

#[test]
fn mistakes_are_explained() {
    let add = |keys: &str| format!("{KINGS}\n{keys}");
    check_rejects("name = 3", &["line 1, column 8"]);
    check_rejects(&add("[castle]"), &["unknown field `castle`"]);
    check_rejects(&KINGS.replace("2k2/", ""), &["key `start`: FEN field `board`"]);
    check_rejects(&KINGS.replace("2p2", "2x2"), &["the pieces KP, not `x` in rank 4"]);
    check_rejects(
        &add("becomes = \"Q\""),
        &["key `piece.P.becomes`: found `Q`, expected one of the pieces K P"],
    );
    check_rejects(
        &add("[[piece]]\nletter = \"K\"\nmoves = \"K\""),
        &["key `piece.K`: defined twice"],
    );
    check_rejects(&add("[[piece]]\nletter = \"kk\""), &["key `piece.letter`: found `kk`"]);
    check_rejects(&add("steps = { \"9\" = 2 }"), &["found rank `9`, expected 1 to 5"]);
    check_rejects(
        &add("[[promotion]]\npieces = \"P\"\nrank = 6\nto = \"K\""),
        &["key `promotion.rank`: found 6"],
    );
    check_rejects(
        &add("[[promotion]]\npieces = \"P\"\nrank = 5\nby_file = \"KK\""),
        &["2 letters, expected one a file: 5"],
    );
    check_rejects(
        &add("[[promotion]]\npieces = \"P\"\nrank = 5\nto = \"P\""),
        &["a kind that promotes cannot be a choice"],
    );
    check_rejects(
        &add("[castling]\npartner = \"K\"\nsteps = [2]"),
        &["a king cannot castle with a king"],
    );
    check_rejects(
        &add("[castling]\npartner = \"R\"\nsteps = [2]"),
        &["key `castling.partner`: found `R`"],
    );
    check_rejects(
        &add("[leap]\nmoves = \"W\""),
        &["key `leap.moves`: expected leaps of two squares"],
    );
    check_rejects(
        &add("[dice]\nfaces = \"K\""),
        &["key `dice.faces`: expected every piece's letter once"],
    );
    check_rejects(&add("[endings]\nstalemate = \"ignored\""), &["key `endings.stalemate`"]);
    check_rejects(
        &format!("mirror = true\n{}", KINGS.replace("\"K\"\nroyal", "\"KfrN\"\nroyal")),
        &["key `mirror`: expected `false`: a piece moves differently"],
    );
    check_rejects(
        "extends = \"draughts\"",
        &["key `extends`: unknown variant `draughts`, expected one of: chess,"],
    );
    check_rejects(
        "extends = \"chess\"\nwithout = [\"dice2\"]",
        &["key `without`: `dice2` cannot be left out"],
    );
    check_rejects(
        "extends = \"chess\"\nwithout = [\"piece.X\"]",
        &["the extended variant has no piece `X`"],
    );
}

#[test]
fn shipped_variants_have_no_mistakes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/variants");
    let mut n_files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let mistakes = Variant::mistakes(&path.display().to_string(), &text);
        assert!(mistakes.is_empty(), "{}", check_report("", &mistakes));
        let variant = Variant::from_text("shipped", &text).unwrap();
        assert_eq!(path.file_stem().unwrap().to_str(), Some(variant.name()));
        n_files += 1;
    }
    assert_eq!(n_files, 2);
}

#[test]
fn rules_are_shown_with_diagrams() {
    let grant_acedrex = Variant::named("grant-acedrex").unwrap();
    insta::assert_snapshot!(grant_acedrex.rules_text());
    for name in Variant::names() {
        let text = Variant::named(name).unwrap().rules_text();
        assert!(text.contains("Pieces") && text.contains("training cuts games"), "{text}");
    }
}
