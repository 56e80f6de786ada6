//! What the reader of Betza notation takes and refuses.

use super::*;

fn leaps(text: &str) -> Vec<Offset> {
    let parts = parse(text).unwrap();
    let mut all: Vec<_> = parts.into_iter().flat_map(|part| part.leaps).collect();
    all.sort_unstable();
    all
}

#[track_caller]
fn check_rejects(text: &str, message: &str) {
    let errors = parse(text).unwrap_err();
    let error = errors[0].to_string();
    assert!(errors.len() == 1 && error.contains(message), "unexpected: {errors:?}");
}

#[test]
fn directions_choose_leaps() {
    assert_eq!(leaps("K").len(), 8);
    assert_eq!(leaps("KNAD").len(), 24);
    assert_eq!(leaps("fWfFbW"), [(-1, 1), (0, -1), (0, 1), (1, 1)]);
    assert_eq!(leaps("bN"), [(-2, -1), (-1, -2), (1, -2), (2, -1)]);
    assert_eq!(leaps("ffN"), [(-1, 2), (1, 2)]);
    assert_eq!(leaps("fsN"), [(-2, 1), (2, 1)]);
    assert_eq!(leaps("flF"), [(-1, 1)]);
    assert_eq!(leaps("fsW"), [(-1, 0), (0, 1), (1, 0)]);
}

#[test]
fn both_names_of_a_gryphon_agree() {
    assert_eq!(parse("FyafsF"), parse("t[FR]"));
    assert_eq!(parse("WyafsW"), parse("t[WB]"));
}

#[test]
fn modes_are_read() {
    let pawn = parse("fmWfmnDfceF").unwrap();
    assert_eq!(pawn.len(), 3);
    assert_eq!(pawn[1].path, Path::Lame);
    assert_eq!(pawn[2].modes, Modes { moves: false, captures: true, en_passant: true });
    let cannon = parse("mRcpR").unwrap();
    assert_eq!(cannon[1].path, Path::Hop);
    assert_eq!(cannon[0].range, UNLIMITED);
    assert_eq!(parse("R4").unwrap()[0].range, 4);
    assert_eq!(parse("NN").unwrap()[0].range, UNLIMITED);
}

#[test]
fn mistakes_are_explained() {
    check_rejects("X", "unknown atom `X`");
    check_rejects("é", "unknown atom `é`");
    check_rejects("fq", "unknown modifier `q`");
    check_rejects("f", "expected an atom");
    check_rejects("feF", "`e` needs `c`");
    check_rejects("t[FR", "expected `]`");
    check_rejects("t[RB]", "must be a leap");
    check_rejects("pN", "`p` needs a slider");
    check_rejects("nN", "`n` needs a straight leap");
    check_rejects("", "no moves");
    check_rejects("KRK", "at character 3: the same moves a second time");
}

#[test]
fn ranges_stay_on_the_largest_board() {
    assert_eq!(parse("R15").unwrap()[0].range, 15);
    check_rejects("R16", "found a range of `16`, expected 1 to 15; `R` goes on to the edge");
    check_rejects("W0", "found a range of `0`, expected 1 to 15; `WW` goes on to the edge");
    check_rejects("R04", "found a range of `04`");
    check_rejects(&format!("R{}", "9".repeat(5000)), "9…`, expected 1 to 15");
}

#[test]
fn letters_without_effect_are_refused() {
    check_rejects("npR", "`n` and `p` contradict each other");
    check_rejects("mcW", "`m` and `c` together say nothing");
    check_rejects("cpppR", "at character 3: `p` a second time");
    check_rejects("nW", "`n` needs a straight leap over squares");
    check_rejects("ceR", "`e` needs a single leap");
    check_rejects("ncet[FR]", "`e`, `n` and `p` do not go with `t[…]`");
    check_rejects("t[mFR]", "stand before `t[…]`");
    check_rejects("ft[fFR]", "expected one");
    check_rejects("pFyafsF", "`yafs` goes with");
    check_rejects("F3yafsF", "`yafs` goes with");
    check_rejects("sF", "`s` of `s` changes nothing for a leap (1,1)");
    check_rejects("ffW", "`f` of `ff` changes nothing");
    check_rejects("fbN", "changes nothing for a leap (2,1)");
    check_rejects(&"f".repeat(100_000), "more than 8 letters");
    assert!(parse("fmceF").unwrap()[0].modes.moves);
}

#[test]
fn a_text_has_a_largest_length_and_shows_all_its_mistakes() {
    check_rejects(&"fmWbcF".repeat(3000), "at character 97: more than 32 parts");
    let errors = |text: &str| parse(text).unwrap_err().iter().map(|it| it.at).collect::<Vec<_>>();
    assert_eq!(errors("xWKyN"), [0, 3]);
    assert_eq!(errors("t[RB]R16F"), [2, 6]);
    let many: String =
        (1..=15).flat_map(|n| ["W", "F", "D"].map(|it| format!("{it}{n}"))).collect();
    assert!(parse(&many).unwrap_err()[0].to_string().contains("more than 32 parts"));
}
