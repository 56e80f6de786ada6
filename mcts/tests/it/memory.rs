//! Trees stay small.

use gryphon_env::{Actor, Game};
use gryphon_mcts::{EvaluationCache, Search, run_batch};

use crate::support::{HashEvaluator, gumbel, new_search, random_game};

/// Positions of random games in which a side acts.
fn positions(variant: &str, n: usize) -> Vec<Game> {
    let is_open = |game: &Game| {
        matches!(game.position().actor(), Actor::Player(_)) && game.outcome().is_none()
    };
    let games = (0..).flat_map(|number| random_game(variant, number).into_iter().step_by(10));
    games.filter(is_open).take(n).collect()
}

#[test]
fn the_trees_of_256_large_games_take_less_than_a_gibibyte() {
    const N_GAMES: usize = 256;
    const N_GROUPS: usize = 8;
    let config = gumbel(256, 16, 1.0);
    let mut games = positions("gryphon-aanca", N_GAMES);
    let search = |(number, game): (usize, &Game)| new_search(game, config, number as u64);
    let mut searches: Vec<Search> = games.iter().enumerate().map(search).collect();
    let mut caches = vec![EvaluationCache::with_bytes(16 << 20); N_GROUPS];
    let mut most_nodes = 0;
    for _ in 0..3 {
        let groups = searches.chunks_mut(N_GAMES / N_GROUPS).zip(&mut caches);
        for (group, cache) in groups {
            run_batch(group, &mut HashEvaluator::new(1), cache).unwrap();
        }
        most_nodes = searches.iter().map(Search::n_nodes).max().unwrap().max(most_nodes);
        for (game, search) in games.iter_mut().zip(&mut searches) {
            if game.outcome().is_none() {
                let action = search.result().action;
                game.play(action);
                search.advance(game, &[action]);
            }
        }
    }
    let trees: usize = searches.iter().map(Search::memory).sum();
    let caches: usize = caches.iter().map(EvaluationCache::memory).sum();
    let mebibytes = (trees + caches) >> 20;
    assert!(mebibytes < 1024, "{mebibytes} MiB");
    // Trees were full and kept, or the figure would say little.
    assert!(trees >> 20 > 100 && most_nodes > 300, "{} MiB, {most_nodes} nodes", trees >> 20);
}
