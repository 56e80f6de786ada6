//! FENs that break the rules are refused by field.

use gryphon_env::{Position, Variant};

#[track_caller]
fn check_rejects(name: &str, fen: &str, message: &str) {
    let error = Position::from_fen(Variant::named(name).unwrap(), fen).unwrap_err().to_string();
    assert!(error.contains(message), "unexpected message: {error}");
}

#[test]
fn wrong_fields_are_named() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    check_rejects("chess", &format!("{start} w AHah - 0"), "found 5 fields, expected 6");
    check_rejects("chess", &format!("{start} x AHah - 0 1"), "`side`: found `x`");
    check_rejects("chess", &format!("{start} w AHX - 0 1"), "`rights`: found `AHX`");
    check_rejects("chess", &format!("{start} w AA - 0 1"), "each once");
    check_rejects("chess", &format!("{start} w AHah e9 0 1"), "`ep`: found `e9`");
    check_rejects("chess", &format!("{start} w AHah e2 0 1"), "empty squares");
    check_rejects(
        "chess",
        "4k3/8/8/2pp4/8/8/8/4K3 w - d6,c6 0 1",
        "squares sorted by text, each once",
    );
    check_rejects("chess", &format!("{start} w AHah - 00 1"), "`halfmove`: found `00`");
    check_rejects("chess", &format!("{start} w AHah - 0 0"), "`fullmove`: found `0`");
    check_rejects(
        "chess",
        "rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w AHah - 0 1",
        "8 ranks, not 7",
    );
    check_rejects(
        "chess",
        "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
        "8 squares in rank 7, not 9",
    );
    check_rejects(
        "chess",
        "rnbqkbnx/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
        "not `x` in rank 8",
    );
    check_rejects("chess", "4k3/8/8/8/8/8/8/99999999999999999999 w - - 0 1", "8 squares in rank 1");
    check_rejects("chess", "4k3/8/8/8/08/8/8/4K3 w - - 0 1", "without leading zero");
    check_rejects(
        "chess",
        "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "no white P on a rank where it promotes",
    );
    check_rejects(
        "chess",
        "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
        "no king of black attacked while white moves",
    );
    check_rejects("chess", "4k3/8/8/8/8/8/8/4K3 w H - 0 1", "stand on their first squares");
    check_rejects("chess", "4k3/8/8/8/8/8/4K3/7R w H - 0 1", "stand on their first squares");
}

#[test]
fn extra_fields_are_checked() {
    let start = Variant::named("gryphon-aanca").unwrap().start().fen();
    let without = |extra: &str| start.replace("setup", extra);
    check_rejects("gryphon-aanca", start.trim_end_matches(" setup"), "found 6 fields, expected 7");
    check_rejects("gryphon-aanca", &without("setup:e1"), "squares exchanged");
    check_rejects(
        "gryphon-aanca",
        &without("setup:e1,d2"),
        "exchangeable units on their first squares",
    );
    check_rejects("gryphon-aanca", &without("setup:d2,e1"), "squares exchanged");
    check_rejects("gryphon-aanca", &without("setup!"), "squares exchanged");
    check_rejects("gryphon-aanca", &without("a12"), "squares of units moved in this turn");
    check_rejects("gryphon-aanca", &without("b1,a1"), "sorted by rank");
    check_rejects("gryphon-aanca", &without("a1,b1,c1,d1,e1"), "squares of units moved");
    check_rejects(
        "gryphon-aanca",
        &without("a1").replace(" 1 a1", " 6 a1"),
        "squares of units moved",
    );
    let dice = Variant::named("grant-acedrex-dice").unwrap().start().fen();
    check_rejects("grant-acedrex-dice", &dice.replace(" 1 -", " 1 9"), "a face from 1 to 8");
    check_rejects(
        "grant-acedrex-dice",
        "k11/12/12/12/12/12/12/12/12/12/12/1R9K w - - 0 1 7",
        "a face whose kind has a legal action",
    );
}

#[test]
fn orthodox_rights_are_normalised() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQq - 3 9";
    let position = Position::from_fen(Variant::named("chess").unwrap(), fen).unwrap();
    assert_eq!(position.fen(), "r3k2r/8/8/8/8/8/8/R3K2R w AHa - 3 9");
}

#[test]
fn only_squares_that_a_pawn_has_just_passed_are_listed() {
    let accepts = |name: &str, fen: &str| {
        let position = Position::from_fen(Variant::named(name).unwrap(), fen).unwrap();
        assert_eq!(position.fen(), fen);
    };
    accepts("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    check_rejects("chess", "4k3/8/8/8/4P3/8/4P3/4K3 b - e3 0 1", "unlike e3");
    let setup = Variant::named("gryphon-aanca").unwrap().start().fen();
    check_rejects("gryphon-aanca", &setup.replace(" - 0 1", " a8 0 1"), "`-` before the game");
    for square in ["d3", "d4", "d7", "e6"] {
        let fen = format!("4k3/8/8/3pP3/8/8/8/4K3 w - {square} 0 1");
        check_rejects("chess", &fen, "squares that a pawn of black has just passed over");
    }
    check_rejects("chess", "4k3/8/8/4P3/8/8/8/4K3 b - e4 0 1", "a pawn of white");
    let toulousain = |ep: &str| format!("k11/12/12/12/12/12/5P6/12/12/12/12/K11 b - {ep} 0 1");
    accepts("toulousain", &toulousain("f5"));
    check_rejects("toulousain", &toulousain("f4"), "a pawn of white has just passed over");
}

#[test]
fn every_side_has_a_king_where_no_piece_becomes_one() {
    check_rejects("chess", "8/8/8/8/8/8/8/8 w - - 0 1", "expected a king of white (K)");
    check_rejects("chess", "8/8/8/8/8/8/8/4K3 w - - 0 1", "expected a king of black (k)");
    let chess = Variant::named("chess").unwrap();
    let fen = "8/8/8/8/8/8/8/4N3 w - - 0 1";
    assert_eq!(Position::from_fen_without_kings(chess, fen).unwrap().perft(1), 4);
    assert_eq!(
        Position::from_fen(Variant::named("complicacious").unwrap(), fen).unwrap().fen(),
        fen
    );
}

#[test]
fn long_texts_are_shortened() {
    let chess = Variant::named("chess").unwrap();
    let long = "8".repeat(100_000);
    for fen in
        [long.clone(), format!("{long} w - - 0 1"), format!("4k3/8/8/8/8/8/8/4K3 w - - {long} 1")]
    {
        let error = Position::from_fen(chess, &fen).unwrap_err().to_string();
        assert!(error.contains("88…`") && error.len() < 300, "{error}");
    }
    let error = chess.start().parse_action(&long).unwrap_err().to_string();
    assert!(error.contains("88…`") && error.len() < 400, "{error}");
    let error = Variant::named(&long).unwrap_err().to_string();
    assert!(error.contains("88…`") && error.len() < 400, "{error}");
}
