//! Legal actions found by lines to the kings against those found by trying every move.

use proptest::prelude::*;
use rand::RngExt;

use super::attack::{Guard, Threats};
use super::core::with_core;
use super::generate::ALL_KINDS;
use super::state::State;
use super::*;
use crate::{ActionIndex, RunSeed, Stream};

/// Plays at random and calls `visit` in every position in which a side acts.
fn random_game(name: &str, seed: u64, plies: u32, mut visit: impl FnMut(&Position)) {
    let mut random = RunSeed(seed).stream(Stream::Playout(2));
    let mut position = Variant::named(name).unwrap().start();
    let mut actions = Vec::new();
    for _ in 0..plies {
        if position.actor() != Actor::Chance {
            visit(&position);
        }
        with_core!(&position.core, (rules, state) => state.all_actions(rules, &mut actions));
        if actions.is_empty() {
            break;
        }
        position.play(actions[random.random_range(0..actions.len())]);
    }
}

/// The legal moves of a position, by whichever guard.
fn moves(position: &Position, by_lines: bool) -> Vec<String> {
    let mut actions: Vec<Action> = Vec::new();
    with_core!(&position.core, (rules, state) => {
        let mut threats = Threats::new();
        let make = if by_lines { Guard::new } else { Guard::without_lines };
        let guard = make(state, rules, &mut threats);
        state.generate(rules, &guard, ALL_KINDS, &mut actions);
    });
    let mut texts: Vec<String> =
        actions.iter().map(|&action| position.variant.action_text(action)).collect();
    texts.sort_unstable();
    texts
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn lines_to_kings_forbid_what_trying_forbids(
        name in proptest::sample::select(Variant::names()),
        seed in any::<u64>(),
    ) {
        let mut flaws = Vec::new();
        random_game(name, seed, 200, |position| {
            if position.phase() != Phase::Setup && moves(position, true) != moves(position, false) {
                flaws.push(position.fen());
            }
        });
        prop_assert!(flaws.is_empty(), "{name}: {flaws:#?}");
    }

    #[test]
    fn an_action_is_legal_if_and_only_if_it_is_listed(
        name in proptest::sample::select(Variant::names()),
        seed in any::<u64>(),
        plies in 2u32..200,
    ) {
        let mut last = None;
        random_game(name, seed, plies, |position| last = Some(position.clone()));
        let position = last.unwrap();
        let (space, mover) = (position.variant.action_space(), position.side_to_move());
        let mut listed = Vec::new();
        position.legal_actions(&mut listed);
        for index in 0..space.len() {
            let action = space.action(ActionIndex(index as u16), mover).unwrap();
            prop_assert_eq!(
                position.is_legal(action),
                listed.contains(&action),
                "{} in {}", position.variant.action_text(action), position.fen()
            );
        }
        // Squares of the largest board there is, wherever this one ends.
        let size = position.variant.size();
        for (from, to) in (0..=u8::MAX).flat_map(|at| [(at, 255), (255, at), (at, at)]) {
            let odd = [
                Action::new_move(Square(from), Square(to)),
                Action::new_promotion(Square(from), Square(to), PieceKind(25)),
                Action::new_swap(Square(from), Square(to)),
            ];
            let is_off = usize::from(from.max(to)) >= size.n_squares();
            prop_assert!(odd.iter().all(|&odd| !is_off || !position.is_legal(odd)));
        }
        for &action in &listed {
            if let ActionKind::Move { from, promotion: None, .. } = action.kind() {
                prop_assert!(!position.is_legal(Action::new_move(from, Square(255))));
            }
        }
        prop_assert!((0..=32).all(|face| !position.is_legal(Action::new_roll(Face(face)))));
    }
}

#[test]
fn rolls_are_legal_before_they_are_made() {
    let position = Variant::named("grant-acedrex-dice").unwrap().start();
    let mut outcomes = Vec::new();
    position.chance_outcomes(&mut outcomes);
    assert!(!outcomes.is_empty());
    for face in 0..=u8::MAX {
        let action = Action::new_roll(Face(face));
        let is_listed = outcomes.iter().any(|outcome| outcome.action == action);
        assert_eq!(position.is_legal(action), is_listed, "{face}");
    }
}

/// Boards that no game reaches, crowded with kings: more lines lead to them than a guard holds.
#[test]
fn crowded_boards_are_no_exception() {
    let mut random = RunSeed(5).stream(Stream::Playout(3));
    let mut n_partial = 0;
    for name in Variant::names() {
        for _ in 0..100 {
            let mut position = Variant::named(name).unwrap().start();
            scatter(&mut position, &mut random);
            with_core!(&position.core, (rules, state) => {
                let mut threats = Threats::new();
                n_partial += u32::from(Guard::new(state, rules, &mut threats).is_partial);
            });
            assert_eq!(moves(&position, true), moves(&position, false), "{}", position.fen());
        }
    }
    assert!(n_partial > 50, "only {n_partial} boards had so many lines");
}

fn clear<const N: usize, const K: usize>(state: &mut State<N, K>) {
    *state = State::EMPTY;
}

/// Replaces the units of `position` by others.
fn scatter(position: &mut Position, random: &mut impl rand::Rng) {
    let size = position.variant.size();
    with_core!(&mut position.core, (rules, state) => {
        clear(state);
        let density = random.random_range(0.1..0.9);
        for square in size.squares() {
            if random.random_bool(density) {
                let kings = rules.royal.trailing_zeros() as u8;
                let any = random.random_range(0..rules.n_kinds) as u8;
                let kind = PieceKind(if random.random_bool(0.1) { kings } else { any });
                let color = Color::ALL[random.random_range(0..2)];
                state.put(rules, square, kind, color);
            }
        }
    });
}
