//! Batches of games are the same games, one by one.

use std::num::NonZeroU32;

use gryphon_env::{
    Action, ActionIndex, Actor, AutoReset, Batch, BatchConfig, BatchEnv, Color, Game, GameNumber,
    ObservationFormat, Packed, PlyCap, Position, RandomPolicy, RunSeed, Status, Stream, Variant,
};
use proptest::prelude::*;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::random_games::{variants, walk};

fn config(n_games: usize, auto_reset: AutoReset, ply_cap: u32) -> BatchConfig {
    let ply_cap = PlyCap(NonZeroU32::new(ply_cap).unwrap());
    BatchConfig { n_games, n_threads: 1, auto_reset, ply_cap }
}

fn named(name: &str) -> &'static Variant {
    Variant::named(name).unwrap()
}

/// One game that is driven by hand, with the die of a batch's game.
struct Single {
    game: Game,
    cap: PlyCap,
    die: ChaCha8Rng,
    /// How the last action left the game that it was played in.
    last: Status,
}

impl Single {
    fn new(variant: &'static Variant, cap: PlyCap, seed: RunSeed, number: u64) -> Self {
        let die = seed.stream(Stream::BatchDie { game: number });
        let mut single = Self { game: Game::new(variant.start()), cap, die, last: Status::Ongoing };
        single.roll();
        single
    }

    fn roll(&mut self) {
        if self.game.status(self.cap) != Status::Ongoing
            || self.game.position().actor() != Actor::Chance
        {
            return;
        }
        let mut rolls = Vec::new();
        self.game.position().chance_outcomes(&mut rolls);
        let mut at: f32 = self.die.random();
        let is_drawn = |roll: &&gryphon_env::ChanceOutcome| {
            at -= roll.probability;
            at < 0.0
        };
        let roll = rolls.iter().find(is_drawn).or(rolls.last()).unwrap();
        self.game.play(roll.action);
    }

    fn play(&mut self, action: Action, auto_reset: AutoReset) {
        self.game.play(action);
        self.roll();
        self.last = self.game.status(self.cap);
        if self.last != Status::Ongoing && auto_reset == AutoReset::SameStep {
            self.game = Game::new(self.game.start().clone());
            self.roll();
        }
    }

    /// Sorted indices of the legal actions.
    fn legal(&self) -> Vec<ActionIndex> {
        let position = self.game.position();
        let mut actions = Vec::new();
        if self.game.status(self.cap) == Status::Ongoing {
            position.legal_actions(&mut actions);
        }
        let space = position.variant().action_space();
        let index = |&action: &Action| space.index(action, position.side_to_move()).unwrap();
        let mut indices: Vec<ActionIndex> = actions.iter().map(index).collect();
        indices.sort_unstable();
        indices
    }

    fn rewards(&self) -> [f32; 2] {
        match self.last {
            Status::Finished(outcome) => match outcome.winner() {
                Some(Color::White) => [1.0, -1.0],
                Some(Color::Black) => [-1.0, 1.0],
                None => [0.0, 0.0],
            },
            Status::Ongoing | Status::Truncated => [0.0, 0.0],
        }
    }
}

/// Compares the row of `single` with the game itself.
#[track_caller]
fn check_row<F: Observed>(env: &BatchEnv, batch: &Batch<F>, number: usize, single: &Single) {
    let position = single.game.position();
    assert_eq!(env.position(GameNumber(number)).unwrap().fen(), position.fen());
    assert_eq!(env.last_status(GameNumber(number)), Some(single.last), "{}", position.fen());
    let legal = single.legal();
    let mut listed = env.legal_actions(GameNumber(number)).unwrap().to_vec();
    listed.sort_unstable();
    assert_eq!(listed, legal, "{}", position.fen());
    let masked: Vec<ActionIndex> = (0..)
        .map(ActionIndex)
        .zip(batch.mask().row(number))
        .filter_map(|(index, &is_legal)| is_legal.then_some(index))
        .collect();
    assert_eq!(masked, legal, "{}", position.fen());
    assert_eq!(batch.rewards().row(number).as_slice().unwrap(), single.rewards());
    assert_eq!(batch.terminated()[number], matches!(single.last, Status::Finished(_)));
    assert_eq!(batch.truncated()[number], single.last == Status::Truncated);
    assert_eq!(usize::from(batch.actor()[number]), position.side_to_move().index());
    let layout = position.variant().observation();
    let mut expected = vec![f32::NAN; layout.n_planes() * position.variant().size().n_squares()];
    layout.encode(position, single.game.observation_context(), &mut expected);
    let found = F::numbers(position.variant(), batch, number);
    assert!(found == expected, "planes of game {number} in {}", position.fen());
}

/// Observations as the numbers they stand for.
trait Observed: ObservationFormat + Sized {
    fn numbers(variant: &Variant, batch: &Batch<Self>, game: usize) -> Vec<f32>;
}

impl Observed for f32 {
    fn numbers(_: &Variant, batch: &Batch<Self>, game: usize) -> Vec<f32> {
        batch.observations().outer_iter().nth(game).unwrap().iter().copied().collect()
    }
}

impl Observed for u8 {
    fn numbers(variant: &Variant, batch: &Batch<Self>, game: usize) -> Vec<f32> {
        let observation = batch.observations().outer_iter().nth(game).unwrap();
        let planes = observation.outer_iter().zip(variant.observation().full_scales());
        planes
            .flat_map(|(plane, scale)| {
                plane.into_iter().map(move |&byte| f32::from(byte) / f32::from(scale))
            })
            .collect()
    }
}

impl Observed for Packed {
    fn numbers(variant: &Variant, batch: &Batch<Self>, game: usize) -> Vec<f32> {
        let packed = batch.observations();
        let squares = packed.squares.outer_iter().nth(game).unwrap();
        let constants = packed.constants.row(game);
        let layout = variant.observation();
        let mut out = vec![f32::NAN; layout.n_planes() * variant.size().n_squares()];
        layout.unpack(squares.as_slice().unwrap(), constants.as_slice().unwrap(), &mut out);
        out
    }
}

/// Drives a batch and as many single games by the same actions and compares all they show.
fn check_batch<F: Observed>(
    variant: &'static Variant,
    config: BatchConfig,
    seed: u64,
    n_steps: usize,
) {
    let seed = RunSeed(seed);
    let mut env = BatchEnv::try_new(variant, config, seed).unwrap();
    let mut batch = Batch::<F>::new(&env);
    env.observe(&mut batch).unwrap();
    let single = |number| Single::new(variant, config.ply_cap, seed, number);
    let mut singles: Vec<Single> = (0..config.n_games as u64).map(single).collect();
    let mut random = seed.stream(Stream::Playout(0));
    for step in 0..=n_steps {
        for (number, single) in singles.iter_mut().enumerate() {
            check_row(&env, &batch, number, single);
            if single.last != Status::Ongoing && config.auto_reset == AutoReset::Off {
                single.game = Game::new(variant.start());
                single.roll();
                single.last = Status::Ongoing;
            }
        }
        if config.auto_reset == AutoReset::Off {
            env.reset_ended(&mut batch).unwrap();
            (0..)
                .zip(&singles)
                .for_each(|(number, single)| check_row(&env, &batch, number, single));
        }
        if step == n_steps {
            break;
        }
        let space = variant.action_space();
        let mut actions = Vec::new();
        for single in &mut singles {
            let legal = single.legal();
            let index = legal[random.random_range(0..legal.len())];
            let mover = single.game.position().side_to_move();
            single.play(space.action(index, mover).unwrap(), config.auto_reset);
            actions.push(index);
        }
        env.step(&actions, &mut batch).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_batch_is_as_many_single_games(
        variant in proptest::sample::select(Variant::names()),
        n_games in 1usize..6,
        n_threads in 1usize..4,
        stays in any::<bool>(),
        cap in 2u32..160,
        seed in any::<u64>(),
        format in 0..3,
    ) {
        let auto_reset = if stays { AutoReset::Off } else { AutoReset::SameStep };
        let config = BatchConfig { n_threads, ..config(n_games, auto_reset, cap) };
        let run = match format {
            0 => check_batch::<u8>,
            1 => check_batch::<f32>,
            _ => check_batch::<Packed>,
        };
        run(named(variant), config, seed, 200);
    }
}

#[test]
fn every_variant_agrees_in_every_format() {
    for variant in variants() {
        let config = config(3, AutoReset::SameStep, 100);
        check_batch::<u8>(variant, config, 1, 250);
        check_batch::<f32>(variant, config, 1, 250);
        check_batch::<Packed>(variant, config, 1, 250);
    }
}

/// All FENs of a batch of random games after each of some steps, for one number of threads.
fn fens(variant: &'static Variant, n_threads: usize, seed: RunSeed) -> Vec<String> {
    let config = BatchConfig { n_threads, ..config(37, AutoReset::SameStep, 80) };
    let mut env = BatchEnv::try_new(variant, config, seed).unwrap();
    let mut batch = Batch::<u8>::new(&env);
    let mut policy = RandomPolicy::new(seed);
    let (mut actions, mut fens) = (Vec::new(), Vec::new());
    for _ in 0..100 {
        policy.choose(&env, &mut actions).unwrap();
        env.step(&actions, &mut batch).unwrap();
        fens.extend((0..37).map(|game| env.position(GameNumber(game)).unwrap().fen()));
    }
    fens
}

#[test]
fn games_do_not_depend_on_the_number_of_threads_but_on_the_seed() {
    for name in ["chess", "grant-acedrex-dice", "gryphon-aanca"] {
        let variant = named(name);
        let alone = fens(variant, 1, RunSeed(3));
        assert_eq!(fens(variant, 2, RunSeed(3)), alone);
        assert_eq!(fens(variant, 7, RunSeed(3)), alone);
        assert_ne!(fens(variant, 1, RunSeed(4)), alone);
    }
}

#[test]
fn a_game_s_die_depends_on_no_other_game() {
    let variant = named("grant-acedrex-dice");
    let last_game = |n_games: usize| {
        let config = config(n_games, AutoReset::SameStep, 60);
        let mut env = BatchEnv::try_new(variant, config, RunSeed(9)).unwrap();
        let mut batch = Batch::<u8>::new(&env);
        let mut fens = Vec::new();
        for step in 0..150 {
            let choose = |number| {
                let legal = env.legal_actions(GameNumber(number)).unwrap();
                // The chosen game's actions are the same; the others' are not.
                let at = if number == 2 { step } else { step * number + n_games };
                legal[at % legal.len()]
            };
            let actions: Vec<ActionIndex> = (0..n_games).map(choose).collect();
            env.step(&actions, &mut batch).unwrap();
            fens.push(env.position(GameNumber(2)).unwrap().fen());
        }
        fens
    };
    assert_eq!(last_game(3), last_game(8));
}

#[test]
fn a_reset_with_the_same_seed_repeats_the_games() {
    let variant = named("grant-acedrex-dice");
    let config = config(5, AutoReset::SameStep, 90);
    let mut env = BatchEnv::try_new(variant, config, RunSeed(1)).unwrap();
    let mut batch = Batch::<u8>::new(&env);
    let mut run = |env: &mut BatchEnv, seed| {
        env.reset(RunSeed(seed), &mut batch).unwrap();
        assert!(batch.rewards().iter().all(|&reward| reward == 0.0));
        assert!(!batch.truncated().iter().any(|&is_truncated| is_truncated));
        let mut policy = RandomPolicy::new(RunSeed(5));
        let (mut actions, mut shown) = (Vec::new(), Vec::new());
        for _ in 0..120 {
            policy.choose(env, &mut actions).unwrap();
            env.step(&actions, &mut batch).unwrap();
            shown.push(batch.observations().clone());
        }
        shown
    };
    let first = run(&mut env, 1);
    assert!(run(&mut env, 2) != first);
    assert!(run(&mut env, 1) == first);
}

#[test]
fn the_random_policy_chooses_every_action_about_as_often() {
    let env = BatchEnv::try_new(named("chess"), config(2000, AutoReset::SameStep, 9), RunSeed(1))
        .unwrap();
    let mut policy = RandomPolicy::new(RunSeed(1));
    let mut actions = Vec::new();
    policy.choose(&env, &mut actions).unwrap();
    let legal = env.legal_actions(GameNumber(0)).unwrap();
    assert_eq!(legal.len(), 20);
    for index in legal {
        // 100 expected; 5 standard deviations are 49.
        let n = actions.iter().filter(|chosen| *chosen == index).count();
        assert!((51..150).contains(&n), "{index:?} was chosen {n} times of 2000");
    }
}

fn position(variant: &str, fen: &str) -> Position {
    Position::from_fen(named(variant), fen).unwrap()
}

fn index(position: &Position, text: &str) -> ActionIndex {
    let action = position.parse_action(text).unwrap();
    let space = position.variant().action_space();
    space.index(action, position.side_to_move()).unwrap()
}

/// A batch of chess games at these positions.
fn chess_at(auto_reset: AutoReset, fens: &[&str]) -> (BatchEnv, Batch<u8>) {
    let config = config(fens.len(), auto_reset, 100);
    let mut env = BatchEnv::try_new(named("chess"), config, RunSeed(1)).unwrap();
    let mut batch = Batch::new(&env);
    let games: Vec<_> =
        (0..).map(GameNumber).zip(fens.iter().map(|fen| position("chess", fen))).collect();
    env.reset_games(&games, &mut batch).unwrap();
    (env, batch)
}

fn play(env: &mut BatchEnv, batch: &mut Batch<u8>, texts: &[&str]) {
    let actions: Vec<ActionIndex> = (0..)
        .zip(texts)
        .map(|(number, text)| index(env.position(GameNumber(number)).unwrap(), text))
        .collect();
    env.step(&actions, batch).unwrap();
}

const MATE_IN_ONE: [&str; 2] =
    ["6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1"];

#[test]
fn without_automatic_reset_games_stay_as_they_ended() {
    let (mut env, mut batch) = chess_at(AutoReset::Off, &MATE_IN_ONE);
    play(&mut env, &mut batch, &["a1a8", "a8a1"]);
    assert_eq!(batch.rewards().as_slice().unwrap(), [1.0, -1.0, -1.0, 1.0]);
    assert_eq!(batch.terminated().to_vec(), [true, true]);
    assert_eq!(batch.actor().to_vec(), [1, 0]);
    assert!(!batch.mask().iter().any(|&is_legal| is_legal));
    let ended = batch.observations().clone();

    let error = env.step(&[ActionIndex(0); 2], &mut batch).unwrap_err().to_string();
    assert_eq!(error, "game 0: found an action for a game that has ended, expected a reset before");
    assert!(*batch.observations() == ended);
    let mut actions = Vec::new();
    assert!(RandomPolicy::new(RunSeed(1)).choose(&env, &mut actions).is_err());

    env.reset_ended(&mut batch).unwrap();
    assert_eq!(batch.terminated().to_vec(), [false, false]);
    assert_eq!(batch.rewards().sum(), 0.0);
    assert_eq!(env.position(GameNumber(1)).unwrap().fen(), named("chess").start().fen());
    assert_eq!(batch.mask().iter().filter(|&&is_legal| is_legal).count(), 40);
}

#[test]
fn with_automatic_reset_the_ending_step_shows_the_new_game() {
    let (mut env, mut batch) = chess_at(AutoReset::SameStep, &MATE_IN_ONE);
    play(&mut env, &mut batch, &["a1a8", "a8a1"]);
    assert_eq!(batch.rewards().as_slice().unwrap(), [1.0, -1.0, -1.0, 1.0]);
    assert_eq!(batch.terminated().to_vec(), [true, true]);
    assert_eq!(batch.truncated().to_vec(), [false, false]);
    assert_eq!(batch.actor().to_vec(), [0, 0]);
    assert_eq!(batch.mask().iter().filter(|&&is_legal| is_legal).count(), 40);
    play(&mut env, &mut batch, &["e2e4", "d2d4"]);
    assert_eq!(batch.rewards().sum(), 0.0);
    assert_eq!(batch.terminated().to_vec(), [false, false]);
    assert_eq!(batch.actor().to_vec(), [1, 1]);
}

#[test]
fn chosen_games_begin_at_their_positions_and_others_go_on() {
    let start = named("chess").start().fen();
    let (mut env, mut batch) = chess_at(AutoReset::SameStep, &[&start, &start, &start]);
    play(&mut env, &mut batch, &["e2e4", "d2d4", "c2c4"]);
    let before = batch.observations().clone();
    let games = [(GameNumber(1), position("chess", MATE_IN_ONE[1]))];
    env.reset_games(&games, &mut batch).unwrap();
    for game in 0..3 {
        let row = batch.observations().outer_iter().nth(game).unwrap();
        let is_same = row == before.outer_iter().nth(game).unwrap();
        assert_eq!(is_same, game != 1);
    }
    play(&mut env, &mut batch, &["e7e5", "a8a1", "c7c5"]);
    assert_eq!(batch.terminated().to_vec(), [false, true, false]);
    // After an automatic reset a game begins at the variant's start.
    assert_eq!(env.position(GameNumber(1)).unwrap().fen(), start);
}

#[test]
fn the_ply_cap_truncates_without_reward() {
    let mut env =
        BatchEnv::try_new(named("chess"), config(1, AutoReset::Off, 2), RunSeed(1)).unwrap();
    let mut batch = Batch::new(&env);
    play(&mut env, &mut batch, &["e2e4"]);
    assert_eq!((batch.truncated()[0], batch.mask().iter().any(|&legal| legal)), (false, true));
    play(&mut env, &mut batch, &["e7e5"]);
    assert_eq!((batch.truncated()[0], batch.terminated()[0]), (true, false));
    assert_eq!(env.last_status(GameNumber(0)), Some(Status::Truncated));
    assert!(!batch.mask().iter().any(|&legal| legal));
    assert_eq!(batch.rewards().sum(), 0.0);
}

#[test]
fn a_side_always_acts_next_in_dice_games() {
    let variant = named("grant-acedrex-dice");
    let mut env =
        BatchEnv::try_new(variant, config(8, AutoReset::SameStep, 50), RunSeed(2)).unwrap();
    let mut batch = Batch::<u8>::new(&env);
    let mut policy = RandomPolicy::new(RunSeed(2));
    let mut actions = Vec::new();
    for _ in 0..100 {
        for game in (0..8).map(GameNumber) {
            assert_ne!(env.position(game).unwrap().actor(), Actor::Chance);
            assert!(!env.legal_actions(game).unwrap().is_empty());
        }
        policy.choose(&env, &mut actions).unwrap();
        env.step(&actions, &mut batch).unwrap();
    }
}

#[test]
fn mistakes_are_told_and_change_nothing() {
    let variant = named("chess");
    let mut env =
        BatchEnv::try_new(variant, config(3, AutoReset::SameStep, 50), RunSeed(1)).unwrap();
    let mut batch = Batch::<u8>::new(&env);
    let e2e4 = index(&variant.start(), "e2e4");
    env.step(&[e2e4; 3], &mut batch).unwrap();
    let (shown, mask) = (batch.observations().clone(), batch.mask().clone());
    let mut check = |actions: &[ActionIndex], expected: &str| {
        let error = env.step(actions, &mut batch).unwrap_err().to_string();
        assert_eq!(error, expected);
        assert!(*batch.observations() == shown && *batch.mask() == mask);
        for game in (0..3).map(GameNumber) {
            assert!(env.position(game).unwrap().fen().contains("/4P3/"));
            assert_eq!(env.position(game).unwrap().side_to_move(), Color::Black);
        }
    };
    check(&[e2e4; 2], "found 2 actions, expected 3: one for each game");
    check(
        &[e2e4, ActionIndex(1880), ActionIndex(u16::MAX)],
        "game 1: found action index 1880, expected less than 1880",
    );
    check(
        &[e2e4, e2e4, ActionIndex(0)],
        "game 2: found action 0 (`a8b8`), which is not legal in \
         `rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b AHah e3 0 1`, expected one of the 20 legal \
         actions, as in 34 (`b8a6`), 36 (`b8c6`), 159 (`g8f6`), 161 (`g8h6`), 204 (`a7a6`), 207 \
         (`a7a5`), 230 (`b7b6`), 234 (`b7b5`)",
    );
}

#[test]
fn batches_that_make_no_sense_are_refused() {
    let chess = named("chess");
    let sound = config(2, AutoReset::Off, 10);
    let refused =
        |variant, config| BatchEnv::try_new(variant, config, RunSeed(1)).unwrap_err().to_string();
    let found = refused(chess, BatchConfig { n_games: 0, ..sound });
    assert_eq!(found, "`n_games`: found 0, expected 1 to 65536");
    let found = refused(chess, BatchConfig { n_games: 65_537, ..sound });
    assert_eq!(found, "`n_games`: found 65537, expected 1 to 65536");
    let found = refused(chess, BatchConfig { n_threads: 0, ..sound });
    assert_eq!(found, "`n_threads`: found 0, expected 1 to 256");
    let dice = named("grant-acedrex-dice");
    let found = refused(dice, config(2, AutoReset::Off, 1));
    assert_eq!(found, "`ply_cap`: found 1, expected at least 2: a roll of the die counts as a ply");
}

#[test]
fn games_begin_only_where_they_can_go_on() {
    let (mut env, mut batch) = chess_at(AutoReset::Off, &MATE_IN_ONE);
    let mated = position("chess", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 1 1");
    let cases = [
        (GameNumber(2), named("chess").start(), "found game number 2, expected less than 2"),
        (
            GameNumber(0),
            named("complicacious").start(),
            "game 0: found a position of `complicacious`, expected one of `chess`",
        ),
        (
            GameNumber(1),
            mated,
            "`R5k1/5ppp/8/8/8/8/8/4K3 b - - 1 1` is over (white:checkmate), expected a position in \
             which a side can act",
        ),
    ];
    for (game, position, expected) in cases {
        let games = [(GameNumber(0), named("chess").start()), (game, position)];
        let error = env.reset_games(&games, &mut batch).unwrap_err().to_string();
        assert_eq!(error, expected);
        assert_eq!(env.position(GameNumber(0)).unwrap().fen(), MATE_IN_ONE[0]);
    }
}

#[test]
fn buffers_of_another_batch_are_refused() {
    let (mut env, _) = chess_at(AutoReset::Off, &MATE_IN_ONE);
    let (other, mut small) = chess_at(AutoReset::Off, &MATE_IN_ONE[..1]);
    let error = env.observe(&mut small).unwrap_err().to_string();
    assert_eq!(error, "found buffers for 1 games of `chess`, expected some for 2 games of `chess`");
    let mut fresh = Batch::<Packed>::new(&other);
    assert!(env.step(&[ActionIndex(0); 2], &mut fresh).is_err());
}

#[test]
fn fresh_and_used_buffers_show_the_same() {
    for variant in variants() {
        let config = config(4, AutoReset::SameStep, 60);
        let mut env = BatchEnv::try_new(variant, config, RunSeed(1)).unwrap();
        let mut used = Batch::<u8>::new(&env);
        let mut policy = RandomPolicy::new(RunSeed(1));
        let mut actions = Vec::new();
        for _ in 0..80 {
            policy.choose(&env, &mut actions).unwrap();
            env.step(&actions, &mut used).unwrap();
            let mut fresh = Batch::<u8>::new(&env);
            env.observe(&mut fresh).unwrap();
            assert!(fresh.observations() == used.observations() && fresh.mask() == used.mask());
            assert!(fresh.rewards() == used.rewards() && fresh.actor() == used.actor());
            let parts = fresh.into_parts();
            assert!(parts.terminated == used.terminated() && parts.truncated == used.truncated());
        }
    }
}

#[test]
fn single_observations_agree_in_every_format() {
    for variant in variants() {
        let layout = variant.observation();
        let n_squares = variant.size().n_squares();
        let n_numbers = layout.n_planes() * n_squares;
        assert_eq!(layout.n_planes(), layout.n_planes_of_squares() + layout.n_constants());
        walk(variant, 12, |game| {
            let (position, context) = (game.position(), game.observation_context());
            let (mut numbers, mut unpacked) =
                (vec![f32::NAN; n_numbers], vec![f32::NAN; n_numbers]);
            layout.encode(position, context, &mut numbers);
            let mut bytes = vec![0xAA; n_numbers];
            layout.encode_bytes(position, context, &mut bytes);
            let mut squares = vec![0xAA; layout.n_planes_of_squares() * layout.packed_len()];
            let mut constants = vec![f32::NAN; layout.n_constants()];
            layout.encode_packed(position, context, &mut squares, &mut constants);
            layout.unpack(&squares, &constants, &mut unpacked);
            assert!(unpacked == numbers, "{}", position.fen());
            let scales = layout.full_scales();
            let of_bytes = bytes
                .iter()
                .enumerate()
                .map(|(at, &byte)| f32::from(byte) / f32::from(scales[at / n_squares]));
            assert!(of_bytes.eq(numbers), "{}", position.fen());
        });
    }
}
