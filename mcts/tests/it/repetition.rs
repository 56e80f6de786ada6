//! Positions that come back, in the tree and in the game.

use gryphon_env::{Game, Repetitions, Variant};
use gryphon_mcts::{Evaluation, Evaluator, EvaluatorError, Query, ValueWhite, Wdl};

use crate::support::{finish, gumbel, new_search, puct};

fn play(game: &mut Game, actions: &[&str]) {
    for text in actions {
        let action = game.position().parse_action(text).unwrap();
        game.play(action);
    }
}

fn start() -> Game {
    Game::new(Variant::named("complicacious-simplified").unwrap().start())
}

const ROUND: [&str; 4] = ["e1d1", "e8d8", "d1e1", "d8e8"];

/// White is lost everywhere; notes how often each evaluated position had occurred.
#[derive(Default)]
struct WhiteLoses {
    repetitions: Vec<(String, Repetitions)>,
}

impl Evaluator for WhiteLoses {
    fn evaluate(&mut self, queries: &[Query<'_>]) -> Result<Vec<Evaluation>, EvaluatorError> {
        for query in queries {
            self.repetitions.push((query.position.fen(), query.context.repetitions));
        }
        let answer = |query: &Query<'_>| {
            let (win, loss) = match query.position.side_to_move() {
                gryphon_env::Color::White => (0.05, 0.95),
                gryphon_env::Color::Black => (0.95, 0.05),
            };
            Evaluation { logits: vec![0.0; query.legal.len()], wdl: Wdl { win, draw: 0.0, loss } }
        };
        Ok(queries.iter().map(answer).collect())
    }
}

#[test]
fn a_third_occurrence_is_a_draw_and_is_sought_by_the_lost_side() {
    let mut game = start();
    play(&mut game, &["e1d1", "e8d8", "d1c1", "d8e8", "c1d1", "e8d8", "d1e1", "d8e8"]);
    // `e1d1` would lead to a position that has occurred twice; the root has once.
    let repeating = game.position().parse_action("e1d1").unwrap();
    for config in [gumbel(40, 100, 0.0), puct(200)] {
        let mut searches = [new_search(&game, config, 0)];
        finish(&mut searches, &mut WhiteLoses::default());
        let result = searches[0].result();
        assert_eq!(result.action, repeating);
        let action = result.actions.iter().find(|action| action.action == repeating).unwrap();
        assert_eq!(action.q, Some(ValueWhite::DRAW));
    }
}

#[test]
fn a_second_occurrence_in_the_game_is_not_yet_a_draw() {
    let mut game = start();
    play(&mut game, &ROUND);
    let mut evaluator = WhiteLoses::default();
    let mut searches = [new_search(&game, gumbel(40, 100, 0.0), 0)];
    finish(&mut searches, &mut evaluator);
    let repeating = game.position().parse_action("e1d1").unwrap();
    let result = searches[0].result();
    let action = result.actions.iter().find(|action| action.action == repeating).unwrap();
    assert!(action.q.unwrap().get() < -0.5);
    let mut next = game.clone();
    next.play(repeating);
    assert_eq!(next.repetitions(), Repetitions(1));
    let seen = evaluator.repetitions.iter().find(|(fen, _)| *fen == next.position().fen());
    assert_eq!(seen.unwrap().1, Repetitions(1));
    // The root itself came up before, and its observation says so.
    assert_eq!(evaluator.repetitions[0].1, Repetitions(1));
}
