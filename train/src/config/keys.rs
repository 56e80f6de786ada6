//! The keys: one line of type and one of text each.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};

use gryphon_env::{PlyCap, RunSeed};
use gryphon_play::PlayerSpec;

use super::layers::{Key, Layers, OnResume};
use super::value::{
    Backend, CapValue, ConfigValue, Fraction, NonNegative, Opponents, Positive, TreeUse,
    VariantChoice, Workers,
};
use super::{ConfigError, difference};

/// Most games in flight.
const MAX_GAMES: u64 = 16_384;
/// Most simulations of all games in flight together, whose trees are kept in memory.
const MAX_SIMULATIONS: u64 = 1 << 19;
/// Most memory of all evaluation caches together, in MiB.
const MAX_CACHE: u64 = 16_384;
/// Most worker threads.
const MAX_WORKERS: u64 = 1024;
/// Most samples of a training step.
const MAX_BATCH: u64 = 16_384;

macro_rules! sections {
    ($(
        #[doc = $about:literal]
        $section:ident: $Section:ident {
            $( $(#[doc = $doc:literal])* $on_resume:ident $key:ident: $kind:ty, )*
        }
    )*) => {
        $(
            #[doc = $about]
            #[derive(Clone, Debug, PartialEq)]
            pub struct $Section { $( $(#[doc = $doc])* pub $key: $kind, )* }
        )*

        /// All settings of a run, checked.
        #[derive(Clone, Debug, PartialEq)]
        pub struct RunConfig { $( #[doc = $about] pub $section: $Section, )* }

        /// Every key there is, in the order of the reference page.
        pub const KEYS: &[Key] = &[$($(
            Key {
                section: stringify!($section),
                section_doc: $about,
                name: stringify!($key),
                doc: concat!($($doc),*),
                expected: <$kind as ConfigValue>::EXPECTED,
                on_resume: on_resume!($on_resume),
            },
        )*)*];

        impl RunConfig {
            pub(super) fn from_layers(layers: &Layers) -> Result<Self, ConfigError> {
                Ok(Self {$(
                    $section: $Section {$(
                        $key: layers.value(stringify!($section), stringify!($key))?,
                    )*},
                )*})
            }

            /// The value of every key, in the order of [`KEYS`].
            #[must_use]
            pub fn values(&self) -> Vec<toml::Value> {
                vec![$($( self.$section.$key.print(), )*)*]
            }
        }
    };
}

macro_rules! on_resume {
    (fixed) => {
        OnResume::Fixed
    };
    (free) => {
        OnResume::Free
    };
}

sections! {
    /// What is trained.
    run: RunSection {
        /// The game: a built-in variant, or the path of a variant file.
        fixed variant: VariantChoice,
        /// Seed of every random number of the run.
        fixed seed: RunSeed,
        /// Number of generations: each plays games, learns from the window, and saves a checkpoint.
        free generations: NonZeroU32,
    }
    /// Size of the network.
    network: NetworkSection {
        /// Residual blocks of the trunk.
        fixed blocks: NonZeroU32,
        /// Channels of the trunk.
        fixed channels: NonZeroU32,
    }
    /// How self-play searches.
    search: SearchSection {
        /// Leaf expansions for each action.
        fixed simulations: NonZeroU32,
        /// Actions that enter sequential halving at the root (Danihelka et al. 2022: 16).
        fixed considered: NonZeroU32,
        /// Visits added to the largest visit count in the Q transform (Danihelka et al. 2022: 50).
        fixed c_visit: NonNegative,
        /// Weight of completed Q values, from -1 to 1, against logits (Danihelka et al. 2022: 1.0
        /// for values from 0 to 1 that are the whole truth; 0.1 bears the errors of a young network).
        fixed c_scale: Positive,
        /// Scale of the root's Gumbel noise in self-play; evaluation games use 0.
        fixed noise_scale: NonNegative,
        /// Plies at the start of a game whose action is drawn from the improved policy
        /// instead of being the search's choice.
        fixed temperature_plies: u32,
        /// What becomes of a search's tree when its action is played: "kept" makes the part below it the
        /// start of the next search, "fresh" forgets it.
        fixed trees: TreeUse,
        /// MiB of memory in which each group's searches remember evaluations for the rest of the
        /// generation, so that no position is evaluated twice; 0 remembers none.
        fixed cache_mib: u32,
    }
    /// How games are played.
    selfplay: SelfplaySection {
        /// Groups of games. One worker at a time advances a group, so groups and not workers decide
        /// what is played; several for each core keep all cores busy.
        fixed groups: NonZeroU32,
        /// Games of a group, which advance together; also the largest batch the network sees.
        fixed games_per_group: NonZeroUsize,
        /// Actions by which every game advances in a generation.
        fixed rounds_per_generation: NonZeroU32,
        /// Worker threads, each with its own copy of the network; "auto" is one a core.
        free workers: Workers,
        /// What computes the network: "libtorch", "openvino" (at least twice as fast on a CPU, with 8-bit
        /// numbers as long as they agree with fp32), or "auto" for OpenVINO where it is installed.
        free backend: Backend,
        /// Plies after which a game is cut.
        fixed max_plies: PlyCap,
        /// What a game is worth that was cut: "draw", or "material" for the balance of material.
        fixed cap_value: CapValue,
        /// Plies at the start of a game that are played at random, from 0 to this number.
        fixed opening_plies: u32,
    }
    /// Which games are learned from, and how often.
    replay: ReplaySection {
        /// Positions in the window before it begins to grow.
        fixed window_start: NonZeroU64,
        /// Exponent of the window's growth with the number of positions ever played
        /// (KataGo: 0.65; 1 keeps the same share of all positions).
        fixed window_exponent: Fraction,
        /// Rows that the window gains for each new position when it begins to grow (KataGo: 0.4).
        fixed window_growth: Fraction,
        /// Samples drawn for each new position, on average (KataGo: about 4).
        fixed samples_per_position: Positive,
        /// Samples of one training step.
        fixed batch_size: NonZeroUsize,
    }
    /// How the network learns.
    learner: LearnerSection {
        /// Step size of AdamW after the warm-up.
        fixed learning_rate: Positive,
        /// Steps over which the step size rises from 0.
        fixed warmup_steps: u32,
        /// Decoupled weight decay.
        fixed weight_decay: NonNegative,
        /// Largest norm of the gradient; longer ones are scaled down.
        fixed clip_norm: Positive,
        /// Weight of the value loss against the policy loss.
        fixed value_weight: NonNegative,
        /// Share of the root value in the value target; the rest is the game's result.
        fixed root_value_share: Fraction,
        /// Share of the old average that one step keeps in the averaged weights, which play and
        /// are exported; 0 turns averaging off.
        fixed ema_decay: Fraction,
    }
    /// How progress is measured.
    evaluation: EvaluationSection {
        /// Generations from one evaluation to the next; the last one is always evaluated.
        free every: NonZeroU32,
        /// Games against each opponent, in pairs with colors exchanged.
        free games: NonZeroU32,
        /// The same for the evaluation after the last generation.
        free final_games: NonZeroU32,
        /// Whom to play.
        free opponents: Opponents,
        /// Leaf expansions for each action of the network.
        free simulations: NonZeroU32,
    }
    /// Which checkpoints stay on disk.
    checkpoints: CheckpointsSection {
        /// Newest checkpoints kept.
        free keep: NonZeroU32,
        /// Every so many generations one is kept for good; 0 for none.
        free keep_every: u32,
    }
}

impl RunConfig {
    /// Rules between keys, beyond what the type of each says: the largest values keep a run from
    /// filling the memory before its first game.
    pub(super) fn check(&self, layers: &Layers) -> Result<(), ConfigError> {
        let window = self.replay.window_start.get();
        let games = self.selfplay.games_per_group.get() as u64;
        let groups = u64::from(self.selfplay.groups.get());
        let limits = [
            ("selfplay", "groups", groups, MAX_GAMES / games.max(1)),
            ("selfplay", "games_per_group", games, MAX_GAMES),
            (
                "search",
                "simulations",
                u64::from(self.search.simulations.get()),
                MAX_SIMULATIONS / games.saturating_mul(groups).max(1),
            ),
            ("search", "cache_mib", u64::from(self.search.cache_mib), MAX_CACHE / groups.max(1)),
            (
                "evaluation",
                "simulations",
                u64::from(self.evaluation.simulations.get()),
                u64::from(PlayerSpec::MAX_SIMULATIONS),
            ),
            ("selfplay", "workers", self.selfplay.workers.count().get() as u64, MAX_WORKERS),
            ("replay", "batch_size", self.replay.batch_size.get() as u64, MAX_BATCH),
        ];
        for (section, name, found, most) in limits {
            if found > most {
                return Err(layers.error(section, name, format!("at most {most}")));
            }
        }
        if self.learner.ema_decay.get() >= 1.0 {
            return Err(layers.error("learner", "ema_decay", "a number below 1".into()));
        }
        if self.replay.batch_size.get() as u64 > window {
            let expected = format!("at most `replay.window_start`, {window}");
            return Err(layers.error("replay", "batch_size", expected));
        }
        Ok(())
    }

    /// Keys whose values differ between a stored config and this one.
    #[must_use]
    pub fn differences(&self, stored: &Self) -> Vec<difference::Difference> {
        difference::between(stored, self)
    }
}
