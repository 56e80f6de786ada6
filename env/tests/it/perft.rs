//! Published and cross-checked counts of action sequences.

use gryphon_env::{Position, Variant};

/// Leaves of the deepest count that is compared where `SLOW_TESTS` is not set.
const MAX_LEAVES: u64 = 12_500_000;

#[track_caller]
fn check(variant: &'static Variant, fen: &str, counts: &[u64]) {
    let position = Position::from_fen(variant, fen).unwrap();
    let is_slow = std::env::var_os("SLOW_TESTS").is_some();
    for (depth, &count) in (1..).zip(counts) {
        if count <= MAX_LEAVES || is_slow {
            assert_eq!(position.perft(depth), count, "depth {depth} of {fen}");
        }
    }
}

#[track_caller]
fn check_start(name: &str, counts: &[u64]) {
    let variant = Variant::named(name).unwrap();
    check(variant, &variant.start().fen(), counts);
}

/// A variant that differs from a built-in one by some keys.
fn changed(parent: &str, keys: &str) -> &'static Variant {
    Variant::from_text("test", &format!("extends = \"{parent}\"\n{keys}")).unwrap()
}

#[test]
fn complicacious() {
    check_start("complicacious", &[21, 441, 11168, 280_477, 8_174_420, 235_246_861]);
}

#[test]
fn complicacious_with_two_queens() {
    let variant = changed("complicacious-limited", "[[piece]]\nletter = \"Q\"\nlimit = 2");
    check(variant, &variant.start().fen(), &[21, 441, 11168, 280_477, 6_778_804, 162_242_695]);
    let middle = "r2q2nr/p5pp/1n2rn2/2nB4/5N2/R2R2q1/P2P3P/R2Q3R w - - 0 1";
    check(variant, middle, &[30, 982, 27370, 1_014_040]);
    let without_limits = Variant::named("complicacious").unwrap();
    check(without_limits, middle, &[39, 1848, 73300, 3_239_509]);
}

#[test]
fn complicacious_simplified() {
    check_start("complicacious-simplified", &[18, 324, 6732, 138_458, 3_199_276]);
}

#[test]
fn complicacious_simplified_with_restricted_kings() {
    let keys = "king_restriction = true\n[[piece]]\nletter = \"Q\"\nlimit = 2";
    let variant = changed("complicacious-simplified-limited", keys);
    check(variant, &variant.start().fen(), &[16, 256, 4896, 92350, 1_993_716, 42_279_298]);
}
