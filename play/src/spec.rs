//! Players named on the command line.

use std::fmt;
use std::num::{NonZeroU8, NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use gryphon_alphabeta::Limit;
use gryphon_env::Variant;

use crate::{AlphaBetaPlayer, GreedyPlayer, Player, RandomPlayer};

const FORMS: &str = "`random`, `greedy`, `alphabeta:nodes=1000`, `alphabeta:depth=3`, or an agent \
                     file with optional `:sims=32`, `:root=puct` or `:sims=32,root=puct`";
/// Nodes of `alphabeta` without a limit.
const DEFAULT_NODES: u64 = 10_000;
/// The deepest `alphabeta:depth=`.
const MAX_DEPTH: u8 = 60;

/// A player by its text, not yet opened.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PlayerSpec {
    /// Any legal action.
    Random,
    /// The best capture.
    Greedy,
    /// The baseline within a limit.
    AlphaBeta(Limit),
    /// An agent file.
    Agent(AgentSpec),
}

/// An agent file and how long it thinks.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AgentSpec {
    /// The file.
    pub path: PathBuf,
    /// Simulations per action; `None` leaves the choice to the caller.
    pub simulations: Option<NonZeroU32>,
    /// How the search spends them.
    pub root: RootKind,
}

/// The two ways to search.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub enum RootKind {
    /// Sequential halving at the root, the improved policy below.
    #[default]
    Gumbel,
    /// PUCT everywhere.
    Puct,
}

/// Why a text names no player.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum SpecError {
    /// Nothing at all.
    #[error("empty player, expected {FORMS}")]
    Empty,
    /// An option that the player does not have.
    #[error("player `{player}`: found option `{found}`, expected {expected}")]
    Option {
        /// The player's text.
        player: String,
        /// The option as written.
        found: String,
        /// What would do.
        expected: &'static str,
    },
}

/// Why a named player could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError<E: std::error::Error + 'static> {
    /// The text is neither a built-in player nor a file.
    #[error("no agent file `{path}`; a player is {FORMS}")]
    NoFile {
        /// What was taken for a path.
        path: PathBuf,
    },
    /// The file could not be opened as an agent.
    #[error(transparent)]
    Agent(#[from] E),
}

impl PlayerSpec {
    /// What a player can be called, in words.
    pub const FORMS: &str = FORMS;
    /// The most simulations of an action: their tree takes about 100 MB on the largest boards.
    pub const MAX_SIMULATIONS: u32 = 100_000;

    /// Opens the player for games of `variant`. `threads` is how many games the baseline searches
    /// at once; `open_agent` opens agent files.
    ///
    /// # Errors
    /// If an agent's file does not exist or `open_agent` fails.
    pub fn open<E: std::error::Error + 'static>(
        &self,
        variant: &'static Variant,
        threads: NonZeroUsize,
        open_agent: impl FnOnce(&AgentSpec) -> Result<Box<dyn Player>, E>,
    ) -> Result<Box<dyn Player>, OpenError<E>> {
        Ok(match self {
            Self::Random => Box::new(RandomPlayer::new()),
            Self::Greedy => Box::new(GreedyPlayer::new(variant)),
            Self::AlphaBeta(limit) => Box::new(AlphaBetaPlayer::new(variant, *limit, threads)),
            Self::Agent(spec) => {
                if !spec.path.is_file() {
                    return Err(OpenError::NoFile { path: spec.path.clone() });
                }
                open_agent(spec)?
            }
        })
    }
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let text = text.trim();
        let (name, options) = match text.split_once(':') {
            Some((name, options)) => (name, Some(options)),
            None => (text, None),
        };
        match (name, options) {
            ("", None) => Err(SpecError::Empty),
            ("random", None) => Ok(Self::Random),
            ("greedy", None) => Ok(Self::Greedy),
            ("random" | "greedy", Some(found)) => Err(unknown(text, found, "none")),
            ("alphabeta", options) => parse_limit(text, options).map(Self::AlphaBeta),
            _ => parse_agent(text).map(Self::Agent),
        }
    }
}

impl fmt::Display for PlayerSpec {
    /// The text that parses back to the same player.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Greedy => f.write_str("greedy"),
            Self::AlphaBeta(Limit::Nodes(nodes)) => write!(f, "alphabeta:nodes={nodes}"),
            Self::AlphaBeta(Limit::Depth(depth)) => write!(f, "alphabeta:depth={depth}"),
            Self::Agent(spec) => spec.fmt(f),
        }
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.display().fmt(f)?;
        let root = match self.root {
            RootKind::Gumbel => "",
            RootKind::Puct => "root=puct",
        };
        match (self.simulations, root) {
            (None, "") => Ok(()),
            (None, root) => write!(f, ":{root}"),
            (Some(simulations), "") => write!(f, ":sims={simulations}"),
            (Some(simulations), root) => write!(f, ":sims={simulations},{root}"),
        }
    }
}

fn unknown(player: &str, found: &str, expected: &'static str) -> SpecError {
    SpecError::Option { player: player.to_owned(), found: found.to_owned(), expected }
}

fn parse_limit(text: &str, options: Option<&str>) -> Result<Limit, SpecError> {
    const EXPECTED: &str = "`nodes=` with a number from 1, or `depth=` with a number from 1 to 60";
    let Some(option) = options else { return Ok(Limit::nodes(DEFAULT_NODES)) };
    let error = || unknown(text, option, EXPECTED);
    let (key, value) = option.split_once('=').ok_or_else(error)?;
    match key {
        "nodes" => value.parse::<NonZeroU64>().map(Limit::Nodes).map_err(|_| error()),
        "depth" => match value.parse::<NonZeroU8>() {
            Ok(depth) if depth.get() <= MAX_DEPTH => Ok(Limit::Depth(depth)),
            _ => Err(error()),
        },
        _ => Err(error()),
    }
}

/// The last `:` begins an option only if something like `key=value` follows, so that paths may hold
/// colons.
fn parse_agent(text: &str) -> Result<AgentSpec, SpecError> {
    const EXPECTED: &str =
        "`sims=` with a number from 1 to 100000, `root=gumbel` or `root=puct`, or two with a comma";
    let whole = || AgentSpec {
        path: Path::new(text).to_owned(),
        simulations: None,
        root: RootKind::default(),
    };
    let Some((path, option)) = text.rsplit_once(':') else { return Ok(whole()) };
    if option.contains(['/', '\\']) || (!option.contains('=') && option != "sims") {
        return Ok(whole());
    }
    let mut spec = AgentSpec { path: Path::new(path).to_owned(), ..whole() };
    for part in option.split(',') {
        match part.split_once('=') {
            Some(("sims", value)) => {
                let simulations = value.parse::<NonZeroU32>().ok();
                spec.simulations = simulations.filter(|n| n.get() <= PlayerSpec::MAX_SIMULATIONS);
                spec.simulations.ok_or_else(|| unknown(text, option, EXPECTED))?;
            }
            Some(("root", "gumbel")) => spec.root = RootKind::Gumbel,
            Some(("root", "puct")) => spec.root = RootKind::Puct,
            _ => return Err(unknown(text, option, EXPECTED)),
        }
    }
    Ok(spec)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(path: &str, simulations: Option<u32>) -> PlayerSpec {
        let simulations = simulations.map(|n| NonZeroU32::new(n).unwrap());
        PlayerSpec::Agent(AgentSpec { path: path.into(), simulations, root: RootKind::Gumbel })
    }

    fn puct_agent(path: &str, simulations: Option<u32>) -> PlayerSpec {
        let PlayerSpec::Agent(spec) = agent(path, simulations) else { unreachable!() };
        PlayerSpec::Agent(AgentSpec { root: RootKind::Puct, ..spec })
    }

    #[test]
    fn players_are_read_and_written_back() {
        let cases = [
            ("random", PlayerSpec::Random),
            ("greedy", PlayerSpec::Greedy),
            ("alphabeta:nodes=1000", PlayerSpec::AlphaBeta(Limit::nodes(1000))),
            ("alphabeta:depth=3", PlayerSpec::AlphaBeta(Limit::depth(3))),
            ("runs/a/latest.agent", agent("runs/a/latest.agent", None)),
            ("runs/a/latest.agent:sims=32", agent("runs/a/latest.agent", Some(32))),
            ("C:\\agents\\a.agent", agent("C:\\agents\\a.agent", None)),
            ("a:b.agent:sims=1", agent("a:b.agent", Some(1))),
            ("a.agent:root=puct", puct_agent("a.agent", None)),
            ("a.agent:sims=7,root=puct", puct_agent("a.agent", Some(7))),
        ];
        for (text, expected) in cases {
            let parsed: PlayerSpec = text.parse().unwrap();
            assert_eq!(parsed, expected, "{text}");
            assert_eq!(parsed.to_string(), text);
        }
        assert_eq!("alphabeta".parse(), Ok(PlayerSpec::AlphaBeta(Limit::nodes(DEFAULT_NODES))));
    }

    #[track_caller]
    fn check_rejects(text: &str, message: &str) {
        let error = text.parse::<PlayerSpec>().unwrap_err().to_string();
        assert!(error.contains(message), "unexpected message:\n{error}");
    }

    #[test]
    fn errors_name_what_was_found_and_expected() {
        check_rejects("  ", "empty player, expected `random`");
        check_rejects("random:seed=1", "found option `seed=1`, expected none");
        check_rejects("alphabeta:nodes=0", "found option `nodes=0`, expected `nodes=` with");
        check_rejects("alphabeta:depth=61", "from 1 to 60");
        check_rejects("alphabeta:1000", "found option `1000`");
        check_rejects("alphabeta:time=3", "found option `time=3`");
        check_rejects("x.agent:sims=0", "found option `sims=0`, expected `sims=`");
        check_rejects("x.agent:simulations=9", "found option `simulations=9`");
        check_rejects("x.agent:sims=4000000000", "from 1 to 100000");
        check_rejects("x.agent:sims=", "found option `sims=`");
        check_rejects("x.agent:root=uct", "`root=gumbel` or `root=puct`");
        check_rejects("x.agent:sims=3,", "found option `sims=3,`");
    }
}
