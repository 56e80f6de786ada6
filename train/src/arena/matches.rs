//! Plays a match.

use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::atomic::{AtomicBool, Ordering};

use gryphon_env::{Action, Actor, Game, PlyCap, RunSeed, Status, Stream, Variant};
use gryphon_play::{Player, PlayerError, roll_die};
use rand_chacha::ChaCha8Rng;

use super::game::{ArenaGame, Contestant, End, GameNumber};
use super::openings::{OpeningError, OpeningPlies, random_opening};
use super::report::{Heading, MatchReport, Tally};

/// Number of the die's stream beside those of the two contestants.
const DIE: u8 = 2;

/// Settings of a match.
#[derive(Copy, Clone, Debug)]
pub struct MatchConfig {
    /// Openings; each is played twice.
    pub pairs: NonZeroU32,
    /// Random plies of an opening.
    pub opening: OpeningPlies,
    /// Plies, opening and rolls included, after which a game is cut.
    pub ply_cap: PlyCap,
    /// Gives the same match again.
    pub seed: RunSeed,
    /// Games that advance together.
    pub concurrency: NonZeroUsize,
}

/// How far a match is.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Progress {
    /// Finished games, seen by the first contestant.
    pub tally: Tally,
    /// Games of the match.
    pub total: u64,
    /// Actions chosen so far in all games.
    pub actions: u64,
}

/// Asked once a round whether to stop; games in flight are then dropped.
pub type Stop = AtomicBool;

/// Why a match could not be played to its end.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// No opening.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// A player gave up.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A player broke the rules.
    #[error("{player} chose `{action}`, which is not legal in `{fen}`")]
    Illegal {
        /// Its name.
        player: String,
        /// What it chose.
        action: String,
        /// Where.
        fen: String,
    },
    /// A player answered for too few or too many games.
    #[error("{player} chose {found} actions for {expected} games")]
    Answers {
        /// Its name.
        player: String,
        /// Actions it gave.
        found: usize,
        /// Games it was asked about.
        expected: usize,
    },
}

/// A game in flight, with the streams of both contestants and of the die.
struct Running {
    number: GameNumber,
    game: Game,
    opening_plies: usize,
    rngs: [ChaCha8Rng; 2],
    die: ChaCha8Rng,
}

/// Plays `config.pairs` pairs of games of `variant`. `on_progress` is called after every round in
/// which a game ended; `stop` ends the match early, with the complete pairs as its result.
///
/// # Errors
/// If a player cannot go on or breaks the rules, or no opening exists.
pub fn play_match(
    variant: &'static Variant,
    first: &mut dyn Player,
    second: &mut dyn Player,
    config: MatchConfig,
    on_progress: &mut dyn FnMut(&Progress),
    stop: &Stop,
) -> Result<MatchReport, ArenaError> {
    let total = 2 * u64::from(config.pairs.get());
    let mut next = 0;
    let mut running: Vec<Running> = Vec::new();
    let mut finished: Vec<ArenaGame> = Vec::new();
    let mut progress = Progress { tally: Tally::default(), total, actions: 0 };
    let mut contestant = Contestant::First;
    while !stop.load(Ordering::Relaxed) && (finished.len() as u64) < total {
        while next < total && running.len() < config.concurrency.get() {
            running.push(Running::new(variant, GameNumber(next), &config)?);
            next += 1;
        }
        progress.actions += match contestant {
            Contestant::First => advance(&mut running, contestant, first)?,
            Contestant::Second => advance(&mut running, contestant, second)?,
        };
        contestant = contestant.opponent();
        let n_finished = finished.len();
        retire(&mut running, config.ply_cap, &mut finished);
        for game in &finished[n_finished..] {
            progress.tally.add(game.half_points());
        }
        if finished.len() > n_finished {
            on_progress(&progress);
        }
    }
    finished.sort_by_key(|game| game.number);
    let stopped = finished.len() as u64 != total;
    let heading = Heading {
        variant: variant.name().to_owned(),
        first: first.name(),
        second: second.name(),
        seed: config.seed.0,
        stopped,
    };
    Ok(MatchReport::new(heading, complete_pairs(finished)))
}

/// Games that advance together so that networks see full batches, when each of their searches has
/// `simulations`: fewer of them when their trees are large.
#[must_use]
pub fn concurrency(simulations: NonZeroU32) -> NonZeroUsize {
    const MOST: u32 = 64;
    const NODES: u32 = 1 << 20;
    let games = (NODES / simulations).clamp(1, MOST);
    NonZeroUsize::new(games as usize).unwrap_or(NonZeroUsize::MIN)
}

impl Running {
    fn new(
        variant: &'static Variant,
        number: GameNumber,
        config: &MatchConfig,
    ) -> Result<Self, ArenaError> {
        let mut opening = config.seed.stream(Stream::Opening { pair: number.pair() });
        let mut game = random_opening(variant, config.opening, &mut opening)?;
        let stream = |contestant| config.seed.stream(Stream::Arena { game: number.0, contestant });
        let opening_plies = game.actions().len();
        let mut die = stream(DIE);
        if let Some(roll) = roll_die(game.position(), &mut die) {
            game.play(roll);
        }
        Ok(Self { number, game, opening_plies, rngs: [stream(0), stream(1)], die })
    }

    /// Who chooses next; `None` while the die acts.
    fn chooser(&self) -> Option<Contestant> {
        match self.game.position().actor() {
            Actor::Player(color) => Some(self.number.contestant(color)),
            Actor::Chance => None,
        }
    }
}

/// Rolls where the die acts, and moves the games that are over to `finished`.
fn retire(running: &mut Vec<Running>, cap: PlyCap, finished: &mut Vec<ArenaGame>) {
    let end = |running: &mut Running| loop {
        match running.game.status(cap) {
            Status::Finished(outcome) => return Some(End::Rules(outcome)),
            Status::Truncated => return Some(End::PlyCap),
            Status::Ongoing => {
                let roll = roll_die(running.game.position(), &mut running.die)?;
                running.game.play(roll);
            }
        }
    };
    let mut idx = 0;
    while idx < running.len() {
        match end(&mut running[idx]) {
            None => idx += 1,
            Some(end) => {
                let Running { number, game, opening_plies, .. } = running.remove(idx);
                finished.push(ArenaGame { number, game, opening_plies, end });
            }
        }
    }
}

/// Lets `player` choose in every game in which `contestant` is to act; returns how many.
fn advance(
    running: &mut [Running],
    contestant: Contestant,
    player: &mut dyn Player,
) -> Result<u64, ArenaError> {
    let stream = contestant as usize;
    let mut asked: Vec<&mut Running> =
        running.iter_mut().filter(|running| running.chooser() == Some(contestant)).collect();
    if asked.is_empty() {
        return Ok(0);
    }
    let mut rngs: Vec<ChaCha8Rng> =
        asked.iter().map(|running| running.rngs[stream].clone()).collect();
    let games: Vec<&Game> = asked.iter().map(|running| &running.game).collect();
    let actions = player.choose(&games, &mut rngs)?;
    if actions.len() != asked.len() {
        let (found, expected) = (actions.len(), asked.len());
        return Err(ArenaError::Answers { player: player.name(), found, expected });
    }
    let mut legal = Vec::new();
    for ((running, action), rng) in asked.iter_mut().zip(&actions).zip(rngs) {
        check_legal(&running.game, *action, player, &mut legal)?;
        running.game.play(*action);
        running.rngs[stream] = rng;
    }
    Ok(actions.len() as u64)
}

fn check_legal(
    game: &Game,
    action: Action,
    player: &dyn Player,
    legal: &mut Vec<Action>,
) -> Result<(), ArenaError> {
    let position = game.position();
    position.legal_actions(legal);
    if legal.contains(&action) {
        return Ok(());
    }
    Err(ArenaError::Illegal {
        player: player.name(),
        action: position.variant().action_text(action),
        fen: position.fen(),
    })
}

/// Drops games, sorted by number, whose partner is missing.
fn complete_pairs(games: Vec<ArenaGame>) -> Vec<ArenaGame> {
    let mut complete: Vec<ArenaGame> = Vec::with_capacity(games.len());
    let mut games = games.into_iter().peekable();
    while let Some(game) = games.next() {
        let pair = game.number.pair();
        if let Some(partner) = games.next_if(|next| next.number.pair() == pair) {
            complete.extend([game, partner]);
        }
    }
    complete
}
