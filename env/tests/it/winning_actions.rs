//! The quick search for winning actions agrees with playing every action.

use gryphon_env::{Action, Actor, Outcome, WinReason};

use crate::random_games::{choices, variants, walk};

#[test]
fn winning_actions_are_found_and_win() {
    let mut n_won = 0;
    for variant in variants() {
        for number in 0..12 {
            walk(variant, 1000 + number, |game| {
                let Actor::Player(mover) = game.position().actor() else { return };
                let actions = choices(game);
                let wins = |action: Action| {
                    let mut next = game.position().clone();
                    next.play(action);
                    match next.outcome() {
                        Some(Outcome::Decisive { winner, reason }) => {
                            winner == mover && reason != WinReason::Stalemate
                        }
                        Some(Outcome::Draw { .. }) | None => false,
                    }
                };
                let expected = actions.iter().copied().find(|&action| wins(action));
                let found = game.position().winning_action(&actions);
                assert_eq!(found, expected, "{}: {}", variant.name(), game.position().fen());
                n_won += u32::from(found.is_some());
            });
        }
    }
    assert!(n_won >= 20, "only {n_won} positions with a winning action");
}
