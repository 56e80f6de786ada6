//! Golden positions: every line of every fixture is reproduced.

use std::path::Path;

use gryphon_env::{Action, Golden, MaxLeaves, Position, Variant, verify};

/// Leaves of the deepest count that is compared where a difference is looked for.
const MAX_LEAVES: MaxLeaves = MaxLeaves(400_000);

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/{name}.jsonl"));
    std::fs::read_to_string(path).unwrap()
}

#[track_caller]
fn check_fixtures(name: &str) {
    let variant = Variant::named(name).unwrap();
    let text = text(name);
    let report = verify(variant, name, &text, MaxLeaves(u64::MAX)).unwrap();
    assert!(report.is_success(), "{report}");
    assert!(report.n_lines > 50, "{} lines", report.n_lines);
    for line in text.lines() {
        check_consistency(variant, &Golden::parse(line).unwrap());
    }
}

/// What the rules must say about themselves in a golden position.
fn check_consistency(variant: &'static Variant, golden: &Golden) {
    let fen = &golden.fen;
    let position = Position::from_fen(variant, fen).unwrap();
    let (mut actions, mut again): (Vec<Action>, _) = (Vec::new(), vec![Action::END; 3]);
    position.legal_actions(&mut actions);
    assert_eq!(position.legal_actions_and_outcome(&mut again), position.outcome(), "{fen}");
    assert_eq!(again, actions, "both ways to list the actions in {fen}");
    for (action, after) in &golden.after {
        let Ok(action) = position.parse_action(action) else { continue };
        let mut next = position.clone();
        next.play(action);
        assert_eq!(next.key(), next.computed_key(), "hash after {action:?} in {fen}");
        let read = Position::from_fen(variant, after).unwrap();
        assert_eq!(next.key(), read.key(), "hash of {after}");
    }
    let played = *golden.perft.get(1).unwrap_or(&0);
    assert_eq!(position.perft_played(2), played, "played perft of {fen}");
}

macro_rules! fixtures {
    ($($test:ident: $name:literal,)*) => {
        $(#[test]
        fn $test() {
            check_fixtures($name);
        })*
    };
}

fixtures! {
    chess: "chess",
    complicacious: "complicacious",
    complicacious_circular: "complicacious-circular",
    complicacious_circular_limited: "complicacious-circular-limited",
    complicacious_limited: "complicacious-limited",
    complicacious_simplified: "complicacious-simplified",
    complicacious_simplified_limited: "complicacious-simplified-limited",
    grant_acedrex: "grant-acedrex",
    gryphon_aanca: "gryphon-aanca",
    toulousain: "toulousain",
}

#[track_caller]
fn check_finds(change: impl Fn(&mut Golden), message: &str) {
    let variant = Variant::named("chess").unwrap();
    let mut golden = Golden::parse(text("chess").lines().next().unwrap()).unwrap();
    change(&mut golden);
    let found: Vec<String> =
        golden.differences(variant, MAX_LEAVES).iter().map(ToString::to_string).collect();
    assert!(found.iter().any(|difference| difference.contains(message)), "{found:?}");
}

#[test]
fn every_kind_of_difference_is_found() {
    check_finds(|golden| golden.fen.push('x'), "FEN field `fullmove`: found `1x`");
    check_finds(|golden| golden.fen = golden.fen.replace("AHah", "KQkq"), "FEN is written as");
    check_finds(|golden| golden.check = true, "no check found, check expected");
    check_finds(
        |golden| golden.outcome = Some("draw:stalemate".into()),
        "found none, expected draw",
    );
    check_finds(|golden| golden.actions[0] = "a2a5".into(), "missing a2a5; too many a2a3");
    check_finds(|golden| golden.perft[1] = 401, "perft 2: found 400, expected 401");
    let wrong_after = |golden: &mut Golden| {
        golden.after.insert("a2a4".into(), "8/8".into());
    };
    let wrong_action = |golden: &mut Golden| {
        golden.after.insert("a2a5".into(), "8/8".into());
    };
    check_finds(wrong_action, "after a2a5: not a legal action here");
    check_finds(wrong_after, "after a2a4: found `rnbqkbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBQKBNR b");
}

#[test]
fn a_report_shows_the_first_differences_with_a_board() {
    let variant = Variant::named("chess").unwrap();
    let text = text("chess");
    let mut lines = text.lines();
    let first = lines.next().unwrap().replace("\"check\":false", "\"check\":true");
    let second = lines.next().unwrap();
    let report =
        verify(variant, "my.jsonl", &format!("{first}\n\n{second}\n"), MAX_LEAVES).unwrap();
    assert!(!report.is_success());
    insta::assert_snapshot!(report);
}

#[track_caller]
fn check_unusable(text: &str, message: &str) {
    let variant = Variant::named("chess").unwrap();
    let error = verify(variant, "my.jsonl", text, MAX_LEAVES).unwrap_err().to_string();
    assert_eq!(error, message);
}

#[test]
fn unusable_files_are_explained() {
    check_unusable(
        "\n \n",
        "`my.jsonl` holds no golden positions, expected one JSON object a line",
    );
    check_unusable("\nnonsense", "`my.jsonl`, line 2: not JSON at character 2");
    check_unusable(
        "{\"fen\": \"8/8",
        "`my.jsonl`, line 1: not JSON at character 12: the line ends too early",
    );
    check_unusable(
        "[3]",
        "`my.jsonl`, line 1: found `[3]`, expected an object with `fen`, `actions`, `check`, `outcome`, and maybe `perft` and `after`",
    );
    check_unusable(
        "{\"fenn\": \"\"}",
        "`my.jsonl`, line 1: unknown key `fenn`, did you mean `fen`?",
    );
    check_unusable("{}", "`my.jsonl`, line 1: key `fen`: found nothing, expected a FEN in quotes");
    let golden = |rest: &str| format!("{{\"fen\": \"8/8\", \"actions\": [], {rest}}}");
    check_unusable(
        &golden("\"check\": 1"),
        "`my.jsonl`, line 1: key `check`: found `1`, expected `true` or `false`",
    );
    check_unusable(
        &golden("\"check\": true, \"perft\": [1, -2]"),
        "`my.jsonl`, line 1: key `perft`: found `[1,-2]`, expected a list of whole numbers",
    );
    check_unusable(
        &golden("\"check\": true, \"outcome\": 7"),
        "`my.jsonl`, line 1: key `outcome`: found `7`, expected a text as in `white:checkmate`, or `null`",
    );
    let long = format!("{:?}", "x".repeat(100_000));
    let variant = Variant::named("chess").unwrap();
    let error = verify(variant, "my.jsonl", &long, MAX_LEAVES).unwrap_err().to_string();
    assert!(error.len() < 300, "{error}");
}

#[test]
fn counts_behind_one_that_is_too_large_are_not_compared() {
    let variant = Variant::named("chess").unwrap();
    let mut golden = Golden::parse(text("chess").lines().next().unwrap()).unwrap();
    golden.perft = vec![20, 400, 8902, u64::MAX, 1, 2, 3];
    assert!(golden.differences(variant, MAX_LEAVES).is_empty());
}
