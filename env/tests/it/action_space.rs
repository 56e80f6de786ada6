//! The action spaces of all variants.

use std::collections::HashSet;

use gryphon_env::{ActionIndex, ActionParts, Actor, Color, Game, Phase, Position, Variant};

use crate::mirror::{swap_sides, swap_wings};
use crate::random_games::{choices, variants, walk};

fn mover(game: &Game) -> Option<Color> {
    match game.position().actor() {
        Actor::Player(color) => Some(color),
        Actor::Chance => None,
    }
}

#[test]
fn every_index_stands_for_one_action() {
    for variant in variants() {
        let space = variant.action_space();
        for color in Color::ALL {
            let mut seen = HashSet::new();
            for index in (0..space.len()).map(|index| ActionIndex(index as u16)) {
                let action = space.action(index, color).unwrap();
                assert!(seen.insert(action), "{}: {index:?} repeats an action", variant.name());
                assert_eq!(space.index(action, color), Some(index), "{}", variant.name());
            }
        }
    }
}

#[test]
fn every_legal_action_has_an_index_and_comes_back() {
    for variant in variants() {
        let space = variant.action_space();
        for number in 0..20 {
            walk(variant, number, |game| {
                let Some(color) = mover(game) else { return };
                for action in choices(game) {
                    let index = space.index(action, color);
                    let text =
                        || format!("{} in {}", variant.action_text(action), game.position().fen());
                    let index = index.unwrap_or_else(|| panic!("no index for {}", text()));
                    assert_eq!(space.action(index, color), Some(action), "{}", text());
                }
            });
        }
    }
}

/// The indices of the legal actions of a FEN, sorted.
fn legal_indices(variant: &'static Variant, fen: &str) -> Vec<ActionIndex> {
    let position =
        Position::from_fen(variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let color = position.side_to_move();
    let mut actions = Vec::new();
    position.legal_actions(&mut actions);
    let space = variant.action_space();
    let mut indices: Vec<_> =
        actions.into_iter().map(|action| space.index(action, color).unwrap()).collect();
    indices.sort_unstable();
    indices
}

#[test]
fn both_sides_see_the_same_indices() {
    for variant in variants() {
        walk(variant, 77, |game| {
            // In the set-up White comes first, so that Black's position has no counterpart.
            if game.position().phase() == Phase::Setup {
                return;
            }
            let fen = game.position().fen();
            let swapped = swap_sides(variant, &fen);
            assert_eq!(legal_indices(variant, &fen), legal_indices(variant, &swapped), "{fen}");
        });
    }
}

#[test]
fn mirror_tables_mirror_legal_actions() {
    let mut n_symmetric = 0;
    for variant in variants() {
        let Some(mirrored) = variant.action_space().mirrored() else {
            assert!(!variant.is_mirror_symmetric());
            continue;
        };
        assert!(variant.is_mirror_symmetric());
        n_symmetric += 1;
        for (index, image) in mirrored.iter().enumerate() {
            assert_eq!(usize::from(mirrored[usize::from(image.0)].0), index);
        }
        walk(variant, 3, |game| {
            let fen = game.position().fen();
            let mut images: Vec<_> = legal_indices(variant, &fen)
                .into_iter()
                .map(|index| mirrored[usize::from(index.0)])
                .collect();
            images.sort_unstable();
            assert_eq!(images, legal_indices(variant, &swap_wings(variant, &fen)), "{fen}");
        });
    }
    assert!(n_symmetric >= 2);
}

#[test]
fn castling_has_no_mirror_image() {
    let text = "extends = \"complicacious-circular\"\nmirror = true";
    let error = Variant::from_text("mine.toml", text).unwrap_err().to_string();
    assert!(error.contains("line 2, key `mirror`: found `true`, expected `false`"), "{error}");
}

#[test]
fn swaps_and_end_come_last_and_only_where_they_exist() {
    for variant in variants() {
        let parts = variant.action_space().parts();
        let is_special = |part: &ActionParts| !matches!(part, ActionParts::Move { .. });
        assert!(parts.is_sorted());
        let n_special = parts.iter().filter(|part| is_special(part)).count();
        let expected = if variant.name() == "gryphon-aanca" { 9 } else { 0 };
        assert_eq!(n_special, expected, "{}", variant.name());
        assert!(parts[parts.len() - n_special..].iter().all(is_special));
    }
}
