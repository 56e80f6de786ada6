//! Without selective pruning the search finds the value of the plainest search to the same depth.

use gryphon_alphabeta::{AlphaBeta, Config, Evaluation, Limit, Score, Selectivity};
use gryphon_env::{Action, ActionKind, Actor, ChanceOutcome, Game, Position, ZobristKey};

use crate::support::{ongoing, variants};

/// Alpha-beta without ordering, tests, table or aspiration, by the same rules of depth as the engine:
/// checks extend, captures and promotions follow the last ply, a position seen on the path is a draw.
struct Plain<'a> {
    evaluation: &'a Evaluation,
    path: Vec<ZobristKey>,
    root_depth: usize,
    budget: u32,
}

impl Plain<'_> {
    /// `None` when the budget is spent.
    fn visit(
        &mut self,
        position: &Position,
        depth: i32,
        ply: usize,
        (alpha, beta): (i32, i32),
    ) -> Option<i32> {
        self.budget = self.budget.checked_sub(1)?;
        if position.actor() == Actor::Chance {
            return self.expect(position, depth, ply);
        }
        let key = position.repetition_key();
        if ply > 0 && self.path.contains(&key) {
            return Some(0);
        }
        if let Some(outcome) = position.outcome() {
            return Some(match outcome.winner() {
                Some(winner) if winner == position.side_to_move() => Score::mate_in(ply).get(),
                Some(_) => Score::mated_in(ply).get(),
                None => 0,
            });
        }
        let in_check = position.is_check();
        let depth = depth + i32::from(in_check && ply < 2 * self.root_depth);
        let mut best = (depth <= 0 && !in_check).then(|| self.evaluation.score(position).get());
        let mut legal = Vec::new();
        position.legal_actions(&mut legal);
        self.path.push(key);
        for action in legal {
            if depth <= 0 && !in_check && !is_tactical(position, action) {
                continue;
            }
            let alpha = best.map_or(alpha, |best| alpha.max(best));
            if alpha >= beta {
                break;
            }
            let mut next = position.clone();
            next.play(action);
            let score = if next.side_to_move() == position.side_to_move() {
                self.visit(&next, depth - 1, ply + 1, (alpha, beta))?
            } else {
                -self.visit(&next, depth - 1, ply + 1, (-beta, -alpha))?
            };
            best = best.max(Some(score));
        }
        self.path.pop();
        best
    }

    fn expect(&mut self, position: &Position, depth: i32, ply: usize) -> Option<i32> {
        if depth < 0 {
            return Some(self.evaluation.score(position).get());
        }
        let mut rolls: Vec<ChanceOutcome> = Vec::new();
        position.chance_outcomes(&mut rolls);
        let mut sum = 0.0;
        for roll in rolls {
            let mut next = position.clone();
            next.play(roll.action);
            let value =
                self.visit(&next, depth, ply + 1, (-i32::MAX, i32::MAX))?.clamp(-5_000, 5_000);
            sum += f64::from(roll.probability) * f64::from(value);
        }
        Some(sum.round() as i32)
    }
}

fn is_tactical(position: &Position, action: Action) -> bool {
    let promotes = matches!(action.kind(), ActionKind::Move { promotion: Some(_), .. });
    promotes || position.captured(action).is_some()
}

#[test]
fn exact_search_finds_the_plain_value() {
    for variant in variants() {
        let config = Config { selectivity: Selectivity::Exact, ..Config::default() };
        let mut engine = AlphaBeta::new(variant, config);
        let evaluation = engine.evaluation().clone();
        let mut compared = 0;
        for number in 0..6 {
            let Some(past) = ongoing(variant, number, 2 + 3 * number as usize) else { continue };
            // Without the past, since it would count only at a third occurrence.
            let game = Game::new(past.position().clone());
            for depth in 1..=3 {
                let mut plain = Plain {
                    evaluation: &evaluation,
                    path: Vec::new(),
                    root_depth: depth,
                    budget: 15_000,
                };
                let Some(expected) =
                    plain.visit(game.position(), depth as i32, 0, (-i32::MAX, i32::MAX))
                else {
                    break;
                };
                let report = engine.search(&game, Limit::depth(depth as u8)).unwrap();
                let fen = game.position().fen();
                let found = report.score.get();
                assert_eq!(found, expected, "{} at depth {depth}: {fen}", variant.name());
                compared += 1;
            }
        }
        assert!(compared >= 5, "{}: only {compared} searches compared", variant.name());
    }
}
