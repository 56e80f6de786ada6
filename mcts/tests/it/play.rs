//! What play needs beside self-play: several leaves in flight, limits, pondering, lines.

use std::num::{NonZeroU16, NonZeroU32};

use gryphon_env::{Actor, Color, Game, Outcome, RunSeed, Stream};
use gryphon_mcts::{
    EvaluationCache, Evaluator, FirstPlayUrgency, PuctConfig, RootPolicy, SearchConfig, Step,
    ValueMover, run_until,
};

use crate::support::{
    HashEvaluator, PUCT, after, choices, finish, game_at, gumbel, new_search, puct, random_game,
    run, start_of, variants,
};

fn in_flight(config: SearchConfig, n: u16) -> SearchConfig {
    SearchConfig { in_flight: NonZeroU16::new(n).unwrap(), ..config }
}

#[test]
fn leaves_in_flight_fill_batches_and_spend_exactly_the_budget() {
    for variant in ["chess", "gryphon-aanca", "grant-acedrex"] {
        for config in [puct(300), gumbel(300, 16, 1.0)] {
            let game = start_of(variant);
            let mut search = new_search(&game, in_flight(config, 8), 0);
            let mut cache = EvaluationCache::off();
            let (mut n_batches, mut n_leaves) = (0, 0);
            while search.gather(&mut cache) == Step::Evaluate {
                let queries: Vec<_> = search.queries().collect();
                assert!(queries.len() <= 8);
                let evaluations = HashEvaluator::new(1).evaluate(&queries).unwrap();
                n_batches += 1;
                n_leaves += queries.len();
                search.apply(&evaluations);
            }
            let result = search.result();
            assert_eq!(result.simulations, 300);
            let visits: u32 = result.actions.iter().map(|action| action.visits).sum();
            assert_eq!(visits, 300);
            assert!(
                n_leaves > 4 * n_batches,
                "{variant}: {n_leaves} leaves in {n_batches} batches"
            );
        }
    }
}

#[test]
fn one_leaf_in_flight_is_the_plain_search() {
    let game = start_of("toulousain");
    for config in [puct(80), gumbel(80, 8, 1.0)] {
        let plain = run(&game, config, 4, &mut HashEvaluator::new(1));
        assert_eq!(run(&game, in_flight(config, 1), 4, &mut HashEvaluator::new(1)), plain);
        let wide = in_flight(config, 16);
        let results = [(); 2].map(|()| run(&game, wide, 4, &mut HashEvaluator::new(1)));
        assert_eq!(results[0], results[1]);
        assert_ne!(results[0].actions, plain.actions);
    }
}

#[test]
fn a_stopped_search_has_a_result_from_its_first_batch_on() {
    for config in [in_flight(puct(1_000_000), 4), gumbel(1_000_000, 16, 1.0)] {
        for n_batches in [1, 2, 30] {
            let game = start_of("complicacious");
            let mut searches = [new_search(&game, config, 0)];
            let mut n = 0;
            let mut evaluator = HashEvaluator::new(1);
            run_until(&mut searches, &mut evaluator, &mut EvaluationCache::off(), |_| {
                n += 1;
                n == n_batches
            })
            .unwrap();
            assert_eq!(n, n_batches);
            let result = searches[0].result();
            assert_eq!(result.simulations, searches[0].simulations_run());
            assert!(result.simulations < 4 * n_batches);
            assert!(choices(&game).contains(&result.action));
        }
    }
}

#[test]
fn a_search_stopped_before_it_began_asks_about_the_root_alone() {
    let mut searches = [new_search(&start_of("chess"), puct(50), 0)];
    searches[0].stop();
    finish(&mut searches, &mut HashEvaluator::new(1));
    assert_eq!(searches[0].result().simulations, 0);
}

#[test]
fn no_simulation_begins_in_a_full_tree() {
    let max_nodes = NonZeroU32::new(200).unwrap();
    for variant in ["chess", "grant-acedrex-dice"] {
        for config in [in_flight(puct(5000), 3), gumbel(5000, 16, 1.0)] {
            let config = SearchConfig { max_nodes, ..config };
            let games = random_game(variant, 2);
            let game = games.iter().find(|game| game.position().actor() != Actor::Chance).unwrap();
            let mut searches = [new_search(game, config, 0)];
            finish(&mut searches, &mut HashEvaluator::new(1));
            let n_nodes = searches[0].n_nodes();
            assert!((200..210).contains(&n_nodes), "{variant}: {n_nodes} nodes");
            assert!(searches[0].result().simulations > 90);
        }
    }
}

#[test]
fn pondering_goes_on_in_the_same_tree() {
    let game = start_of("toulousain");
    let config = in_flight(puct(100_000), 4);
    let mut searches = [new_search(&game, config, 0)];
    let mut cache = EvaluationCache::off();
    let mut evaluator = HashEvaluator::new(1);
    run_until(&mut searches, &mut evaluator, &mut cache, |searches| {
        searches[0].simulations_run() >= 2000
    })
    .unwrap();
    let pondered = searches[0].result();
    let played = pondered.actions.iter().find(|action| action.action == pondered.action).unwrap();
    let next = after(&game, pondered.action);
    searches[0].advance(&next, &[pondered.action]);
    let config = SearchConfig { max_nodes: NonZeroU32::MAX, ..gumbel(32, 8, 0.0) };
    searches[0].restart(&next, config, RunSeed(1).stream(Stream::Playout(0)));
    run_until(&mut searches, &mut evaluator, &mut cache, |_| false).unwrap();
    let result = searches[0].result();
    assert_eq!(result.simulations, 32);
    let visits: u32 = result.actions.iter().map(|action| action.visits).sum();
    assert_eq!(visits, 32 + played.visits - 1);
}

#[test]
fn trees_go_through_turns_of_several_actions_and_rolls() {
    for variant in ["gryphon-aanca", "grant-acedrex-dice"] {
        let mut n_kept = 0;
        let mut game = random_game(variant, 5)
            .into_iter()
            .find(|game| game.position().actor() != Actor::Chance)
            .unwrap();
        let mut searches = [new_search(&game, puct(400), 1)];
        for _ in 0..12 {
            finish(&mut searches, &mut HashEvaluator { spread: 6.0, ..HashEvaluator::new(2) });
            let mut actions = vec![searches[0].result().action];
            game.play(actions[0]);
            while game.position().actor() == Actor::Chance && game.outcome().is_none() {
                let line = searches[0].lines(1);
                assert_eq!(line[0].actions, actions, "a line ends where the die falls");
                actions.push(choices(&game)[0]);
                game.play(actions[actions.len() - 1]);
            }
            if game.outcome().is_some() {
                break;
            }
            searches[0].advance(&game, &actions);
            n_kept += searches[0].n_nodes() - 1;
        }
        assert!(n_kept > 300, "{variant}: {n_kept} nodes kept");
    }
}

#[test]
fn lines_begin_with_the_choice_and_can_be_played() {
    for variant in variants() {
        let games = random_game(variant, 1);
        let is_open = |game: &&Game| {
            matches!(game.position().actor(), Actor::Player(_)) && game.outcome().is_none()
        };
        for game in games.iter().filter(is_open).step_by(25) {
            for config in [puct(200), gumbel(200, 16, 1.0)] {
                let mut searches = [new_search(game, config, 0)];
                assert!(searches[0].lines(3).is_empty());
                finish(&mut searches, &mut HashEvaluator::new(5));
                let result = searches[0].result();
                let lines = searches[0].lines(3);
                assert_eq!(lines.len(), result.actions.len().min(3));
                assert_eq!(lines[0].actions[0], result.action);
                for line in &lines {
                    let root = result.actions.iter().find(|root| root.action == line.actions[0]);
                    let root = root.unwrap();
                    assert_eq!((line.visits, line.value), (root.visits, root.q));
                    let mut end = game.clone();
                    for &action in &line.actions {
                        assert!(choices(&end).contains(&action));
                        end.play(action);
                    }
                }
            }
        }
    }
}

#[test]
fn the_line_of_a_forced_mate_ends_in_mate() {
    let game = game_at("chess", "8/4k3/R7/1R6/7p/7P/8/7K w - - 0 40");
    let mut searches = [new_search(&game, puct(5000), 0)];
    finish(&mut searches, &mut HashEvaluator::new(1));
    let line = &searches[0].lines(1)[0];
    // A search may prove a longer mate than the shortest.
    let n_plies = line.end_in.unwrap();
    let mut end = game;
    line.actions.iter().for_each(|&action| end.play(action));
    assert_eq!(line.actions.len(), n_plies as usize);
    assert_eq!(end.outcome().and_then(Outcome::winner), Some(Color::White));
}

#[test]
fn first_play_urgency_decides_how_widely_is_searched() {
    let n_tried = |first_play| {
        let root = RootPolicy::Puct(PuctConfig { first_play, ..PUCT });
        let config = SearchConfig { root, ..puct(35) };
        let result = run(&start_of("chess"), config, 0, &mut HashEvaluator::new(1));
        result.actions.iter().filter(|action| action.visits > 0).count()
    };
    let hopeful = n_tried(FirstPlayUrgency::Fixed(ValueMover::new(1.0)));
    let parent = n_tried(FirstPlayUrgency::BelowParent(0.2));
    let by_tried = n_tried(FirstPlayUrgency::BelowParentByTried(0.2));
    let hopeless = n_tried(FirstPlayUrgency::Fixed(ValueMover::new(-1.0)));
    assert_eq!(hopeful, 20, "every action once before any twice");
    assert!(hopeful > by_tried && by_tried >= parent && parent > hopeless && hopeless >= 1);
}

#[test]
fn root_noise_changes_the_search_and_keeps_priors_a_distribution() {
    let noise = gryphon_mcts::RootNoise { alpha: 0.3, fraction: 0.25 };
    let root = RootPolicy::Puct(PuctConfig { root_noise: Some(noise), ..PUCT });
    let config = SearchConfig { root, ..puct(60) };
    let results =
        [1, 2].map(|seed| run(&start_of("chess"), config, seed, &mut HashEvaluator::new(1)));
    assert_ne!(results[0].actions, results[1].actions);
    let plain = run(&start_of("chess"), puct(60), 1, &mut HashEvaluator::new(1));
    for (noisy, plain) in results[0].actions.iter().zip(&plain.actions) {
        assert_eq!(noisy.prior, plain.prior, "the evaluator's own prior is told");
    }
}
