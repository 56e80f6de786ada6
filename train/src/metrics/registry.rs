//! The metrics there are.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

macro_rules! metrics {
    ($( $(#[doc = $doc:literal])* $name:ident = $text:literal, $unit:literal; )*) => {
        /// One metric.
        #[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
        pub enum Metric { $( $(#[doc = $doc])* $name, )* }

        /// All metrics with what is known of them, in the order of the reference page.
        pub const METRICS: &[MetricInfo] = &[$(
            MetricInfo {
                metric: Metric::$name,
                name: $text,
                unit: $unit,
                meaning: concat!($($doc),*),
            },
        )*];
    };
}

/// What is known of a metric.
#[derive(Copy, Clone, Debug)]
pub struct MetricInfo {
    /// The metric.
    pub metric: Metric,
    /// Its name in files; `area/name`.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// What it says.
    pub meaning: &'static str,
}

metrics! {
    /// The generation that is played or learned from, from 0.
    Generation = "run/generation", "count";
    /// Wall time since the command was started.
    Elapsed = "run/elapsed", "s";
    /// Resident memory of the process at the generation's end.
    ResidentBytes = "run/resident", "bytes";
    /// Something a person should know: a fallback, a skipped record.
    Warning = "run/warning", "text";
    /// Where the run was begun or resumed.
    Start = "run/start", "text";

    /// Games played so far.
    Games = "selfplay/games", "count";
    /// Positions recorded so far.
    Positions = "selfplay/positions", "count";
    /// Games finished each second of self-play.
    GamesPerSecond = "selfplay/games_per_second", "1/s";
    /// Positions searched each second of self-play.
    PositionsPerSecond = "selfplay/positions_per_second", "1/s";
    /// Network evaluations each second of self-play.
    EvaluationsPerSecond = "selfplay/evaluations_per_second", "1/s";
    /// Network evaluations over the games of a group, a batch: the rest was known already or ended.
    BatchFill = "selfplay/batch_fill", "fraction";
    /// Share of queries that the evaluation cache answered; absent where `search.cache_mib` is 0.
    CacheHits = "selfplay/cache_hits", "fraction";
    /// Divergence of the policy in 8-bit numbers from that in fp32, whether or not it was close enough to play; only with OpenVINO.
    EnginePolicyKl = "selfplay/engine_policy_kl", "nats";
    /// Mean difference between values in 8-bit numbers and in fp32, which run from -1 to 1; only with OpenVINO.
    EngineValueError = "selfplay/engine_value_error", "1";
    /// Plies of a game, on average over the generation.
    GamePlies = "selfplay/game_plies", "plies";
    /// Share of games that White won.
    WhiteWins = "selfplay/white_wins", "fraction";
    /// Share of games that Black won.
    BlackWins = "selfplay/black_wins", "fraction";
    /// Share of games drawn by the rules.
    Draws = "selfplay/draws", "fraction";
    /// Share of games cut by the ply cap.
    CutGames = "selfplay/cut_games", "fraction";
    /// Entropy of the improved policy, on average over the generation.
    PolicyEntropy = "selfplay/policy_entropy", "nats";
    /// Divergence of the improved policy from the prior (how much search changed it), on average over the generation.
    PolicySurprise = "selfplay/policy_surprise", "nats";

    /// Cross entropy of the policy against the improved policy.
    PolicyLoss = "loss/policy", "nats";
    /// Cross entropy of win, draw and loss against the value target.
    ValueLoss = "loss/value", "nats";
    /// The loss that is minimized.
    TotalLoss = "loss/total", "nats";
    /// Step size of the optimizer.
    LearningRate = "train/learning_rate", "1";
    /// Norm of the gradient before clipping.
    GradientNorm = "train/gradient_norm", "1";
    /// Share of samples whose most probable action is the target's, on average over the generation.
    TopAction = "train/top_action", "fraction";
    /// Samples learned from each second of training.
    SamplesPerSecond = "train/samples_per_second", "1/s";
    /// Wall time of learning over that of self-play and learning.
    TrainingShare = "train/time_share", "fraction";

    /// Positions in the replay window.
    WindowPositions = "data/window", "count";
    /// Games in the replay window.
    WindowGames = "data/window_games", "count";
    /// Samples drawn for each position played, so far.
    Reuse = "data/reuse", "1";
    /// Generations between a sample's game and now, on average.
    SampleAge = "data/age", "generations";
    /// Size of the shards for each position recorded; the newest 8 MiB are not compressed yet.
    BytesPerPosition = "data/bytes_per_position", "bytes";

    /// Score against an opponent: wins and half the draws.
    ArenaScore = "arena/score_vs", "fraction";
    /// Elo difference to an opponent; not a number where every game was won or lost.
    ArenaElo = "arena/elo_vs", "Elo";
    /// Lower end of the 95 % interval of the Elo difference.
    ArenaEloLow = "arena/elo_low_vs", "Elo";
    /// Upper end of the 95 % interval of the Elo difference.
    ArenaEloHigh = "arena/elo_high_vs", "Elo";
}

/// A metric's name in files: the metric, and whom it is about where there are several.
#[derive(Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct MetricName(Cow<'static, str>);

impl Metric {
    /// What is known of it.
    #[must_use]
    pub const fn info(self) -> &'static MetricInfo {
        &METRICS[self as usize]
    }

    /// The metric as it is about `subject` (an opponent): `arena/score_vs_random`. Characters
    /// other than letters, digits, `.`, `-` and `=` become `_`.
    #[must_use]
    pub fn of(self, subject: &str) -> MetricName {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || ".-=".contains(c);
        let subject: String = subject.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        MetricName(format!("{}_{subject}", self.info().name).into())
    }
}

impl From<Metric> for MetricName {
    fn from(metric: Metric) -> Self {
        Self(metric.info().name.into())
    }
}

impl MetricName {
    /// The name in files.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MetricName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The page that lists every metric, in Markdown: `docs/reference/metrics.md`.
#[must_use]
pub fn reference_page() -> String {
    let mut text = String::from(
        "# Metrics\n\n\
         `metrics.jsonl` has one JSON object a line: `step`, the number of training steps so far, and the metrics\n\
         logged at that step by name. Numbers that are not finite are `null`. A step can have several lines; where\n\
         a metric comes twice (a run was killed and did its last steps again), the later one holds. TensorBoard shows the same numbers:\n\
         `tensorboard --logdir runs/NAME/tb`. This page is generated from `train/src/metrics/registry.rs`;\n\
         a test keeps it current.\n\n\
         Names that end in `_vs` are followed by the opponent's name: `arena/score_vs_random`.\n\n\
         | name | unit | meaning |\n|---|---|---|\n",
    );
    for info in METRICS {
        let MetricInfo { name, unit, meaning, .. } = info;
        writeln!(text, "| `{name}` | {unit} | {} |", meaning.trim())
            .expect("a string takes any text");
    }
    text
}
