//! Matches between simple players.

use std::num::{NonZeroU32, NonZeroUsize};

use gryphon_env::{Action, Color, Game, PlyCap, RunSeed, Stream, Variant};
use gryphon_play::{GreedyPlayer, Player, PlayerError, RandomPlayer};
use rand_chacha::ChaCha8Rng;

use super::*;

fn named(name: &str) -> &'static Variant {
    Variant::named(name).expect("it is built in")
}

fn config(pairs: u32, concurrency: usize) -> MatchConfig {
    MatchConfig {
        pairs: NonZeroU32::new(pairs).expect("not zero"),
        opening: OpeningPlies::new(2, 6).expect("in order"),
        ply_cap: PlyCap(NonZeroU32::new(200).expect("not zero")),
        seed: RunSeed(7),
        concurrency: NonZeroUsize::new(concurrency).expect("not zero"),
    }
}

fn play(
    variant: &'static Variant,
    first: &mut dyn Player,
    second: &mut dyn Player,
    config: MatchConfig,
) -> MatchReport {
    play_match(variant, first, second, config, &mut |_| {}, &Stop::new(false))
        .expect("the players keep to the rules")
}

fn greedy_against_random(variant: &'static Variant, config: MatchConfig) -> MatchReport {
    play(variant, &mut GreedyPlayer::new(variant), &mut RandomPlayer::new(), config)
}

#[test]
fn every_variant_has_fair_openings() {
    for name in Variant::names() {
        let variant = named(name);
        for pair in 0..20 {
            let plies = OpeningPlies::new(4, 8).unwrap();
            let opening = || {
                let mut rng = RunSeed(1).stream(Stream::Opening { pair });
                random_opening(variant, plies, &mut rng).unwrap()
            };
            let game = opening();
            assert_eq!(game.actions(), opening().actions());
            let position = game.position();
            let units =
                |color| -> u32 { variant.kinds().map(|kind| position.count(color, kind)).sum() };
            assert!(game.outcome().is_none() && !position.is_check(), "{name}");
            assert_eq!(units(Color::White), units(Color::Black), "{name}: {}", position.fen());
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_match_however_many_games_advance_at_once() {
    for name in ["complicacious-simplified-limited", "gryphon-aanca", "grant-acedrex-dice"] {
        let variant = named(name);
        let expected = greedy_against_random(variant, config(6, 1));
        for concurrency in [3, 100] {
            let found = greedy_against_random(variant, config(6, concurrency));
            assert_eq!(found.summary, expected.summary);
            for (found, expected) in found.games.iter().zip(&expected.games) {
                assert_eq!(found.actions(), expected.actions());
            }
        }
        let other = MatchConfig { seed: RunSeed(8), ..config(6, 3) };
        let other = greedy_against_random(variant, other);
        assert_ne!(other.games[0].actions(), expected.games[0].actions());
    }
}

#[test]
fn both_games_of_a_pair_share_their_opening_and_change_colors() {
    let report = greedy_against_random(named("complicacious"), config(8, 16));
    assert_eq!(report.games.len(), 16);
    for pair in report.games.chunks_exact(2) {
        let [a, b] = pair else { panic!("chunks of two") };
        assert_eq!(a.opening_plies, b.opening_plies);
        assert!((2..=6).contains(&a.opening_plies));
        let opening = ..a.opening_plies;
        assert_eq!(a.actions()[opening], b.actions()[opening]);
        assert_eq!(a.number.color(Contestant::First), Color::White);
        assert_eq!(b.number.color(Contestant::First), Color::Black);
    }
}

#[test]
fn figures_agree_with_the_games() {
    let report = greedy_against_random(named("complicacious-simplified-limited"), config(20, 16));
    let summary = &report.summary;
    assert_eq!(summary.games, 40);
    assert_eq!(summary.total.n_games(), 40);
    let (white, black) = (summary.as_white, summary.as_black);
    assert_eq!((white.n_games(), black.n_games()), (20, 20));
    assert_eq!(white.wins + black.wins, summary.total.wins);
    assert_eq!(summary.pentanomial.n_pairs(), 20);
    let half_points: u64 = (0..5).map(|n| n * summary.pentanomial.0[n as usize]).sum();
    assert_eq!(half_points, 2 * summary.total.wins + summary.total.draws);
    assert_eq!(summary.ends.values().sum::<u64>(), 40);
    assert_eq!(summary.ends.get("ply cap").copied().unwrap_or(0), summary.cut);
    assert!(summary.estimate.elo_low.0 > 0.0, "greedy is stronger: {summary}");
}

#[test]
fn a_match_seen_by_the_other_side_is_the_opposite() {
    // Players that draw no random numbers, so that changing seats changes nothing else.
    let variant = named("complicacious-simplified-limited");
    let baseline = |nodes| {
        let limit = gryphon_alphabeta::Limit::nodes(nodes);
        gryphon_play::AlphaBetaPlayer::new(variant, limit, NonZeroUsize::MIN)
    };
    let ab = play(variant, &mut baseline(300), &mut baseline(20), config(5, 10)).summary;
    let ba = play(variant, &mut baseline(20), &mut baseline(300), config(5, 10)).summary;
    assert_eq!(ab.pentanomial, ba.pentanomial.flipped());
    assert_eq!(ab.as_white.wins, ba.as_black.losses);
    assert_eq!(ab.ends, ba.ends);
}

#[test]
fn the_ply_cap_is_a_draw_that_is_reported_apart() {
    let cap = PlyCap(NonZeroU32::new(10).unwrap());
    let config = MatchConfig { ply_cap: cap, ..config(4, 8) };
    let report = greedy_against_random(named("toulousain"), config);
    assert_eq!((report.summary.cut, report.summary.total.draws), (8, 8));
    assert_eq!(report.summary.score, Some(0.5));
    assert!(report.games.iter().all(|game| game.actions().len() == 10));
}

#[test]
fn a_stopped_match_counts_complete_pairs_only() {
    let variant = named("complicacious-simplified-limited");
    let (mut first, mut second) = (GreedyPlayer::new(variant), RandomPlayer::new());
    let stop = Stop::new(false);
    let mut reported = 0;
    let mut on_progress = |progress: &Progress| {
        assert_eq!(progress.total, 60);
        reported = progress.tally.n_games();
        stop.store(reported >= 7, std::sync::atomic::Ordering::Relaxed);
    };
    let report =
        play_match(variant, &mut first, &mut second, config(30, 3), &mut on_progress, &stop)
            .unwrap();
    assert!(report.summary.stopped && (7..60).contains(&reported), "{reported}");
    let games = report.summary.games;
    assert!(games <= reported && games.is_multiple_of(2) && games >= 4, "{games} of {reported}");
    assert!(report.summary.to_string().ends_with("Stopped early: complete pairs only"));
}

#[test]
fn a_match_stopped_at_once_has_finite_figures() {
    let variant = named("chess");
    let (mut first, mut second) = (RandomPlayer::new(), RandomPlayer::new());
    let stop = Stop::new(true);
    let report =
        play_match(variant, &mut first, &mut second, config(3, 3), &mut |_| {}, &stop).unwrap();
    assert_eq!((report.summary.games, report.summary.score), (0, None));
    let json = serde_json::to_string(&report.summary).unwrap();
    assert!(json.contains("\"elo\":0.0") || json.contains("\"elo\":-0.0"), "{json}");
}

/// Plays by no rules.
struct Cheat(usize);

impl Player for Cheat {
    fn name(&self) -> String {
        "cheat".to_owned()
    }

    fn choose(
        &mut self,
        games: &[&Game],
        _rngs: &mut [ChaCha8Rng],
    ) -> Result<Vec<Action>, PlayerError> {
        Ok(vec![Action::END; games.len() + self.0])
    }
}

#[test]
fn a_player_that_breaks_the_rules_is_named() {
    let variant = named("chess");
    for (surplus, message) in [
        (0, "cheat chose `end`, which is not legal in `"),
        (1, "cheat chose 2 actions for 1 games"),
    ] {
        let (mut first, mut second) = (RandomPlayer::new(), Cheat(surplus));
        let stop = Stop::new(false);
        let played = play_match(variant, &mut first, &mut second, config(1, 1), &mut |_| {}, &stop);
        let error = played.unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn the_summary_reads_as_a_table() {
    let report = greedy_against_random(named("complicacious-simplified-limited"), config(10, 20));
    insta::assert_snapshot!(report.summary);
}

#[test]
fn games_are_written_as_pgn() {
    let report = greedy_against_random(named("complicacious-simplified-limited"), config(2, 4));
    let texts: Vec<String> = report.games.iter().map(|game| pgn(&report.summary, game)).collect();
    for (number, text) in texts.iter().enumerate() {
        let round = format!("[Round \"{}.{}\"]", number / 2 + 1, number % 2 + 1);
        assert!(text.contains(&round), "{text}");
        let white = if number % 2 == 0 { "greedy" } else { "random" };
        assert!(text.contains(&format!("[White \"{white}\"]")), "{text}");
    }
    insta::assert_snapshot!(texts[0]);
}
