//! Chance nodes: values are expectations over the die.

use gryphon_env::{Actor, Game};
use gryphon_mcts::{UniformEvaluator, ValueWhite};

use crate::support::{after, choices, game_at, gumbel, puct, run};

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
