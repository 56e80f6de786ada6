//! Wins that can be forced are found even by searches whose evaluator says the opposite.

use std::num::NonZeroU32;

use gryphon_env::{Action, Color, Game, ZobristKey};
use gryphon_mcts::{Evaluation, Evaluator, EvaluatorError, Query, SearchConfig, ValueWhite, Wdl};

use crate::mates::{is_forced_win, win};
use crate::sides::with_sides_swapped;
use crate::support::{HashEvaluator, after, choices, game_at, gumbel, puct, run, variants};

/// Sure that `winner` is lost, and that the actions which begin a win are the worst; else senseless.
struct Adversary {
    winner: Color,
    root: ZobristKey,
    solutions: Vec<Action>,
    noise: HashEvaluator,
}

impl Adversary {
    fn new(game: &Game, winner: Color, depth: u32) -> Self {
        let wins = |&action: &Action| is_forced_win(&after(game, action), winner, depth - 1);
        let solutions = choices(game).into_iter().filter(wins).collect();
        let noise = HashEvaluator { spread: 6.0, ..HashEvaluator::new(7) };
        Self { winner, root: game.position().key(), solutions, noise }
    }
}

impl Evaluator for Adversary {
    fn evaluate(&mut self, queries: &[Query<'_>]) -> Result<Vec<Evaluation>, EvaluatorError> {
        let mut evaluations = self.noise.evaluate(queries)?;
        for (query, evaluation) in queries.iter().zip(&mut evaluations) {
            evaluation.wdl = match query.position.side_to_move() == self.winner {
                true => Wdl { win: 0.0, draw: 0.0, loss: 1.0 },
                false => Wdl { win: 1.0, draw: 0.0, loss: 0.0 },
            };
            if query.position.key() == self.root {
                let legal = query.legal.iter().zip(&mut evaluation.logits);
                for (_, logit) in legal.filter(|(action, _)| self.solutions.contains(action)) {
                    *logit = -30.0;
                }
            }
        }
        Ok(evaluations)
    }
}

/// With rooks that cut a king off one rank after the other, mate takes two moves of White. On the
/// small boards of Complicacious, where a rook becomes a queen when it moves, too.
///
/// ```text
/// 8 · · · · · · · ·
/// 7 · · · · k · · ·
/// 6 R · · · · · · ·
/// 5 · R · · · · · ·
/// 4 · · · · · · · p
/// 3 · · · · · · · P
/// 2 · · · · · · · ·
/// 1 · · · · · · · K
/// ```
fn ladder(variant: &str) -> Game {
    let small = "8/4k3/R7/1R6/7p/7P/8/7K w - - 0 40";
    let large = "12/4k7/R11/1R10/12/12/12/11p/11P/12/12/11K w - - 0 40";
    match variant {
        "chess" => game_at(variant, small),
        _ if variant.starts_with("complicacious") => game_at(variant, small),
        "gryphon-aanca" => game_at(variant, &format!("{large} -")),
        _ => game_at(variant, large),
    }
}

fn with_probe(config: SearchConfig) -> SearchConfig {
    SearchConfig { win_probe: NonZeroU32::new(50_000), ..config }
}

/// The search chooses an action that still wins, and knows that it does.
#[track_caller]
fn check_win(game: &Game, depth: u32, config: SearchConfig) {
    let winner = game.position().side_to_move();
    let result = run(game, config, 3, &mut Adversary::new(game, winner, depth));
    let fen = game.position().fen();
    assert_eq!(result.value, win(winner), "{fen}");
    let next = after(game, result.action);
    assert!(is_forced_win(&next, winner, depth - 1), "{fen}: {:?}", result.action);
}

#[test]
fn mate_in_two_is_found_against_the_evaluator_in_every_variant() {
    let without_dice = variants().into_iter().filter(|variant| *variant != "grant-acedrex-dice");
    for variant in without_dice {
        let white = ladder(variant);
        let black = with_sides_swapped(&white).unwrap();
        for game in [white, black] {
            let winner = game.position().side_to_move();
            assert!(is_forced_win(&game, winner, 3), "{variant}");
            assert!(!is_forced_win(&game, winner, 2), "{variant}");
            check_win(&game, 3, gumbel(20_000, 1000, 1.0));
            check_win(&game, 3, with_probe(gumbel(1, 16, 1.0)));
            check_win(&game, 3, with_probe(puct(1)));
        }
    }
}

/// Rooks have to take the a-, b- and c-file before the turn ends; Black then has no square. That is
/// four actions, the end of the turn included.
const THREE_MOVES: &str = "1k10/12/12/12/12/12/2P6P2/PPP2R6/3P2R5/PPP4R4/12/11K w - - 0 1 -";

#[test]
fn a_mate_of_three_moves_in_one_turn_is_found_against_the_evaluator() {
    let white = game_at("gryphon-aanca", THREE_MOVES);
    let black = with_sides_swapped(&white);
    for game in [Some(white), black].into_iter().flatten() {
        let winner = game.position().side_to_move();
        assert!(!is_forced_win(&game, winner, 3));
        check_win(&game, 4, with_probe(gumbel(1, 16, 1.0)));
        check_win(&game, 4, with_probe(puct(1)));
    }
}

#[test]
fn a_mate_of_three_moves_in_one_turn_is_found_by_simulations_alone() {
    let game = game_at("gryphon-aanca", THREE_MOVES);
    let mut evaluator = HashEvaluator { spread: 1.0, ..HashEvaluator::new(3) };
    let result = run(&game, gumbel(60_000, 200, 1.0), 3, &mut evaluator);
    assert_eq!(result.value, ValueWhite::WIN);
}

#[test]
fn the_probe_claims_no_win_that_a_repetition_prevents() {
    let mut game = game_at("chess", "8/1R2k3/R7/8/7p/7P/8/7K b - - 1 40");
    for text in ["e7e8", "b7b5", "e8e7", "b5b7", "e7e8", "b7b5", "e8e7"] {
        let action = game.position().parse_action(text).unwrap();
        game.play(action);
    }
    // Where the ladder begins, its first move would bring a position up for the third time.
    let without_past = Game::new(game.position().clone());
    let chosen = |game: &Game| {
        let result = run(game, with_probe(puct(1)), 3, &mut HashEvaluator::new(1));
        game.position().variant().action_text(result.action)
    };
    assert!(is_forced_win(&without_past, Color::White, 3));
    assert_eq!(chosen(&without_past), "b5b7");
    assert!(!is_forced_win(&game, Color::White, 3));
    assert_ne!(chosen(&game), "b5b7");
}
