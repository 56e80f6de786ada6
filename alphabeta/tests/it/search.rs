//! Limits, determinism and strength.

use std::fmt::Write as _;
use std::num::NonZeroU32;

use gryphon_alphabeta::{AlphaBeta, Config, Limit};
use gryphon_env::{Color, Game, PlyCap, RunSeed, Status, Stream, Variant};
use rand::seq::IndexedRandom;

use crate::support::{legal, ongoing, random_game, variants};

#[test]
fn node_limits_hold() {
    for variant in variants() {
        let mut engine = AlphaBeta::new(variant, Config::default());
        for (number, nodes) in [1, 2, 17, 300, 2_000].into_iter().enumerate() {
            let Some(game) = ongoing(variant, number as u64, 12) else { continue };
            let report = engine.search(&game, Limit::nodes(nodes)).unwrap();
            assert!(report.nodes <= nodes, "{} of {nodes} nodes", report.nodes);
            assert!(legal(&game).contains(&report.action));
        }
    }
}

#[test]
fn the_same_question_gets_the_same_answer_whatever_came_before() {
    for variant in variants() {
        let mut used = AlphaBeta::new(variant, Config::default());
        for number in 0..4 {
            let Some(game) = ongoing(variant, number, 10) else { continue };
            let limit = if number % 2 == 0 { Limit::nodes(1_000) } else { Limit::depth(2) };
            let mut fresh = AlphaBeta::new(variant, Config::default());
            assert_eq!(used.search(&game, limit), fresh.search(&game, limit), "{number}");
        }
    }
}

#[test]
fn principal_variations_can_be_played() {
    for variant in variants() {
        let mut engine = AlphaBeta::new(variant, Config::default());
        for number in 0..8 {
            let Some(mut game) = ongoing(variant, number, 4 + 6 * number as usize) else {
                continue;
            };
            let report = engine.search(&game, Limit::nodes(1_500)).unwrap();
            assert_eq!(report.pv.first(), Some(&report.action));
            for action in report.pv {
                assert!(legal(&game).contains(&action), "{}", game.position().fen());
                game.play(action);
            }
        }
    }
}

#[test]
fn nothing_is_found_in_a_game_that_is_over() {
    for variant in variants() {
        let mut games = (0..200).map(|number| random_game(variant, number, 600));
        let Some(over) = games.find(|game| game.outcome().is_some()) else { continue };
        let mut engine = AlphaBeta::new(variant, Config::default());
        assert_eq!(engine.search(&over, Limit::depth(2)), None);
    }
}

/// Two sums a variant: if it changes, the search or the evaluation changed.
#[test]
fn signature_of_the_search() {
    let mut text = String::new();
    for variant in variants() {
        let mut engine = AlphaBeta::new(variant, Config::default());
        let (mut depths, mut scores) = (0, 0);
        for number in 0..5 {
            let Some(game) = ongoing(variant, number, 8 * number as usize) else { continue };
            let report = engine.search(&game, Limit::nodes(5_000)).unwrap();
            depths += u32::from(report.depth);
            scores += report.score.get();
        }
        writeln!(text, "{}: depths {depths}, scores {scores}", variant.name()).unwrap();
    }
    insta::assert_snapshot!(text);
}

/// The result of a game from the start between the engine and a random mover.
fn against_random(engine: &mut AlphaBeta, engine_side: Color, number: u64) -> Status {
    let mut rng = RunSeed(3).stream(Stream::Playout(number));
    let mut game = Game::new(engine.variant().start());
    let cap = PlyCap(NonZeroU32::new(300).expect("not zero"));
    loop {
        let status = game.status(cap);
        if status != Status::Ongoing {
            return status;
        }
        let action = if game.position().side_to_move() == engine_side {
            engine.search(&game, Limit::nodes(600)).expect("not over").action
        } else {
            *legal(&game).choose(&mut rng).expect("not over")
        };
        game.play(action);
    }
}

#[test]
fn random_play_is_beaten_every_time() {
    let variant = Variant::named("complicacious-simplified-limited").unwrap();
    let mut engine = AlphaBeta::new(variant, Config::default());
    for number in 0..20 {
        let side = Color::ALL[number as usize % 2];
        let status = against_random(&mut engine, side, number);
        let won = matches!(status, Status::Finished(outcome) if outcome.winner() == Some(side));
        assert!(won, "game {number} as {side}: {status:?}");
    }
}
