use std::num::NonZeroU32;

use gryphon_env::{
    ActionKind, Actor, Color, Game, Outcome, PlyCap, RunSeed, Status, Stream, Variant,
};
use gryphon_mcts::ValueWhite;
use rand::seq::SliceRandom as _;
use tempfile::TempDir;

use super::*;
use crate::replay::{
    GameEnd, PlyRecord, RecordedAction, ReplayStore, SearchRecord, SparsePolicy, StoredValue,
};

const WIDE: WindowRule = WindowRule { start: 1_000_000, exponent: 0.5, growth: 0.5 };

/// A random game, in which every third action is random and the others "searched": the root's value
/// is White's material share, the played action has most of the policy.
fn random_game(variant: &'static Variant, number: u64, cap: u32) -> GameRecord {
    let mut rng = RunSeed(8).stream(Stream::Playout(number));
    let cap = PlyCap(NonZeroU32::new(cap).unwrap());
    let mut game = Game::new(variant.start());
    let mut plies = Vec::new();
    let mut legal = Vec::new();
    let mut rolls = Vec::new();
    while game.status(cap) == Status::Ongoing {
        let position = game.position();
        let mover = position.side_to_move();
        let (action, search) = if position.actor() == Actor::Chance {
            position.chance_outcomes(&mut rolls);
            (rolls[rng.random_range(0..rolls.len())].action, None)
        } else {
            position.legal_actions(&mut legal);
            let action = legal[rng.random_range(0..legal.len())];
            let index = |action| variant.action_space().index(action, mover).unwrap();
            let weight = |other| if other == action { 9.0 } else { 1.0 };
            let policy: Vec<_> = legal.iter().map(|&other| (index(other), weight(other))).collect();
            let search = SearchRecord {
                value: StoredValue::new(value_at(&game)),
                simulations: 16,
                policy: SparsePolicy::new(&policy),
            };
            (action, (plies.len() % 3 > 0).then_some(search))
        };
        let action_of = RecordedAction::new(variant, action, mover).unwrap();
        plies.push(PlyRecord { action: action_of, search });
        game.play(action);
    }
    let end = match game.status(cap) {
        Status::Finished(outcome) => GameEnd::Finished(outcome),
        _ => GameEnd::Truncated { value: StoredValue::new(value_at(&game)) },
    };
    GameRecord {
        variant: variant.hash(),
        id: GameId { generation: (number / 10) as u32, number },
        seed: RunSeed(8),
        start: variant.start().fen(),
        plies,
        end,
    }
}

fn value_at(game: &Game) -> ValueWhite {
    let position = game.position();
    let count = |color| -> f32 {
        position.variant().kinds().map(|kind| position.count(color, kind) as f32).sum()
    };
    ValueWhite::new((count(Color::White) - count(Color::Black)) / 40.0)
}

fn games(variant: &'static Variant, n: u64) -> Vec<GameRecord> {
    (0..n).map(|number| random_game(variant, number, 80)).collect()
}

fn small() -> &'static Variant {
    Variant::named("complicacious-simplified-limited").unwrap()
}

fn window_of(variant: &'static Variant, rule: WindowRule, records: &[GameRecord]) -> ReplayWindow {
    let mut window = ReplayWindow::new(variant, rule);
    records.iter().for_each(|record| window.push(record.clone()).unwrap());
    window
}

fn draw(window: &mut ReplayWindow, seed: u64, n: usize) -> Vec<Sample> {
    let mut rng = RunSeed(seed).stream(Stream::Samples { generation: 0 });
    window.draw(&mut rng, n.try_into().unwrap()).unwrap()
}

fn picks(samples: &[Sample]) -> Vec<(GameId, u32)> {
    samples.iter().map(|sample| (sample.game_id, sample.ply)).collect()
}

/// Replays the record by hand and compares a sample with what is found at its ply.
fn check_sample(variant: &'static Variant, record: &GameRecord, sample: &Sample) {
    let mut game = Game::new(variant.start());
    for ply in &record.plies[..sample.ply as usize] {
        let mover = game.position().side_to_move();
        game.play(ply.action.action(variant, mover).unwrap());
    }
    let position = game.position();
    assert_eq!(sample.game.position().fen(), position.fen());
    assert_eq!(sample.game.observation_context(), game.observation_context());
    assert_eq!(Actor::Player(sample.mover), position.actor());
    assert_eq!(sample.plies_left as usize, record.plies.len() - sample.ply as usize);
    let mut legal = Vec::new();
    position.legal_actions(&mut legal);
    assert_eq!(sample.legal.len(), legal.len());
    assert!((sample.policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    let RecordedAction::Index(played) = record.plies[sample.ply as usize].action else {
        panic!("a roll was drawn")
    };
    let at = sample.legal.iter().position(|&index| index == played).unwrap();
    let expected = 9.0 / (legal.len() as f32 + 8.0);
    assert!((sample.policy[at] - expected).abs() < 1e-3, "{} {expected}", sample.policy[at]);
    let sign = if sample.mover == Color::White { 1.0 } else { -1.0 };
    assert!((sample.root_value.get() - sign * value_at(&game).get()).abs() < 1e-4);
    let score = sample.result.win - sample.result.loss;
    let expected = match record.end {
        GameEnd::Finished(Outcome::Draw { .. }) => 0.0,
        GameEnd::Finished(Outcome::Decisive { winner, .. }) if winner == sample.mover => 1.0,
        GameEnd::Finished(Outcome::Decisive { .. }) => -1.0,
        GameEnd::Truncated { value } => sign * value.value().get(),
    };
    assert!((score - expected).abs() < 1e-6);
    assert_eq!(sample.is_cut, matches!(record.end, GameEnd::Truncated { .. }));
    let whole = sample.result.win + sample.result.draw + sample.result.loss;
    assert!((whole - 1.0).abs() < 1e-6);
}

#[test]
fn samples_are_what_the_rules_give_in_every_variant() {
    for name in Variant::names() {
        let variant = Variant::named(name).unwrap();
        let records = games(variant, 4);
        let mut window = window_of(variant, WIDE, &records);
        for sample in draw(&mut window, 1, 40) {
            let record = records.iter().find(|record| record.id == sample.game_id).unwrap();
            check_sample(variant, record, &sample);
        }
    }
}

#[test]
fn decisive_games_are_seen_from_both_sides() {
    let variant = Variant::named("chess").unwrap();
    let mut game = Game::new(variant.start());
    let mut plies = Vec::new();
    for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        let mover = game.position().side_to_move();
        let action = game.position().parse_action(text).unwrap();
        assert!(matches!(action.kind(), ActionKind::Move { .. }));
        let RecordedAction::Index(index) = RecordedAction::new(variant, action, mover).unwrap()
        else {
            panic!("not an index")
        };
        let value = StoredValue::new(ValueWhite::new(-0.5));
        let policy = SparsePolicy::new(&[(index, 1.0)]);
        let search = Some(SearchRecord { value, simulations: 1, policy });
        plies.push(PlyRecord { action: RecordedAction::Index(index), search });
        game.play(action);
    }
    let end = GameEnd::Finished(game.outcome().unwrap());
    let record = GameRecord { plies, end, ..random_game(variant, 0, 1) };
    let mut window = window_of(variant, WIDE, &[record]);
    for sample in draw(&mut window, 2, 40) {
        let score = sample.result.win - sample.result.loss;
        let (expected, value) =
            if sample.mover == Color::White { (-1.0, -0.5) } else { (1.0, 0.5) };
        assert_eq!(score, expected, "Black mated");
        assert!((sample.root_value.get() - value).abs() < 1e-4);
    }
}

#[test]
fn order_of_arrival_and_storage_do_not_matter() {
    let rule = WindowRule { start: 300, exponent: 0.65, growth: 0.4 };
    let records = games(small(), 40);
    let mut in_order = window_of(small(), rule, &records);
    let expected = picks(&draw(&mut in_order, 3, 64));
    assert!(in_order.games().len() < 40, "old games went");
    assert!(in_order.n_positions() >= rule.size(in_order.total_positions()));

    let mut shuffled = records;
    for chunk in shuffled.chunks_mut(10) {
        // Games of one generation come in any order.
        chunk.shuffle(&mut RunSeed(5).stream(Stream::Playout(0)));
    }
    assert_eq!(picks(&draw(&mut window_of(small(), rule, &shuffled), 3, 64)), expected);

    let folder = TempDir::new().unwrap();
    let (mut store, _) = ReplayStore::open(folder.path(), small().hash()).unwrap();
    for (i, record) in shuffled.iter().enumerate() {
        store.append(record).unwrap();
        if i % 13 == 12 {
            store.finish_shard().unwrap();
        }
    }
    let (mut loaded, damage) = store.load_window(small(), rule, 3).unwrap();
    assert_eq!(damage, []);
    assert_eq!(loaded.n_positions(), in_order.n_positions());
    assert_eq!(loaded.total_positions(), in_order.total_positions());
    assert_eq!(picks(&draw(&mut loaded, 3, 64)), expected);
}

#[test]
fn a_window_of_an_earlier_generation_knows_no_later_game() {
    let records = games(small(), 40);
    let folder = TempDir::new().unwrap();
    let (mut store, _) = ReplayStore::open(folder.path(), small().hash()).unwrap();
    for record in &records {
        store.append(record).unwrap();
    }
    let rule = WindowRule { start: 300, exponent: 0.65, growth: 0.4 };
    let (mut loaded, _) = store.load_window(small(), rule, 1).unwrap();
    let mut expected = window_of(small(), rule, &records[..20]);
    assert_eq!(picks(&draw(&mut loaded, 3, 64)), picks(&draw(&mut expected, 3, 64)));
    assert_eq!(loaded.total_positions(), expected.total_positions());
}

#[test]
fn a_batch_is_spread_over_games_and_positions() {
    let records = games(small(), 30);
    let mut window = window_of(small(), WIDE, &records);
    let mut of_game: HashMap<GameId, usize> = HashMap::new();
    let samples = draw(&mut window, 4, 60);
    let mut distinct = picks(&samples);
    distinct.iter().for_each(|(id, _)| *of_game.entry(*id).or_default() += 1);
    assert!(of_game.values().all(|&n| n <= 4), "at most twice the even share: {of_game:?}");
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), 60);
}

#[test]
fn every_position_is_drawn_equally_often() {
    let records = games(small(), 12);
    let mut window = window_of(small(), WIDE, &records);
    let n_positions = window.n_positions() as usize;
    let mut counts: HashMap<(GameId, u32), usize> = HashMap::new();
    let mut rng = RunSeed(6).stream(Stream::Samples { generation: 0 });
    let n_draws = 60 * n_positions;
    for _ in 0..n_draws {
        let sample = window.pick(&mut rng, 1)[0];
        *counts.entry(sample).or_default() += 1;
    }
    assert_eq!(counts.len(), n_positions, "every position is drawn");
    // Poisson of mean 60: beyond six standard deviations is less likely than 1 in 10^7.
    assert!(counts.values().all(|&n| (14..=107).contains(&n)), "{counts:?}");
}

#[test]
fn small_windows_repeat_instead_of_hanging() {
    let record = random_game(small(), 0, 5);
    let mut window = window_of(small(), WIDE, &[record]);
    assert_eq!(draw(&mut window, 7, 100).len(), 100);
    let mut empty = ReplayWindow::new(small(), WIDE);
    let mut rng = RunSeed(1).stream(Stream::Playout(0));
    let error = empty.draw(&mut rng, NonZeroUsize::MIN).unwrap_err().to_string();
    assert_eq!(error, "the replay window holds no position to learn from");
}

#[track_caller]
fn check_refused(change: impl Fn(&mut GameRecord), parts: &[&str]) {
    let mut record = random_game(small(), 3, 40);
    change(&mut record);
    let mut window = ReplayWindow::new(small(), WIDE);
    let message = window.push(record).unwrap_err().to_string();
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
    assert_eq!((window.n_positions(), window.total_positions()), (0, 0));
}

#[test]
fn games_against_the_rules_are_refused() {
    use gryphon_env::{ActionIndex, Face};
    let illegal = RecordedAction::Index(ActionIndex(0));
    check_refused(|r| r.plies[9].action = illegal, &["game 0/3", "`action`", "after 9 actions"]);
    let beyond = RecordedAction::Index(ActionIndex(60_000));
    check_refused(|r| r.plies[0].action = beyond, &["60000", "a legal action in `4k3/"]);
    check_refused(|r| r.plies[2].action = RecordedAction::Roll(Face(1)), &["Roll", "after 2"]);
    check_refused(|r| r.start = "nonsense".into(), &["`start`", "`nonsense`", "a position of the"]);
    check_refused(|r| r.variant.0[0] ^= 1, &["`variant`"]);
    let stray = SparsePolicy::new(&[(ActionIndex(0), 1.0)]);
    let change = |r: &mut GameRecord| r.plies[4].search.as_mut().unwrap().policy = stray.clone();
    check_refused(change, &["`policy`", "after 4 actions"]);
}
