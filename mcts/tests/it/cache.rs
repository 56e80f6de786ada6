//! Remembered evaluations change nothing but the number of questions.

use std::collections::HashMap;
use std::thread;

use gryphon_env::{Actor, Game, Variant};
use gryphon_mcts::{
    Evaluation, EvaluationCache, EvaluationKey, Evaluator, EvaluatorError, Query, Search,
    SearchResult, Wdl, run_batch,
};
use proptest::prelude::*;

use crate::support::{
    HashEvaluator, choices, gumbel, new_search, puct, random_game, start_of, variants,
};

fn planes(game: &Game) -> Vec<f32> {
    let layout = game.position().variant().observation();
    let n_squares = game.position().variant().size().n_squares();
    let mut planes = vec![0.0; layout.n_planes() * n_squares];
    layout.encode(game.position(), game.observation_context(), &mut planes);
    planes
}

fn key(game: &Game) -> EvaluationKey {
    let legal = choices(game);
    EvaluationKey::of(&Query {
        position: game.position(),
        context: game.observation_context(),
        legal: &legal,
    })
}

fn acts(game: &Game) -> bool {
    matches!(game.position().actor(), Actor::Player(_)) && game.outcome().is_none()
}

#[test]
fn equal_keys_show_equal_planes_in_every_variant() {
    let (mut n_equal, mut n_hidden) = (0, 0);
    for variant in variants() {
        let mut seen: HashMap<EvaluationKey, Vec<f32>> = HashMap::new();
        let mut by_position = HashMap::new();
        for number in 0..12 {
            for game in random_game(variant, number).iter().filter(|game| acts(game)) {
                let planes = planes(game);
                if let Some(other) = by_position.insert(game.position().key(), planes.clone()) {
                    n_hidden += u32::from(other != planes);
                }
                if let Some(other) = seen.insert(key(game), planes.clone()) {
                    n_equal += 1;
                    assert!(other == planes, "{}", game.position().fen());
                }
            }
        }
    }
    // The position alone does not tell what the network sees.
    assert!(n_equal > 50 && n_hidden > 20, "{n_equal} equal keys, {n_hidden} equal positions");
}

#[test]
fn the_past_is_part_of_the_key() {
    let play = |game: &mut Game, texts: &[&str]| {
        for text in texts {
            let action = game.position().parse_action(text).unwrap();
            game.play(action);
        }
    };
    let mut first = start_of("chess");
    play(&mut first, &["g1f3", "g8f6", "b1c3", "b8c6"]);
    let mut other_order = start_of("chess");
    play(&mut other_order, &["b1c3", "b8c6", "g1f3", "g8f6"]);
    assert_eq!(first.position().key(), other_order.position().key());
    assert_ne!(key(&first), key(&other_order), "the last actions differ");
    let mut again = first.clone();
    play(&mut again, &["f3g1", "f6g8", "g1f3", "g8f6", "c3b1", "c6b8", "b1c3", "b8c6"]);
    assert_eq!(first.position().key(), again.position().key());
    assert_eq!(first.actions().last(), again.actions().last());
    assert_ne!(key(&first), key(&again), "one came up before");
}

/// Counts its questions; panics if one comes twice.
struct Counting {
    inner: HashEvaluator,
    asked: HashMap<EvaluationKey, u32>,
    allowed: u32,
}

impl Evaluator for Counting {
    fn evaluate(&mut self, queries: &[Query<'_>]) -> Result<Vec<Evaluation>, EvaluatorError> {
        for query in queries {
            let n = self.asked.entry(EvaluationKey::of(query)).or_default();
            *n += 1;
            assert!(*n <= self.allowed, "asked again");
        }
        self.inner.evaluate(queries)
    }
}

/// Plays some rounds of a group of games; the results and the number of questions.
fn play_group(variant: &str, group: u64, cache: &mut EvaluationCache) -> (Vec<SearchResult>, u32) {
    let allowed = if cache.is_off() { u32::MAX } else { 1 };
    let mut evaluator = Counting { inner: HashEvaluator::new(1), asked: HashMap::new(), allowed };
    let mut start = start_of(variant);
    if !acts(&start) {
        let roll = choices(&start)[0];
        start.play(roll);
    }
    let mut games = vec![start; 6];
    let search = |(number, game): (usize, &Game)| {
        let config = if number % 2 == 0 { gumbel(24, 8, 1.0) } else { puct(24) };
        new_search(game, config, 100 * group + number as u64)
    };
    let mut searches: Vec<Search> = games.iter().enumerate().map(search).collect();
    let mut results = Vec::new();
    for _ in 0..6 {
        run_batch(&mut searches, &mut evaluator, cache).unwrap();
        for (game, search) in games.iter_mut().zip(&mut searches) {
            if !acts(game) {
                continue;
            }
            let result = search.result();
            game.play(result.action);
            let mut actions = vec![result.action];
            while game.position().actor() == Actor::Chance && game.outcome().is_none() {
                let roll = choices(game)[0];
                game.play(roll);
                actions.push(roll);
            }
            search.advance(game, &actions);
            results.push(result);
        }
    }
    (results, evaluator.asked.values().sum())
}

#[test]
fn results_are_the_same_with_any_cache_and_no_question_comes_twice() {
    for variant in ["chess", "complicacious-simplified", "grant-acedrex-dice", "gryphon-aanca"] {
        let (expected, n_without) = play_group(variant, 0, &mut EvaluationCache::off());
        let mut cache = EvaluationCache::with_bytes(64 << 20);
        let (found, n_with) = play_group(variant, 0, &mut cache);
        assert_eq!(expected, found, "{variant}");
        assert!(n_with < n_without, "{variant}: {n_with} of {n_without}");
    }
}

#[test]
fn results_are_the_same_on_any_number_of_threads() {
    let play = |group| {
        let mut cache = EvaluationCache::with_bytes(1 << 20);
        play_group("toulousain", group, &mut cache).0
    };
    let alone: Vec<_> = (0..4).map(play).collect();
    let together: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|group| scope.spawn(move || play(group))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(alone, together);
}

proptest! {
    #[test]
    fn a_cache_tells_the_last_evaluation_or_nothing(
        bytes in 0usize..20_000,
        writes in prop::collection::vec((0u64..40, -5.0f32..5.0), 0..200),
    ) {
        let variant = Variant::named("complicacious").unwrap();
        let games = random_game(variant.name(), 3);
        let mut cache = EvaluationCache::with_bytes(bytes);
        prop_assert!(cache.memory() <= bytes);
        let mut last = HashMap::new();
        for (number, logit) in writes {
            let game = &games[number as usize];
            let key = key(game);
            let logits = vec![logit; choices(game).len()];
            let wdl = Wdl { win: logit.abs() / 5.0, draw: 0.0, loss: 1.0 - logit.abs() / 5.0 };
            cache.insert(key, &Evaluation { logits: logits.clone(), wdl });
            last.insert(key, (logits, wdl));
            for (key, (logits, wdl)) in &last {
                if let Some(found) = cache.get(key) {
                    prop_assert_eq!(found, (logits.as_slice(), *wdl));
                }
            }
        }
        let statistics = cache.statistics();
        prop_assert!(statistics.found <= statistics.asked);
        cache.clear();
        prop_assert!(last.keys().all(|key| cache.get(key).is_none()));
    }
}

#[test]
fn a_large_cache_forgets_nothing() {
    let mut cache = EvaluationCache::with_bytes(1 << 20);
    let games: Vec<Game> = random_game("complicacious", 3).into_iter().filter(acts).collect();
    for game in &games {
        let logits = vec![1.0; choices(game).len()];
        cache.insert(key(game), &Evaluation { logits, wdl: Wdl::DRAW });
    }
    assert!(games.iter().all(|game| cache.get(&key(game)).is_some()));
}
