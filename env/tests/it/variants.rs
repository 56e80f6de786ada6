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

[[promotion]]
pieces = "P"
rank = 5
to = "Q"

[[piece]]
letter = "Q"
moves = "Q"
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
        "line 2, key `name`: found `K!`",
        "line 3, key `board`: found `5y5`",
        "line 13, key `piece.P.moves`: `fmWfcX` at character 6",
    ];
    check_rejects(&text, &found);
}

/// A file in which nearly everything is wrong.
const WRONG: &str = r#"
name = 3
titel = "My game"
board = "20x5"
start = "2k2/2z2/5/2P3/2K2 x - - 00 0 -"
max_plies = 0
mirror = "yes"

[[piece]]
letter = "K"
moves = "K R16 npR"
royal = 1

[[piece]]
letter = "P"
mvoes = "fmWfcF"
pawn = true
steps = { "2" = 7, "9" = 2 }
becomes = "P"
limit = 300

[[piece]]
letter = "pp"
moves = ""
max_plies = 100

[[piece]]
letter = "K"

[[promotion]]
pieces = "PPX"
rank = 7
to = "KP"

[castle]
partner = "R"

[castling]
partner = "K"
steps = [2, 2, 40, "3"]

[turns]
turns = 1000
units = 1
home_ranks = 9

[dice]
faces = "K"

[endings]
stalemate = "ignored"
bare_king = "draw"
clock = -1
alone_draws = ["K"]
"#;

#[test]
fn all_mistakes_are_found_in_one_run() {
    let mistakes = Variant::mistakes("my.toml", WRONG);
    insta::assert_snapshot!(check_report("my.toml", &mistakes));
}

#[test]
fn syntax_errors_give_line_and_column() {
    check_rejects("name = \"a\nboard = 3", &["`my.toml`, line 1, column 10: not TOML: "]);
    check_rejects("name = \"a\"\nname = \"b\"", &["line 2, column 1: not TOML: duplicate key"]);
    let long = format!("name = {}", "x".repeat(100_000));
    assert!(Variant::mistakes("my.toml", &long)[0].to_string().len() < 200);
}

#[test]
fn keys_and_types_are_explained() {
    let add = |keys: &str| format!("{KINGS}\n{keys}");
    check_rejects(
        &KINGS.replace("royal = true", "royal = \"yes\""),
        &["line 9, key `piece.K.royal`: found the text `yes`, expected `true` or `false`"],
    );
    check_rejects(
        &KINGS.replace("pawn = true", "pwan = true"),
        &["key `piece.P.pwan`: unknown key; did you mean `piece.P.pawn`?"],
    );
    check_rejects(&add("[castle]"), &["key `castle`: unknown key; did you mean `castling`?"]);
    check_rejects(
        &add("mirror = false"),
        &["line 25, key `piece.Q.mirror`: unknown key; `mirror` belongs before the first section"],
    );
    check_rejects(
        &add("zzzzzz = 1"),
        &["key `piece.Q.zzzzzz`: unknown key; expected one of `letter`, `name`, `moves`"],
    );
    check_rejects(
        &format!("max_plies = 1_000_000\n{KINGS}"),
        &["line 1, key `max_plies`: found `1000000`, expected a whole number from 1 to 100000"],
    );
    check_rejects(
        &format!("max_plies = 0x{}\n{KINGS}", "f".repeat(500)),
        &["fff…`, expected a whole number from 1 to 100000"],
    );
    check_rejects(
        &add("limit = 0"),
        &["key `piece.Q.limit`: found `0`, expected a whole number from 1 to 254"],
    );
    check_rejects(
        &add("[endings]\nclock = 65536"),
        &["key `endings.clock`: found `65536`, expected a whole number from 0 to 65535"],
    );
    check_rejects(
        &add("[endings]\nstalemate = \"ignored\""),
        &["key `endings.stalemate`: found the text `ignored`, expected `draw` or `loss`"],
    );
    check_rejects(
        &KINGS.replace("[[promotion]]", "[promotion]"),
        &["key `promotion`: found a section, expected sections `[[promotion]]`"],
    );
    check_rejects(
        &add("[[promotion]]\npieces = \"P\"\nrank = 5\nto = \"Q\""),
        &["line 26, key `promotion[2].pieces`: P promotes in another section already"],
    );
}

#[test]
fn mistakes_are_explained() {
    let add = |keys: &str| format!("{KINGS}\n{keys}");
    check_rejects(&KINGS.replace("2k2/", ""), &["key `start`: FEN field `board`"]);
    check_rejects(
        &KINGS.replace("2k2/2p2/5/2P2/2K2 w", "2k2/2Q2/2K2/5/5 b"),
        &[
            "key `start`: expected a position to play from, found a game that is over (white:checkmate)",
        ],
    );
    check_rejects(&KINGS.replace("2p2", "2x2"), &["the pieces KPQ, not `x` in rank 4"]);
    check_rejects(
        &add("becomes = \"N\""),
        &["key `piece.Q.becomes`: found `N`, expected one of the pieces K P Q"],
    );
    check_rejects(
        &add("[[piece]]\nletter = \"K\"\nmoves = \"K\""),
        &["key `piece[4].letter`: found `K`, which another piece has"],
    );
    check_rejects(
        &add("[[piece]]\nletter = \"kk\"\nmoves = \"W\""),
        &["key `piece[4].letter`: found `kk`"],
    );
    check_rejects(&add("steps = { \"9\" = 2 }"), &["found rank `9`, expected 1 to 5"]);
    check_rejects(
        &KINGS.replace("rank = 5", "rank = 6"),
        &["key `promotion.rank`: found `6`, expected 1 to 5"],
    );
    check_rejects(
        &KINGS.replace("to = \"Q\"", "by_file = \"QQ\""),
        &["found 2 letters, expected one a file: 5"],
    );
    check_rejects(
        &KINGS.replace("to = \"Q\"", "to = \"PK\""),
        &["the royal kind K cannot be a choice", "P promotes and cannot be a choice"],
    );
    check_rejects(
        &KINGS.replace("to = \"Q\"", ""),
        &["key `promotion`: found neither, expected either `to` or `by_file`"],
    );
    check_rejects(
        &add("[castling]\npartner = \"K\"\nsteps = [2]"),
        &["a king cannot castle with a king"],
    );
    check_rejects(
        &add("[castling]\npartner = \"R\"\nsteps = [2, 7]"),
        &["key `castling.partner`: found `R`", "found `7`, expected less than the 5 files"],
    );
    for moves in ["W", "mD", "nD", "DD"] {
        check_rejects(
            &add(&format!("[leap]\nmoves = \"{moves}\"")),
            &["key `leap.moves`: expected leaps of two squares"],
        );
    }
    check_rejects(
        &add("[dice]\nfaces = \"K\""),
        &[
            "key `start`: FEN",
            "key `dice.faces`: expected every piece's letter once: P Q is missing",
        ],
    );
    check_rejects(
        &format!("mirror = true\n{}", KINGS.replace("\"K\"\nroyal", "\"KfrN\"\nroyal")),
        &["key `mirror`: found `true`, expected `false`: a piece moves differently"],
    );
    check_rejects(
        "extends = \"draughts\"",
        &["key `extends`: unknown variant `draughts`, expected one of: chess,"],
    );
    check_rejects(
        "extends = \"ches\"\n[[piece]]\nletter = \"N\"\nmoves = \"X\"",
        &["key `extends`: unknown variant `ches`", "key `piece.N.moves`: `X` at character 1"],
    );
    check_rejects(
        "extends = \"chess\"\nwithout = [\"dice2\", \"piece.X\", \"dice\"]",
        &[
            "key `without`: `dice2` cannot be left out",
            "the extended variant has no piece `X`",
            "the extended variant has no `dice`",
        ],
    );
}

#[test]
fn what_makes_no_sense_is_refused() {
    let add = |keys: &str| format!("{KINGS}\n{keys}");
    check_rejects(
        &KINGS.replace("\"fmWfcF\"", "\"\""),
        &["key `piece.P.moves`: `` at character 1: no moves"],
    );
    check_rejects(
        &add("limit = 2"),
        &["key `piece.Q.limit`: limits how many pieces change to Q, but none does"],
    );
    check_rejects(
        &add("becomes = \"Q\""),
        &["key `piece.Q.becomes`: found the piece's own letter Q"],
    );
    check_rejects(&KINGS.replace("royal = true", ""), &["key `piece`: no piece is royal"]);
    check_rejects(
        &KINGS
            .replace("pieces = \"P\"", "pieces = \"Q\"")
            .replace("to = \"Q\"", "by_file = \"PPPPP\""),
        &["line 11, key `piece.P`: a pawn that only goes forward is stuck on the last rank"],
    );
    check_rejects(
        &KINGS.replace("2k2", "5"),
        &["key `start`: FEN field `board`: found `5/2p2/5/2P2/2K2`, expected a king of black (k)"],
    );
    check_rejects(
        &KINGS.replace("fcF", "fceF"),
        &["key `piece.P.moves`: captures en passant (`e`), but no pawn takes more than one step"],
    );
    let moves = format!("moves = \"{}\"", "W1".repeat(3000));
    check_rejects(&KINGS.replace("moves = \"Q\"", &moves), &["more than 32 parts"]);
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

#[test]
fn meanings_of_built_in_variants_stay() {
    let line = |name: &str| {
        let hash = Variant::named(name).unwrap().hash().0;
        let hex: String = hash[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{name} {hex}")
    };
    let lines: Vec<String> = Variant::names().into_iter().map(line).collect();
    insta::assert_snapshot!(lines.join("\n"));
}
