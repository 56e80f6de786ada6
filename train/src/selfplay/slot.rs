//! One game in flight.

use gryphon_env::{Action, Actor, ChanceOutcome, Game, PlyCap, RunSeed, Status, Stream, Variant};
use gryphon_mcts::{Search, SearchConfig, SearchResult};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{CutRule, sample};
use crate::config::TreeUse;
use crate::replay::{
    GameEnd, GameId, GameRecord, PlyRecord, RecordError, RecordedAction, SearchRecord, StoredValue,
    legal_action,
};

/// What is the same for every game of a run.
#[derive(Clone, Debug)]
pub struct SelfPlayRules {
    /// The game.
    pub variant: &'static Variant,
    /// The run's seed.
    pub seed: RunSeed,
    /// How each action is searched.
    pub search: SearchConfig,
    /// What becomes of a search's tree when its action is played.
    pub trees: TreeUse,
    /// Memory of each group's evaluation cache.
    pub cache_bytes: usize,
    /// When a game is cut.
    pub cap: PlyCap,
    /// What a cut game is worth.
    pub cut: CutRule,
    /// Games begin with 0 to this many random plies.
    pub opening_plies: u32,
    /// So many plies after the opening draw their action from the improved policy.
    pub temperature_plies: u32,
}

/// What a random number of a game is drawn for.
#[derive(Copy, Clone, Debug)]
enum Purpose {
    Opening,
    /// The search of a ply, and of the plies after it that keep its tree.
    Search(u32),
    /// The choice after it, and the rolls that follow.
    Choice(u32),
}

impl SelfPlayRules {
    fn rng(&self, number: u64, purpose: Purpose) -> ChaCha8Rng {
        let mut rng = self.seed.stream(Stream::SelfPlay { game: number });
        rng.set_stream(match purpose {
            Purpose::Opening => 0,
            Purpose::Search(ply) => 1 + 2 * u64::from(ply),
            Purpose::Choice(ply) => 2 + 2 * u64::from(ply),
        });
        rng
    }
}

/// A game in flight as a checkpoint holds it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SlotState {
    /// Number of the game within the run.
    pub number: u64,
    /// Its actions so far.
    pub plies: Vec<PlyRecord>,
}

/// A game being played, with what its record will hold.
#[derive(Clone, Debug)]
pub struct Slot {
    number: u64,
    game: Game,
    plies: Vec<PlyRecord>,
    n_searched: u32,
}

impl Slot {
    /// Starts game `number` with its random opening, after which a side is about to act.
    ///
    /// # Errors
    /// If the action space does not hold an action of the opening.
    pub fn start(number: u64, rules: &SelfPlayRules) -> Result<Self, RecordError> {
        let mut rng = rules.rng(number, Purpose::Opening);
        loop {
            let game = Game::new(rules.variant.start());
            let mut slot = Self { number, game, plies: Vec::new(), n_searched: 0 };
            slot.roll(&mut rng)?;
            let n_plies = rng.random_range(0..=rules.opening_plies);
            if slot.play_random(n_plies, rules.cap, &mut rng)? {
                return Ok(slot);
            }
        }
    }

    /// The game as it stood when `state` was taken.
    ///
    /// # Errors
    /// If an action is not legal in the variant.
    pub fn resume(state: SlotState, rules: &SelfPlayRules) -> Result<Self, RecordError> {
        let mut game = Game::new(rules.variant.start());
        let mut legal = Vec::new();
        for ply in &state.plies {
            let action = legal_action(&game, ply, &mut legal)?;
            game.play(action);
        }
        let n_searched = state.plies.iter().filter(|ply| ply.search.is_some()).count() as u32;
        Ok(Self { number: state.number, game, plies: state.plies, n_searched })
    }

    /// The game as it stands.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// What a checkpoint must hold.
    #[must_use]
    pub fn state(&self) -> SlotState {
        SlotState { number: self.number, plies: self.plies.clone() }
    }

    /// A search of the current position that knows nothing yet.
    #[must_use]
    pub fn search(&self, rules: &SelfPlayRules) -> Search {
        let rng = rules.rng(self.number, Purpose::Search(self.ply()));
        Search::new(&self.game, rules.search, rng)
    }

    /// Plays what the search found, then any roll of the die. How the game ended, if it did.
    ///
    /// # Errors
    /// If the action space does not hold an action.
    pub fn advance(
        &mut self,
        found: &SearchResult,
        rules: &SelfPlayRules,
    ) -> Result<Option<GameEnd>, RecordError> {
        let mut rng = rules.rng(self.number, Purpose::Choice(self.ply()));
        let action = if self.n_searched < rules.temperature_plies {
            sample::improved_action(found, &mut rng)
        } else {
            found.action
        };
        let mover = self.game.position().side_to_move();
        self.push(action, Some(SearchRecord::new(rules.variant, found, mover)?))?;
        self.n_searched += 1;
        self.roll(&mut rng)?;
        Ok(match self.game.status(rules.cap) {
            Status::Ongoing => None,
            Status::Finished(outcome) => Some(GameEnd::Finished(outcome)),
            Status::Truncated => {
                let value = rules.cut.value(self.game.position());
                Some(GameEnd::Truncated { value: StoredValue::new(value) })
            }
        })
    }

    /// The record of the game, finished in `generation`.
    #[must_use]
    pub fn into_record(self, end: GameEnd, generation: u32, rules: &SelfPlayRules) -> GameRecord {
        GameRecord {
            variant: rules.variant.hash(),
            id: GameId { generation, number: self.number },
            seed: rules.seed,
            start: self.game.start().fen(),
            plies: self.plies,
            end,
        }
    }

    fn ply(&self) -> u32 {
        self.plies.len() as u32
    }

    fn push(&mut self, action: Action, search: Option<SearchRecord>) -> Result<(), RecordError> {
        let position = self.game.position();
        let action_of = RecordedAction::new(position.variant(), action, position.side_to_move())?;
        self.plies.push(PlyRecord { action: action_of, search });
        self.game.play(action);
        Ok(())
    }

    /// Plays `n` random plies; whether the game is still going on after them.
    fn play_random(
        &mut self,
        n: u32,
        cap: PlyCap,
        rng: &mut ChaCha8Rng,
    ) -> Result<bool, RecordError> {
        let mut legal: Vec<Action> = Vec::new();
        for _ in 0..n {
            self.game.position().legal_actions(&mut legal);
            // A seed's choices must not depend on the order of generation.
            legal.sort_unstable();
            self.push(legal[rng.random_range(0..legal.len())], None)?;
            self.roll(rng)?;
            if self.game.status(cap) != Status::Ongoing {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Rolls the die for as long as chance is to act.
    fn roll(&mut self, rng: &mut ChaCha8Rng) -> Result<(), RecordError> {
        let mut outcomes: Vec<ChanceOutcome> = Vec::new();
        while self.game.position().actor() == Actor::Chance {
            self.game.position().chance_outcomes(&mut outcomes);
            let Some(roll) = sample::roll(&outcomes, rng) else { break };
            self.push(roll, None)?;
        }
        Ok(())
    }
}
