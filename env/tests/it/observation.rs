//! The observation planes of all variants.

use gryphon_env::{
    Game, ObservationContext, Phase, PlaneContent, Position, Repetitions, Square, Variant,
};

use crate::mirror::swap_sides;
use crate::random_games::{variants, walk};

fn encode(position: &Position, context: ObservationContext) -> Vec<f32> {
    let variant = position.variant();
    let layout = variant.observation();
    // Whatever lies in the buffer must be overwritten.
    let mut out = vec![f32::NAN; layout.n_planes() * variant.size().n_squares()];
    layout.encode(position, context, &mut out);
    out
}

/// The planes of a position, drawn from the mover's side; only those that show something.
fn draw(game: &Game) -> String {
    let variant = game.position().variant();
    let out = encode(game.position(), game.observation_context());
    let (files, size) = (usize::from(variant.size().files()), variant.size().n_squares());
    let mut text = format!("{}\n", game.position().fen());
    let mut empty = Vec::new();
    let mut boards: Vec<(String, Vec<String>)> = Vec::new();
    for (index, (plane, numbers)) in
        variant.observation().planes().iter().zip(out.chunks(size)).enumerate()
    {
        let title = format!("{index} {}", plane.name);
        if numbers.iter().all(|&number| number == 0.0) {
            empty.push(index.to_string());
        } else if matches!(plane.content, PlaneContent::Constant { .. }) {
            text.push_str(&format!("{title}: {:.2}\n", numbers[0]));
        } else {
            let mark = |&number: &f32| if number == 0.0 { '.' } else { '#' };
            let rows = numbers.chunks(files).rev().map(|row| row.iter().map(mark).collect());
            boards.push((title, rows.collect()));
        }
    }
    for group in boards.chunks(4) {
        let width = group.iter().map(|(title, _)| title.len()).max().unwrap().max(files) + 3;
        let mut line = |cells: Vec<&str>| {
            let row: String = cells.into_iter().map(|cell| format!("{cell:<width$}")).collect();
            text.push_str(row.trim_end());
            text.push('\n');
        };
        line(group.iter().map(|(title, _)| title.as_str()).collect());
        for row in 0..group[0].1.len() {
            line(group.iter().map(|(_, rows)| rows[row].as_str()).collect());
        }
    }
    text.push_str(&format!("zero: {}\n", empty.join(" ")));
    text
}

#[test]
fn start_positions_look_as_drawn() {
    for variant in variants() {
        insta::assert_snapshot!(
            format!("planes-{}", variant.name()),
            draw(&Game::new(variant.start()))
        );
    }
}

#[test]
fn later_positions_look_as_drawn() {
    for (variant, plies) in [("gryphon-aanca", 30), ("grant-acedrex-dice", 41), ("chess", 30)] {
        let mut drawn = None;
        walk(Variant::named(variant).unwrap(), 2, |game| {
            if game.actions().len() == plies {
                drawn = Some(draw(game));
            }
        });
        insta::assert_snapshot!(format!("later-planes-{variant}"), drawn.unwrap());
    }
}

#[test]
fn numbers_lie_between_0_and_1_and_units_are_complete() {
    for variant in variants() {
        let size = variant.size().n_squares();
        let n_unit_planes = 2 * variant.kinds().len();
        walk(variant, 8, |game| {
            let out = encode(game.position(), game.observation_context());
            assert!(out.iter().all(|number| (0.0..=1.0).contains(number)));
            let n_units = variant
                .size()
                .squares()
                .filter(|&square| game.position().piece_at(square).is_some())
                .count();
            let n_marks = out[..n_unit_planes * size].iter().filter(|&&x| x == 1.0).count();
            assert_eq!(n_units, n_marks, "{}", game.position().fen());
        });
    }
}

#[test]
fn both_sides_see_the_same_planes() {
    for variant in variants() {
        walk(variant, 9, |game| {
            // In the set-up White comes first, so that Black's position has no counterpart.
            if game.position().phase() == Phase::Setup {
                return;
            }
            let fen = game.position().fen();
            let swapped = Position::from_fen(variant, &swap_sides(variant, &fen)).unwrap();
            let context = ObservationContext::default();
            let planes = encode(game.position(), context);
            assert!(planes == encode(&swapped, context), "{fen}");
        });
    }
}

#[test]
fn the_past_is_shown() {
    let variant = Variant::named("complicacious-simplified").unwrap();
    let mut game = Game::new(variant.start());
    let plane = |game: &Game, name: &str| {
        let index = variant.observation().planes().iter().position(|plane| plane.name == name);
        encode(game.position(), game.observation_context())[index.unwrap() * 64..][..64].to_vec()
    };
    let marks = |numbers: &[f32]| -> Vec<usize> {
        (0..64).filter(|&square| numbers[square] == 1.0).collect()
    };
    let mut repetitions = Vec::new();
    for action in ["e1d1", "e8d8", "d1e1", "d8e8", "e1d1", "e8d8", "d1e1"] {
        let action = game.position().parse_action(action).unwrap();
        game.play(action);
        repetitions.push(game.repetitions());
        let before = marks(&plane(&game, "position occurred before")).len();
        assert_eq!(before == 64, game.repetitions() > Repetitions(0));
    }
    assert_eq!(repetitions.iter().filter(|n| n.0 > 0).count(), 4);
    // Black to move: d1 and e1 are on the far rank.
    assert_eq!(marks(&plane(&game, "square the last action came from")), [59]);
    assert_eq!(marks(&plane(&game, "square the last action went to")), [60]);
    let clock = plane(&game, "plies since the last capture or pawn move / 100");
    assert_eq!(clock[0], 0.07);
}

#[test]
fn layouts_differ_where_planes_differ() {
    let hash = |name| Variant::named(name).unwrap().observation().hash();
    assert_ne!(hash("complicacious"), hash("complicacious-limited"));
    assert_ne!(hash("complicacious"), hash("chess"));
    assert_ne!(hash("grant-acedrex"), hash("grant-acedrex-dice"));
    assert_eq!(hash("complicacious"), hash("complicacious-simplified"));
}

#[test]
fn either_side_can_look() {
    for variant in variants() {
        let (layout, size) = (variant.observation(), variant.size());
        let length = layout.n_planes() * size.n_squares();
        let seen_by = |viewer, game: &Game| {
            let mut out = vec![f32::NAN; length];
            let (position, context) = (game.position(), game.observation_context());
            layout.encode_seen_by(viewer, position, context, &mut out);
            out
        };
        walk(variant, 10, |game| {
            let mover = game.position().side_to_move();
            let own = seen_by(mover, game);
            assert!(own == encode(game.position(), game.observation_context()));
            // The other side sees the same units, the sides exchanged and the ranks mirrored.
            let other = seen_by(mover.opponent(), game);
            let n_kinds = variant.kinds().len();
            for kind in 0..n_kinds {
                for square in size.squares() {
                    let at = |side: usize, square: Square| {
                        (side * n_kinds + kind) * size.n_squares() + square.index()
                    };
                    assert_eq!(own[at(0, square)], other[at(1, size.flip_rank(square))]);
                    assert_eq!(own[at(1, square)], other[at(0, size.flip_rank(square))]);
                }
            }
        });
    }
}
