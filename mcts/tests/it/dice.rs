//! Chance nodes: values are expectations over the die.

use gryphon_env::{Actor, Game};
use gryphon_mcts::{UniformEvaluator, ValueWhite};

use crate::support::{HashEvaluator, after, choices, game_at, gumbel, puct, run};

/// White's expected result under best play, by playing everything out.
fn exact_value(game: &Game) -> f32 {
    if let Some(outcome) = game.outcome() {
        return ValueWhite::of_outcome(outcome).get();
    }
    if game.position().actor() == Actor::Chance {
        let mut rolls = Vec::new();
        game.position().chance_outcomes(&mut rolls);
        return rolls
            .iter()
            .map(|roll| roll.probability * exact_value(&after(game, roll.action)))
            .sum();
    }
    let values = choices(game).into_iter().map(|action| exact_value(&after(game, action)));
    match game.position().side_to_move() {
        gryphon_env::Color::White => values.fold(-1.0, f32::max),
        gryphon_env::Color::Black => values.fold(1.0, f32::min),
    }
}

/// Black's king moves, then the die decides whether White's rook may take the last black unit before
/// the clock runs out.
const BLACK_TO_MOVE: &str = "11k/12/12/12/12/12/5g6/12/12/12/2C9/K4R6 b - - 98 60 8";

/// White chooses a square for its rook, the die decides whether Black can save the giraffe, and
/// again whether White can take it.
const WHITE_TO_MOVE: &str = "10k1/12/12/12/12/12/5g6/12/12/12/2C9/K3R7 w - - 97 60 5";

/// Black's king steps aside, then White mates on the last rank if the die lets a rook move; if not, the
/// clock ends the game.
///
/// ```text
/// 12 · k · · · · · · · · · ·
/// 11 · · · · · · · · · · · R
///  7 · · · · · p · · · · · ·
///  6 · · · · · P · · · · · ·
///  1 · · · · K · · · · · R ·
/// ```
const MATE_BY_THE_DIE: &str = "1k10/11R/12/12/12/5p6/5P6/12/12/12/12/4K5R1 b - - 98 60 8";

/// The same a move earlier: only the rook that cuts the king off keeps the chance of a mate.
const MATE_PREPARED: &str = "k11/12/12/12/12/5p6/5P6/11R/12/12/12/4K5R1 w - - 97 60 5";

#[test]
fn a_mate_that_the_die_decides_has_its_probability_as_value() {
    for fen in [MATE_BY_THE_DIE, MATE_PREPARED] {
        let game = game_at("grant-acedrex-dice", fen);
        let exact = exact_value(&game);
        assert!((exact - 0.5).abs() < 1e-6, "{fen}: {exact}");
        for config in [gumbel(4000, 100, 1.0), puct(4000)] {
            let mut evaluator = HashEvaluator { spread: 4.0, ..HashEvaluator::new(2) };
            let result = run(&game, config, 1, &mut evaluator);
            let error = (result.value.get() - exact).abs();
            assert!(error < 0.02, "{fen}: {} instead of {exact}", result.value.get());
            let chosen = exact_value(&after(&game, result.action));
            assert!((chosen - exact).abs() < 1e-6, "{fen}: chose {chosen}");
        }
    }
}

#[test]
fn search_values_are_the_exact_expectations() {
    for fen in [BLACK_TO_MOVE, WHITE_TO_MOVE] {
        let game = game_at("grant-acedrex-dice", fen);
        let exact = exact_value(&game);
        assert!(exact > 0.05 && exact < 0.95, "{exact}");
        for config in [gumbel(6000, 100, 1.0), puct(6000)] {
            let result = run(&game, config, 1, &mut UniformEvaluator);
            let error = (result.value.get() - exact).abs();
            assert!(error < 0.02, "{fen}: {} instead of {exact}", result.value.get());
            let chosen = exact_value(&after(&game, result.action));
            assert!((chosen - exact).abs() < 0.02, "{fen}: chose {chosen} instead of {exact}");
        }
    }
}

#[test]
fn a_first_visit_draws_the_roll() {
    let game = game_at("grant-acedrex-dice", BLACK_TO_MOVE);
    let values: Vec<f32> = (0..40)
        .map(|seed| run(&game, gumbel(1, 1, 0.0), seed, &mut UniformEvaluator).value.get())
        .collect();
    let n_wins = values.iter().filter(|&&value| value > 0.0).count();
    assert!((4..=24).contains(&n_wins), "{n_wins} of 40 rolls win, expected about a third");
}
