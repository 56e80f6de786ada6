//! Golden positions: every line of every fixture is reproduced.

use std::collections::BTreeMap;
use std::path::Path;

use gryphon_env::{Action, DrawReason, Outcome, Position, Variant};
use serde::Deserialize;

/// One golden position.
#[derive(Debug, Deserialize)]
struct Golden {
    fen: String,
    actions: Vec<String>,
    check: bool,
    outcome: Option<String>,
    perft: Vec<u64>,
    after: BTreeMap<String, String>,
}

/// Leaves of the deepest count that is compared where `SLOW_TESTS` is not set.
const MAX_LEAVES: u64 = 400_000;

fn goldens(name: &str) -> Vec<Golden> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/{name}.jsonl"));
    let text = std::fs::read_to_string(&path).unwrap();
    let goldens: Vec<_> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(goldens.len() > 50, "{} lines in {}", goldens.len(), path.display());
    goldens
}

/// The outcome as fixtures show it: without draws by rule.
fn shown(outcome: Option<Outcome>) -> Option<String> {
    match outcome? {
        Outcome::Draw {
            reason:
                DrawReason::Clock
                | DrawReason::OnlyKings
                | DrawReason::InsufficientMaterial
                | DrawReason::Repetition,
        } => None,
        outcome => Some(outcome.to_string()),
    }
}

/// The action called `text`. Of a bared king, fixtures show also moves that the end forbids.
fn action_of(position: &Position, text: &str) -> Action {
    if position.outcome().is_none_or(|outcome| shown(Some(outcome)).is_none()) {
        return position.parse_action(text).unwrap();
    }
    let size = position.variant().size();
    let (from, to) = (1..text.len())
        .find_map(|at| Some((size.parse_square(&text[..at])?, size.parse_square(&text[at..])?)))
        .unwrap();
    Action::new_move(from, to)
}

fn check_golden(variant: &'static Variant, golden: &Golden) {
    let fen = &golden.fen;
    let position = Position::from_fen(variant, fen).unwrap();
    assert_eq!(&position.fen(), fen);
    assert_eq!(position.is_check(), golden.check, "check in {fen}");
    assert_eq!(shown(position.outcome()), golden.outcome, "outcome of {fen}");
    let mut actions: Vec<Action> = Vec::new();
    position.legal_actions(&mut actions);
    let mut texts: Vec<String> =
        actions.iter().map(|&action| variant.action_text(action)).collect();
    texts.sort_unstable();
    assert_eq!(texts, golden.actions, "actions in {fen}");
    let mut again = vec![Action::END; 3];
    assert_eq!(
        position.legal_actions_and_outcome(&mut again),
        position.outcome(),
        "outcome of {fen}"
    );
    assert_eq!(again, actions, "both ways to list the actions in {fen}");
    for (action, after) in &golden.after {
        let mut next = position.clone();
        next.play(action_of(&position, action));
        assert_eq!(&next.fen(), after, "after {action} in {fen}");
        assert_eq!(next.key(), next.computed_key(), "hash after {action} in {fen}");
        let read = Position::from_fen(variant, after).unwrap();
        assert_eq!(next.key(), read.key(), "hash of {after}");
    }
    let is_slow = std::env::var_os("SLOW_TESTS").is_some();
    for (depth, &leaves) in (1..).zip(&golden.perft) {
        if leaves <= MAX_LEAVES || is_slow {
            assert_eq!(position.perft(depth), leaves, "perft {depth} of {fen}");
        }
    }
    assert_eq!(
        position.perft_played(2),
        *golden.perft.get(1).unwrap_or(&0),
        "played perft of {fen}"
    );
}

#[track_caller]
fn check_fixtures(name: &str) {
    let variant = Variant::named(name).unwrap();
    for golden in goldens(name) {
        check_golden(variant, &golden);
    }
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
