//! Forced results are found and used, whatever the evaluator thinks.

use gryphon_env::{Actor, Color, Game, RunSeed, Stream};
use gryphon_mcts::{SearchConfig, ValueWhite};
use rand::RngExt;

use crate::support::{
    HashEvaluator, after, choices, finish, gumbel, new_search, puct, random_game, run, thorough,
    variants,
};

fn mover(game: &Game) -> Option<Color> {
    match game.position().actor() {
        Actor::Player(color) if game.outcome().is_none() => Some(color),
        Actor::Player(_) | Actor::Chance => None,
    }
}

/// Whether `winner` can force a win within `depth` actions, without dice.
pub(crate) fn is_forced_win(game: &Game, winner: Color, depth: u32) -> bool {
    if let Some(outcome) = game.outcome() {
        return outcome.winner() == Some(winner);
    }
    let Some(mover) = mover(game) else { return false };
    if depth == 0 {
        return false;
    }
    let mut actions = choices(game).into_iter();
    if mover == winner {
        actions.any(|action| is_forced_win(&after(game, action), winner, depth - 1))
    } else {
        actions.all(|action| is_forced_win(&after(game, action), winner, depth - 1))
    }
}

/// Positions of random games in which the side to move can win within `depth` actions, and not
/// sooner.
fn winning_positions(variant: &str, depth: u32, wanted: usize) -> Vec<(Game, Color)> {
    let mut found = Vec::new();
    for number in 0..60 {
        let games = random_game(variant, number);
        let last = games.len() - 1;
        if games[last].outcome().is_none_or(|outcome| outcome.winner().is_none()) {
            continue;
        }
        for game in &games[last.saturating_sub(depth as usize)..last] {
            let Some(color) = mover(game) else { continue };
            if is_forced_win(game, color, depth) && !is_forced_win(game, color, depth - 1) {
                found.push((game.clone(), color));
            }
        }
        if found.len() >= wanted {
            break;
        }
    }
    found
}

/// The value of a won game for `winner`.
pub(crate) fn win(winner: Color) -> ValueWhite {
    match winner {
        Color::White => ValueWhite::WIN,
        Color::Black => ValueWhite::LOSS,
    }
}

#[test]
fn mate_in_one_is_played_at_once_in_every_variant() {
    for variant in variants() {
        let positions = winning_positions(variant, 1, 4);
        for (seed, (game, color)) in positions.iter().enumerate() {
            let mut evaluator = HashEvaluator { spread: 12.0, ..HashEvaluator::new(seed as u64) };
            for config in [gumbel(1, 16, 1.0), puct(1)] {
                let result = run(game, config, seed as u64, &mut evaluator);
                assert_eq!(result.value, win(*color), "{variant} {}", game.position().fen());
                let outcome = after(game, result.action).outcome();
                assert_eq!(outcome.and_then(|outcome| outcome.winner()), Some(*color));
            }
        }
    }
}

/// Plays a won position to its end against random answers, every choice a proven win. The tree is
/// kept, because a proof may be longer than what a fresh search would find.
#[track_caller]
fn check_win(mut game: Game, winner: Color, config: SearchConfig, evaluator: &mut HashEvaluator) {
    let mut rng = RunSeed(3).stream(Stream::Playout(0));
    let mut searches = [new_search(&game, config, 5)];
    for _ in 0..20 {
        let mut actions = choices(&game);
        if mover(&game) == Some(winner) {
            finish(&mut searches, evaluator);
            let result = searches[0].result();
            // The only action is not searched, so that nothing is proven.
            if actions.len() > 1 {
                assert_eq!(result.value, win(winner), "{}", game.position().fen());
            }
            actions = vec![result.action];
        }
        let action = actions[rng.random_range(0..actions.len())];
        game.play(action);
        searches[0].advance(&game, &[action]);
        if let Some(outcome) = game.outcome() {
            assert_eq!(outcome.winner(), Some(winner));
            return;
        }
    }
    panic!("the game goes on: {}", game.position().fen());
}

#[test]
fn both_sides_win_by_mate_in_two_with_any_priors() {
    let positions = winning_positions("complicacious-simplified", 3, 8);
    assert!(Color::ALL.iter().all(|color| positions.iter().any(|(_, winner)| winner == color)));
    for (seed, (game, color)) in positions.iter().enumerate() {
        // PUCT visits an action of prior 10^-5 hardly ever, sequential halving visits all it considers.
        for (config, spread) in thorough(20_000).into_iter().zip([6.0, 2.5]) {
            let mut evaluator = HashEvaluator { spread, ..HashEvaluator::new(seed as u64) };
            check_win(game.clone(), *color, config, &mut evaluator);
        }
    }
}

#[test]
fn a_certain_loss_is_never_preferred() {
    let mut n_checked = 0;
    for number in 0..40 {
        let games = random_game("complicacious-simplified", number);
        let last = games.len() - 1;
        // The loser's last choice: some answers allow mate in one, others do not.
        let Some(game) = games[..last].iter().rev().nth(1) else { continue };
        let Some(color) = mover(game) else { continue };
        let loses = |game: &Game| is_forced_win(game, color.opponent(), 1);
        let actions = choices(game);
        let n_losing = actions.iter().filter(|&&action| loses(&after(game, action))).count();
        if n_losing == 0 || n_losing == actions.len() {
            continue;
        }
        n_checked += 1;
        let mut evaluator = HashEvaluator { value: 0.2, ..HashEvaluator::new(number) };
        for config in thorough(3000) {
            let result = run(game, config, number, &mut evaluator);
            assert!(!loses(&after(game, result.action)), "{}", game.position().fen());
        }
    }
    assert!(n_checked >= 5, "only {n_checked} positions");
}
