//! Values have the right sign, whoever acts and however often in a row.

use gryphon_env::{Actor, Color, Game, Phase, Position, Variant};
use gryphon_mcts::{Evaluation, Evaluator, EvaluatorError, Query, Wdl};

use crate::support::{gumbel, puct, random_game, run, variants};

/// Answers that depend only on the units as the mover sees them, so that both sides get the same
/// ones. Counters of turns would not be the same: Black's turn raises the turn's number.
struct MoversView;

impl Evaluator for MoversView {
    fn evaluate(&mut self, queries: &[Query<'_>]) -> Result<Vec<Evaluation>, EvaluatorError> {
        Ok(queries.iter().map(answer).collect())
    }
}

fn answer(query: &Query<'_>) -> Evaluation {
    let variant = query.position.variant();
    let mover = query.position.side_to_move();
    let layout = variant.observation();
    let mut planes = vec![0.0; layout.n_planes() * variant.size().n_squares()];
    layout.encode(query.position, query.context, &mut planes);
    let n_unit_planes = 2 * variant.kinds().len();
    planes.truncate(n_unit_planes * variant.size().n_squares());
    let marks = planes.iter().enumerate().filter(|&(_, &number)| number > 0.0);
    let sum: f32 = marks.map(|(index, number)| number * (index as f32 * 1.7).sin()).sum();
    let win = 0.5 + 0.3 * sum.sin();
    let logit = |action: &gryphon_env::Action| {
        let index = variant.action_space().index(*action, mover).unwrap();
        2.0 * (f32::from(index.0) * 0.37 + sum).sin()
    };
    Evaluation {
        logits: query.legal.iter().map(logit).collect(),
        wdl: Wdl { win, draw: 0.1, loss: 0.9 - win },
    }
}

/// The same position with the sides exchanged, by way of its text; `None` where the rules treat the
/// sides differently.
pub(crate) fn with_sides_swapped(game: &Game) -> Option<Game> {
    let variant = game.position().variant();
    // Black's reply to White's last turn of several moves is one too; White's reply to Black's is not.
    let is_last_of_several =
        game.position().fullmove_number() == variant.features().n_multi_move_turns;
    if game.position().phase() == Phase::Setup || is_last_of_several {
        return None;
    }
    let fen = game.position().fen();
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    let swap_case = |text: &str| -> String {
        let swap = |c: char| {
            if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
        };
        text.chars().map(swap).collect()
    };
    fields[0] = fields[0].split('/').rev().map(swap_case).collect::<Vec<_>>().join("/");
    fields[1] = if fields[1] == "w" { "b".into() } else { "w".into() };
    let mut rights: Vec<char> = swap_case(&fields[2]).chars().collect();
    rights.sort_unstable();
    fields[2] = rights.into_iter().collect();
    for field in [3, 6] {
        let has_squares = |text: &&mut String| text.as_str() != "-" && text.parse::<u8>().is_err();
        if let Some(text) = fields.get_mut(field).filter(has_squares) {
            *text = swapped_squares(variant, text, field == 3);
        }
    }
    Some(Game::new(Position::from_fen(variant, &fields.join(" ")).unwrap()))
}

fn swapped_squares(variant: &Variant, text: &str, by_text: bool) -> String {
    let size = variant.size();
    let flip = |name: &str| size.flip_rank(size.parse_square(name).unwrap());
    let mut squares: Vec<_> = text.split(',').map(flip).collect();
    squares.sort_unstable();
    let mut names: Vec<String> = squares.into_iter().map(|s| size.square_name(s)).collect();
    if by_text {
        names.sort_unstable();
    }
    names.join(",")
}

#[test]
fn both_sides_search_alike_in_every_variant() {
    let mut n_compared = 0;
    for variant in variants() {
        for game in random_game(variant, 4).into_iter().step_by(9) {
            let game = Game::new(game.position().clone());
            if game.outcome().is_some() || game.position().actor() == Actor::Chance {
                continue;
            }
            let Some(swapped) = with_sides_swapped(&game) else { continue };
            n_compared += 1;
            for config in [gumbel(60, 8, 0.0), puct(60)] {
                let ours = run(&game, config, 1, &mut MoversView);
                let theirs = run(&swapped, config, 1, &mut MoversView);
                let difference = ours.value.get() + theirs.value.get();
                assert!(difference.abs() < 1e-3, "{}: {difference}", game.position().fen());
                if ours.value.get().abs() >= 1.0 {
                    // Among several ways to mate the first in the position's order is as good.
                    continue;
                }
                let index = |game: &Game, action| {
                    let color = game.position().side_to_move();
                    game.position().variant().action_space().index(action, color)
                };
                assert_eq!(index(&game, ours.action), index(&swapped, theirs.action));
            }
        }
    }
    assert!(n_compared > 50, "only {n_compared} positions");
}

/// White is always winning, in the mover's words.
struct WhiteWins;

impl Evaluator for WhiteWins {
    fn evaluate(&mut self, queries: &[Query<'_>]) -> Result<Vec<Evaluation>, EvaluatorError> {
        let answer = |query: &Query<'_>| {
            let wdl = match query.position.side_to_move() {
                Color::White => Wdl { win: 0.7, draw: 0.2, loss: 0.1 },
                Color::Black => Wdl { win: 0.1, draw: 0.2, loss: 0.7 },
            };
            Evaluation { logits: vec![0.0; query.legal.len()], wdl }
        };
        Ok(queries.iter().map(answer).collect())
    }
}

#[test]
fn turns_of_several_actions_do_not_turn_values_round() {
    for variant in ["gryphon-aanca", "grant-acedrex-dice"] {
        for game in random_game(variant, 2).into_iter().take(40) {
            if game.outcome().is_some() || game.position().actor() == Actor::Chance {
                continue;
            }
            // So few simulations see hardly a draw or a mate; a wrong sign would bring the value
            // near 0 or below.
            for config in [gumbel(12, 4, 0.0), puct(3)] {
                let result = run(&game, config, 1, &mut WhiteWins);
                let (fen, value) = (game.position().fen(), result.value.get());
                assert!((value - 0.6).abs() < 0.2, "{fen}: {value}");
            }
        }
    }
}
