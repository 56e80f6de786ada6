//! Whole searches as text: any change of behaviour shows here.

use std::fmt::Write;

use gryphon_env::{Actor, Game};
use gryphon_mcts::{Search, SearchConfig, SearchResult};

use crate::support::{
    HashEvaluator, finish, gumbel, new_search, puct, random_game, run, start_of, variants,
};

/// The visited actions of a result, most visited first.
fn table(game: &Game, result: &SearchResult) -> String {
    let text = |action| game.position().variant().action_text(action);
    let mut actions = result.actions.clone();
    actions.sort_by_key(|action| std::cmp::Reverse(action.visits));
    let mut table = format!(
        "{}: {} value {:+.3}, {} simulations\n",
        game.position().variant().name(),
        text(result.action),
        result.value.get(),
        result.simulations
    );
    for action in actions.iter().filter(|action| action.visits > 0) {
        let q = action.q.map_or(f32::NAN, gryphon_mcts::ValueWhite::get);
        writeln!(
            table,
            "  {:<6} prior {:.3} visits {:>2} q {q:+.3} improved {:.3}",
            text(action.action),
            action.prior,
            action.visits,
            action.improved
        )
        .unwrap();
    }
    table
}

/// A position some plies into a random game, in which a side acts.
fn middlegame(variant: &str) -> Game {
    let games = random_game(variant, 1);
    let acts = |game: &&Game| matches!(game.position().actor(), Actor::Player(_));
    games[..games.len() / 2].iter().rev().find(acts).unwrap().clone()
}

fn golden(config: SearchConfig) -> String {
    let mut text = String::new();
    for variant in variants() {
        let game = middlegame(variant);
        let result = run(&game, config, 7, &mut HashEvaluator::new(1));
        text.push_str(&table(&game, &result));
    }
    text
}

#[test]
fn gumbel_trees_stay_the_same() {
    insta::assert_snapshot!(golden(gumbel(48, 8, 1.0)));
}

#[test]
fn puct_trees_stay_the_same() {
    insta::assert_snapshot!(golden(puct(48)));
}

#[test]
fn batching_does_not_change_results() {
    let games: Vec<Game> = variants().into_iter().map(middlegame).collect();
    let config = gumbel(40, 16, 1.0);
    let alone: Vec<SearchResult> =
        games.iter().map(|game| run(game, config, 7, &mut HashEvaluator::new(2))).collect();
    let mut searches: Vec<Search> = games.iter().map(|game| new_search(game, config, 7)).collect();
    finish(&mut searches, &mut HashEvaluator::new(2));
    let together: Vec<SearchResult> = searches.iter().map(Search::result).collect();
    assert_eq!(alone, together);
}

#[test]
fn noise_changes_what_is_searched() {
    let game = start_of("complicacious");
    let config = gumbel(16, 4, 1.0);
    let results = [1, 2].map(|seed| run(&game, config, seed, &mut HashEvaluator::new(2)));
    assert_ne!(results[0].actions, results[1].actions);
    let config = gumbel(16, 4, 0.0);
    let results = [1, 2].map(|seed| run(&game, config, seed, &mut HashEvaluator::new(2)));
    assert_eq!(results[0], results[1]);
}
