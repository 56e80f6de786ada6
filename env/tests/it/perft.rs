//! Published and cross-checked counts of action sequences.

use gryphon_env::{Position, Variant};

#[track_caller]
fn check(variant: &'static Variant, fen: &str, counts: &[u64]) {
    let position = Position::from_fen(variant, fen).unwrap();
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(position.perft(depth), count, "depth {depth} of {fen}");
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

#[test]
fn complicacious_circular() {
    check_start("complicacious-circular", &[20, 400, 9926, 243_435, 7_060_572]);
    check_start("complicacious-circular-limited", &[20, 400, 9926, 243_435, 5_766_904]);
}

#[test]
fn grant_acedrex() {
    check_start("grant-acedrex", &[59, 3481, 206_209, 12_199_605, 726_725_551]);
}

#[test]
fn grant_acedrex_with_double_steps() {
    let variant = changed("grant-acedrex", "[[piece]]\nletter = \"P\"\nsteps = { \"4\" = 2 }");
    check(variant, &variant.start().fen(), &[71, 5041, 361_317, 25_858_687]);
}

#[test]
fn toulousain() {
    check_start("toulousain", &[39, 1521, 66518, 2_906_916]);
}

#[test]
fn toulousain_with_corporals_in_front() {
    let start = "cm8mc/ernbgkqlbnre/ppxxxxxxxxpp/2pppppppp2/12/12/12/12/2PPPPPPPP2/PPXXXXXXXXPP/ERNBGKQLBNRE/CM8MC w BKbk - 0 1";
    let variant = changed("toulousain", &format!("start = \"{start}\""));
    check(variant, start, &[54, 2916, 158_526]);
}

#[test]
fn gryphon_aanca() {
    check_start("gryphon-aanca", &[9, 41, 356, 4708, 178_856]);
    let variant = Variant::named("gryphon-aanca").unwrap();
    let begun = variant.start().fen().replace("setup", "-");
    check(variant, &begun, &[36, 1380, 53840, 2_119_580]);
}

#[test]
fn chess() {
    let variant = Variant::named("chess").unwrap();
    check_start("chess", &[20, 400, 8902, 197_281, 4_865_609, 119_060_324]);
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    check(variant, kiwipete, &[48, 2039, 97862, 4_085_603, 193_690_690]);
    let rooks_and_pawns = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    check(variant, rooks_and_pawns, &[14, 191, 2812, 43238, 674_624, 11_030_083, 178_633_661]);
    let promotions = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
    check(variant, promotions, &[6, 264, 9467, 422_333, 15_833_292]);
    let mirrored = "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1";
    check(variant, mirrored, &[6, 264, 9467, 422_333, 15_833_292]);
    let knight_on_f2 = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";
    check(variant, knight_on_f2, &[44, 1486, 62379, 2_103_487, 89_941_194]);
    let balanced = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
    check(variant, balanced, &[46, 2079, 89890, 3_894_594, 164_075_551]);
}

/// Boards that no built-in variant has, with counts that other programs agree on.
#[test]
fn other_boards() {
    let counts: [(&str, &str, &[u64]); 4] = [
        (
            "capablanca",
            include_str!("../variants/capablanca.toml"),
            &[28, 784, 25228, 805_128, 28_741_319],
        ),
        (
            "camels",
            include_str!("../variants/camels.toml"),
            &[32, 1024, 36776, 1_317_661, 52_791_171],
        ),
        (
            "acedrex-12x10",
            include_str!("../variants/acedrex-12x10.toml"),
            &[39, 1521, 60951, 2_438_269, 100_231_624],
        ),
        ("cannons", include_str!("../variants/cannons.toml"), &[58, 3360, 202_338, 12_163_461]),
    ];
    for (name, text, counts) in counts {
        let variant = Variant::from_text(name, text).unwrap();
        check(variant, &variant.start().fen(), counts);
    }
}
