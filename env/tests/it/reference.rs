//! The pages of `docs/reference` that describe observations and actions follow from the code.
//! `UPDATE_REFERENCE=1 cargo test -p gryphon-env` writes them again.

use std::fmt::Write;
use std::path::Path;

use gryphon_env::{ActionIndex, ActionParts, Color, PlaneContent, Variant};

use crate::random_games::variants;

#[track_caller]
fn check(page: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference").join(page);
    if std::env::var_os("UPDATE_REFERENCE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "docs/reference/{page} does not follow from the code; run the tests with UPDATE_REFERENCE=1"
    );
}

#[test]
fn observation_page_follows_from_the_code() {
    let mut text = String::from(OBSERVATION_HEAD);
    for variant in variants() {
        let layout = variant.observation();
        let size = variant.size();
        write!(
            text,
            "\n## {}\n\n`[{}, {}, {}]`, packed `[{}, {}]` and `[{}]`, layout hash `{}`\n\n| plane | shows | numbers | byte of 1 |\n|--:|---|---|--:|\n",
            variant.name(),
            layout.n_planes(),
            size.ranks(),
            size.files(),
            layout.n_planes_of_squares(),
            layout.packed_len(),
            layout.n_constants(),
            hex(&layout.hash().0[..8]),
        )
        .unwrap();
        for (index, plane) in layout.planes().iter().enumerate() {
            let content = match plane.content {
                PlaneContent::Squares => "1 on these squares",
                PlaneContent::Constant { .. } => "the same everywhere",
            };
            let scale = plane.full_scale();
            writeln!(text, "| {index} | {} | {content} | {scale} |", plane.name).unwrap();
        }
    }
    check("observation.md", &text);
}

#[test]
fn action_page_follows_from_the_code() {
    let mut text = String::from(ACTIONS_HEAD);
    for variant in variants() {
        text.push_str(&action_row(variant));
    }
    text.push_str(EXAMPLES_HEAD);
    for variant in variants() {
        let space = variant.action_space();
        let last = space.len() - 1;
        for index in [0, last / 2, last] {
            let name = |color| {
                let action = space.action(ActionIndex(index as u16), color).unwrap();
                variant.action_text(action)
            };
            let (white, black) = (name(Color::White), name(Color::Black));
            writeln!(text, "| `{}` | {index} | `{white}` | `{black}` |", variant.name()).unwrap();
        }
    }
    check("actions.md", &text);
}

fn action_row(variant: &Variant) -> String {
    let space = variant.action_space();
    let count = |fits: fn(&ActionParts) -> bool| space.parts().iter().filter(|p| fits(p)).count();
    let quiet = count(|part| matches!(part, ActionParts::Move { promotion: None, .. }));
    let promotions = count(|part| matches!(part, ActionParts::Move { promotion: Some(_), .. }));
    let swaps = count(|part| matches!(part, ActionParts::Swap { .. }));
    let ends = count(|part| matches!(part, ActionParts::End));
    let mirrored = if space.mirrored().is_some() { "yes" } else { "no" };
    let mut hasher = blake3::Hasher::new();
    for part in space.parts() {
        hasher.update(format!("{part:?}\n").as_bytes());
    }
    let hash = hex(&hasher.finalize().as_bytes()[..8]);
    format!(
        "| `{}` | {} | {quiet} | {promotions} | {swaps} | {ends} | {mirrored} | `{hash}` |\n",
        variant.name(),
        space.len()
    )
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

const OBSERVATION_HEAD: &str = "\
# Observation planes

Written by a test from the code: `UPDATE_REFERENCE=1 cargo test -p gryphon-env`.

An observation is `[C, H, W]`: planes, ranks, files, row-major, numbers in `[0, 1]`. It is seen by the
side to move: row 0 is that side's first rank (ranks are mirrored for Black, files are not), and `own` is
that side. While the die is about to be rolled, the side that moves afterwards is the side to move.

A plane exists only where the variant's rules give it something to show, and only this layout's hash makes
two observations comparable: agents carry it. It covers names, order, board size and a version. Shards hold
games, from which planes are made again.

The same planes come in three forms:

- *Numbers*: `f32`.
- *Bytes*: `u8`, the number times what the column *byte of 1* says: squares are 0 or 1, constant planes hold the
  count itself. A byte divided by that is the `f32`, bit for bit, unless counts go beyond 255: then 255 stands
  for 1 and the byte is rounded.
- *Packed*: the planes that show squares as bits, `[P, B]`, `B` the number of squares divided by 8 and rounded up;
  square `s = rank * files + file` is bit `s % 8` of byte `s / 8`. Beside them the numbers of the planes that are
  the same everywhere, `[K]`, `f32`. Both in the order of the table.

- *First-move right*: a castling partner that has not moved, or a king that may still leap.
- *Passed over by pawns*: where a pawn may be captured en passant; in an unfinished turn of several moves
  also the squares that the mover's own pawns have passed.
- *Occurred before*: the position came up earlier in the game. A third time is a draw.
- *Last action*: of either side, the die left out. `end` shows nothing; a swap shows its two squares.
";

const ACTIONS_HEAD: &str = "\
# Action indices

Written by a test from the code: `UPDATE_REFERENCE=1 cargo test -p gryphon-env`.

Every action that some unit of a variant could take on an empty board, by capture, by castling, by a leap or
by a swap has an index; `end` has one where turns or set-ups end by choice. Indices are dense and depend on
nothing but the variant's text. Rolls of the die are chance events and have none.

Indices are seen by the side that acts: for Black ranks are mirrored, files are not. So `e2e4` by White and
`e7e5` by Black share an index on an 8×8 board. The order is: moves by from-square, to-square (a1, b1, …) and
promotion (none first, then the variant's order of kinds), then swaps by first and second square, then `end`.

*Mirrored*: whether left and right can be exchanged; then a table maps every index to its mirror image.
The hash covers the whole list.

| variant | indices | moves | promotions | swaps | end | mirrored | hash |
|---|--:|--:|--:|--:|--:|---|---|
";

const EXAMPLES_HEAD: &str = "
## Examples

| variant | index | by White | by Black |
|---|--:|---|---|
";
