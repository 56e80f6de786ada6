//! What players choose.

use std::convert::Infallible;
use std::num::{NonZeroU32, NonZeroUsize};

use gryphon_alphabeta::Limit;
use gryphon_env::{Action, Game, Position, RunSeed, Stream, Variant};
use gryphon_mcts::{
    Evaluation, Evaluator, EvaluatorError, FirstPlayUrgency, PuctConfig, Query, RootPolicy,
    SearchConfig, UniformEvaluator, ValueMover, Wdl,
};
use gryphon_play::{
    AgentPlayer, AlphaBetaPlayer, GreedyPlayer, OpenError, Player, PlayerSpec, RandomPlayer,
    roll_die,
};
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

fn named(name: &str) -> &'static Variant {
    Variant::named(name).expect("it is built in")
}

fn game(variant: &'static Variant, fen: &str) -> Game {
    Game::new(Position::from_fen(variant, fen).expect("a legal position"))
}

fn stream(number: u64) -> ChaCha8Rng {
    RunSeed(5).stream(Stream::Playout(number))
}

/// A random game that a side can go on with.
fn random_game(variant: &'static Variant, number: u64, plies: usize) -> Game {
    let mut rng = stream(1_000 + number);
    let mut game = Game::new(variant.start());
    let mut legal = Vec::new();
    loop {
        if let Some(roll) = roll_die(game.position(), &mut rng) {
            game.play(roll);
            continue;
        }
        game.position().legal_actions(&mut legal);
        if game.actions().len() >= plies && !legal.is_empty() && game.outcome().is_none() {
            return game;
        }
        match legal.choose(&mut rng) {
            Some(&action) if game.outcome().is_none() => game.play(action),
            _ => game = Game::new(variant.start()),
        }
    }
}

fn choose(player: &mut dyn Player, games: &[Game]) -> Vec<Action> {
    let games: Vec<&Game> = games.iter().collect();
    let mut rngs: Vec<ChaCha8Rng> = (0..games.len() as u64).map(stream).collect();
    player.choose(&games, &mut rngs).expect("every game goes on")
}

/// Senseless but sharp opinions, from the position alone.
#[derive(Debug)]
struct Opinions;

impl Evaluator for Opinions {
    fn evaluate(&mut self, queries: &[Query<'_>]) -> Result<Vec<Evaluation>, EvaluatorError> {
        let answer = |query: &Query<'_>| {
            let key = (query.position.key().0 >> 40) as f32;
            let value = ValueMover::new((key * 0.37).sin());
            let logits = (0..query.legal.len()).map(|index| 3.0 * (key + index as f32).sin());
            Evaluation { logits: logits.collect(), wdl: Wdl::of_value(value) }
        };
        Ok(queries.iter().map(answer).collect())
    }
}

fn agent() -> AgentPlayer<UniformEvaluator> {
    agent_with(UniformEvaluator)
}

fn agent_with<E: Evaluator>(evaluator: E) -> AgentPlayer<E> {
    let puct = PuctConfig {
        c_puct: 1.5,
        first_play: FirstPlayUrgency::BelowParent(0.0),
        root_noise: None,
    };
    let simulations = NonZeroU32::new(100).expect("not zero");
    let config = SearchConfig::new(simulations, RootPolicy::Puct(puct));
    AgentPlayer::new("uniform".to_owned(), evaluator, config)
}

fn all_players(variant: &'static Variant) -> Vec<Box<dyn Player>> {
    vec![
        Box::new(RandomPlayer::new()),
        Box::new(GreedyPlayer::new(variant)),
        Box::new(AlphaBetaPlayer::new(variant, Limit::nodes(50), NonZeroUsize::MIN)),
        Box::new(agent()),
    ]
}

#[test]
fn every_player_chooses_legal_actions_alike_in_any_batch() {
    for name in Variant::names() {
        let variant = named(name);
        let games: Vec<Game> =
            (0..5).map(|number| random_game(variant, number, 3 * number as usize)).collect();
        for mut player in all_players(variant) {
            let together = choose(&mut *player, &games);
            for (number, game) in games.iter().enumerate() {
                let mut legal = Vec::new();
                game.position().legal_actions(&mut legal);
                assert!(legal.contains(&together[number]), "{} in {name}", player.name());
                let mut rngs = [stream(number as u64)];
                let alone = player.choose(&[game], &mut rngs).unwrap();
                assert_eq!(alone, [together[number]], "{} in {name}", player.name());
            }
        }
    }
}

#[test]
fn an_agent_that_keeps_its_tree_follows_a_game_with_its_takebacks() {
    let mut n_other = 0;
    for name in ["chess", "complicacious-simplified", "gryphon-aanca", "grant-acedrex-dice"] {
        let mut keeping = agent_with(Opinions).keeping_tree();
        let mut game = random_game(named(name), 1, 4);
        for number in 0..12 {
            let fresh = agent_with(Opinions).choose(&[&game], &mut [stream(number)]).unwrap();
            let kept = keeping.choose(&[&game], &mut [stream(number)]).unwrap();
            let mut legal = Vec::new();
            game.position().legal_actions(&mut legal);
            assert!(legal.contains(&kept[0]), "{name}");
            n_other += usize::from(kept != fresh);
            if number == 6 {
                // Another game, as after a takeback: nothing of the old tree is used.
                game = random_game(named(name), 2, 4);
                let fresh = agent_with(Opinions).choose(&[&game], &mut [stream(number)]).unwrap();
                assert_eq!(keeping.choose(&[&game], &mut [stream(number)]).unwrap(), fresh);
            }
            game.play(kept[0]);
            while let Some(roll) = roll_die(game.position(), &mut stream(number)) {
                game.play(roll);
            }
            if game.outcome().is_some() {
                break;
            }
        }
    }
    assert!(n_other > 0, "a kept tree thinks further than a fresh one");
}

#[test]
fn a_game_that_is_over_is_an_error_that_names_it() {
    let variant = named("chess");
    let mated = game(variant, "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
    for mut player in all_players(variant) {
        let error = player.choose(&[&mated], &mut [stream(0)]).unwrap_err().to_string();
        let expected = format!("{}: nothing to choose in `R5k1", player.name());
        assert!(error.starts_with(&expected), "{error}");
    }
}

#[test]
fn random_chooses_everything_about_equally_often() {
    let variant = named("complicacious-simplified");
    let start = Game::new(variant.start());
    let mut legal = Vec::new();
    start.position().legal_actions(&mut legal);
    let mut rng = [stream(0)];
    let mut player = RandomPlayer::new();
    let mut counts = vec![0u32; legal.len()];
    for _ in 0..legal.len() * 100 {
        let action = player.choose(&[&start], &mut rng).unwrap()[0];
        let idx = legal.iter().position(|&candidate| candidate == action).unwrap();
        counts[idx] += 1;
    }
    assert!(counts.iter().all(|count| (60..=140).contains(count)), "{counts:?}");
}

#[track_caller]
fn check_greedy(variant: &str, fen: &str, expected: &str) {
    let variant = named(variant);
    let game = game(variant, fen);
    for number in 0..10 {
        let mut rng = [stream(number)];
        let chosen = GreedyPlayer::new(variant).choose(&[&game], &mut rng);
        let chosen = chosen.expect("the game goes on");
        assert_eq!(variant.action_text(chosen[0]), expected);
    }
}

#[test]
fn greedy_takes_the_most() {
    check_greedy("chess", "4k3/8/8/3q1r2/4P3/8/8/4K3 w - - 0 1", "e4d5");
    check_greedy("chess", "7k/P7/8/8/8/1r6/8/4K3 w - - 0 1", "a7a8q");
    // A rook could be taken, but there is a mate.
    check_greedy("chess", "6k1/5ppp/8/8/8/r7/1B6/3RK3 w - - 0 1", "d1d8");
}

#[test]
fn greedy_counts_what_its_own_unit_becomes() {
    // The pawn that takes becomes a knight, the knight that takes a bishop: the pawn gains more.
    check_greedy("complicacious", "4k3/8/8/3n4/2P5/4N3/8/4K3 w - - 0 1", "c4d5");
}

#[test]
fn greedy_breaks_ties_at_random() {
    let variant = named("complicacious-simplified");
    let start = Game::new(variant.start());
    let mut player = GreedyPlayer::new(variant);
    let mut rng = [stream(0)];
    let mut seen: Vec<Action> =
        (0..50).map(|_| player.choose(&[&start], &mut rng).unwrap()[0]).collect();
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() > 5, "{} different actions", seen.len());
}

#[test]
fn the_baseline_chooses_alike_on_any_number_of_threads() {
    let variant = named("complicacious-simplified-limited");
    let games: Vec<Game> =
        (0..7).map(|number| random_game(variant, number, 2 * number as usize)).collect();
    let player = |threads| {
        let threads = NonZeroUsize::new(threads).unwrap();
        AlphaBetaPlayer::new(variant, Limit::nodes(400), threads)
    };
    let expected = choose(&mut player(1), &games);
    for threads in [2, 3, 16] {
        assert_eq!(choose(&mut player(threads), &games), expected);
    }
}

#[test]
fn an_agent_without_knowledge_still_sees_a_mate() {
    let variant = named("chess");
    let game = game(variant, "6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1");
    let chosen = choose(&mut agent(), &[game]);
    assert_eq!(variant.action_text(chosen[0]), "d1d8");
}

#[test]
fn players_are_opened_by_their_text() {
    let variant = named("chess");
    for text in ["random", "greedy", "alphabeta:nodes=50", "alphabeta:depth=1"] {
        let spec: PlayerSpec = text.parse().unwrap();
        let player = spec.open(variant, NonZeroUsize::MIN, |_| -> Result<_, Infallible> {
            panic!("{text} is no agent")
        });
        assert_eq!(player.unwrap().name(), text);
    }
}

#[test]
fn an_agent_file_that_is_not_there_is_an_error_that_lists_the_players() {
    let spec: PlayerSpec = "randm".parse().unwrap();
    let opened = spec.open(named("chess"), NonZeroUsize::MIN, |_| -> Result<_, Infallible> {
        panic!("there is no file to open")
    });
    let Err(error @ OpenError::NoFile { .. }) = opened else { panic!("it was opened") };
    let text = error.to_string();
    assert!(text.starts_with("no agent file `randm`; a player is `random`, `greedy`"), "{text}");
}
