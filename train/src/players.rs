//! Opening players by their text: for evaluation in training and for the command line.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use gryphon_env::Variant;
use gryphon_mcts::{FirstPlayUrgency, GumbelConfig, PuctConfig, RootPolicy, SearchConfig};
use gryphon_net::{
    Agent, AgentError, DeviceChoice, InferenceNet, NetError, NetEvaluator, Precision,
};
use gryphon_play::{AgentPlayer, OpenError, Player, PlayerSpec, RootKind, Team};

use crate::config::TreeUse;

/// Why a player cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum PlayersError {
    /// The agent file.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The network.
    #[error(transparent)]
    Net(#[from] NetError),
    /// The text names nothing that is there.
    #[error("no agent file `{path}`; a player is {forms}", forms = PlayerSpec::FORMS)]
    NoFile {
        /// What was taken for a path.
        path: PathBuf,
    },
    /// An agent of other rules.
    #[error("agent `{path}` plays `{found}`, expected an agent for `{expected}`")]
    WrongVariant {
        /// The file.
        path: PathBuf,
        /// The agent's variant.
        found: String,
        /// The variant that is played.
        expected: String,
    },
}

/// The search of an agent that plays to win: Gumbel without noise, with values trusted as much as
/// in the paper (Danihelka et al. 2022). On `complicacious-simplified-limited` an agent scored 96 %
/// against `greedy` with a `c_scale` of 1.0 and 91 % with the 0.1 it was trained with.
#[must_use]
pub fn playing_search(simulations: NonZeroU32) -> SearchConfig {
    const MOST: u32 = 16;
    // With a single visit each, nothing behind an action is looked at: 16 simulations with 16 actions
    // scored 13 % against 16 simulations with 8.
    let considered = NonZeroU32::new((simulations.get() / 2).min(MOST)).unwrap_or(NonZeroU32::MIN);
    let gumbel = GumbelConfig { considered, noise_scale: 0.0, c_visit: 50.0, c_scale: 1.0 };
    SearchConfig::new(simulations, RootPolicy::Gumbel(gumbel))
}

/// The same by PUCT without noise, with an exploration between those of AlphaZero (1.25) and Lc0
/// (1.75), and KataGo's reduction of what was not tried.
#[must_use]
pub fn playing_puct(simulations: NonZeroU32) -> SearchConfig {
    let puct = PuctConfig {
        c_puct: 1.5,
        first_play: FirstPlayUrgency::BelowParentByTried(0.2),
        root_noise: None,
    };
    SearchConfig::new(simulations, RootPolicy::Puct(puct))
}

/// The search by which an agent plays.
#[must_use]
pub fn agent_search(root: RootKind, simulations: NonZeroU32) -> SearchConfig {
    match root {
        RootKind::Gumbel => playing_search(simulations),
        RootKind::Puct => playing_puct(simulations),
    }
}

/// Positions that a [`companion`](OpenedAgent::companion) looks at for a forced win before it
/// searches: about a quarter of a second on a large board.
const PROBE: NonZeroU32 = NonZeroU32::new(50_000).expect("50,000 is not 0");

/// Threads this process may use.
#[must_use]
pub fn available_threads() -> NonZeroUsize {
    available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// A network as a player called `name` that shares its games among `threads` threads, with a fresh
/// tree for every choice, so that games do not depend on how they are shared.
///
/// # Errors
/// If the network does not fit the variant.
pub fn network_player(
    name: &str,
    net: &InferenceNet,
    variant: &'static Variant,
    search: SearchConfig,
    threads: NonZeroUsize,
) -> Result<Box<dyn Player>, NetError> {
    let member = |_| {
        let evaluator = NetEvaluator::new(net.clone(), variant)?;
        Ok(AgentPlayer::new(name.to_owned(), evaluator, search))
    };
    let members = (0..threads.get()).map(member).collect::<Result<Vec<_>, NetError>>()?;
    Ok(Box::new(Team::new(members).expect("there is at least one thread")))
}

/// An agent file, opened and ready to play.
#[derive(Debug)]
pub struct OpenedAgent {
    /// The agent.
    pub agent: Agent,
    name: String,
    net: InferenceNet,
}

impl OpenedAgent {
    /// Opens the file at `path` for play on `device`.
    ///
    /// # Errors
    /// If it is no agent of this build, or the device is not there.
    pub fn open(path: &Path, device: DeviceChoice) -> Result<Self, PlayersError> {
        let agent = Agent::load(path)?;
        let device = device.resolve()?;
        let net = InferenceNet::new(&agent.network, device, Precision::fastest(device))?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Ok(Self { agent, name, net })
    }

    /// The agent as a player of many games.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn player(
        &self,
        search: SearchConfig,
        threads: NonZeroUsize,
    ) -> Result<Box<dyn Player>, PlayersError> {
        Ok(network_player(&self.name, &self.net, self.agent.variant(), search, threads)?)
    }

    /// The agent as a player of one game at a time, whose tree is kept from choice to choice.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn companion(&self, search: SearchConfig) -> Result<Box<dyn Player>, PlayersError> {
        let evaluator = NetEvaluator::new(self.net.clone(), self.agent.variant())?;
        let search = SearchConfig { win_probe: Some(PROBE), ..search };
        let player = AgentPlayer::new(self.name.clone(), evaluator, search);
        Ok(Box::new(player.keeping_tree()))
    }
}

/// What a player may need beside its text.
#[derive(Copy, Clone, Debug)]
pub struct PlayerNeeds {
    /// The rules it will play by.
    pub variant: &'static Variant,
    /// Simulations of agents whose text gives no number.
    pub simulations: NonZeroU32,
    /// Threads it may use.
    pub threads: NonZeroUsize,
    /// What becomes of an agent's tree when its action is played. Kept ones are for one game at a time,
    /// on one thread.
    pub trees: TreeUse,
    /// Where networks run.
    pub device: DeviceChoice,
}

/// Opens the player that `spec` names.
///
/// # Errors
/// If it names no file, or one that is not an agent of the variant.
pub fn open_player(spec: &PlayerSpec, needs: PlayerNeeds) -> Result<Box<dyn Player>, PlayersError> {
    let opened = spec.open(needs.variant, needs.threads, |spec| {
        let opened = OpenedAgent::open(&spec.path, needs.device)?;
        let found = opened.agent.variant();
        if found.hash() != needs.variant.hash() {
            return Err(PlayersError::WrongVariant {
                path: spec.path.clone(),
                found: found.name().to_owned(),
                expected: needs.variant.name().to_owned(),
            });
        }
        let search = agent_search(spec.root, spec.simulations.unwrap_or(needs.simulations));
        match needs.trees {
            TreeUse::Fresh => opened.player(search, needs.threads),
            TreeUse::Kept => opened.companion(search),
        }
    });
    opened.map_err(|error| match error {
        OpenError::NoFile { path } => PlayersError::NoFile { path },
        OpenError::Agent(error) => error,
    })
}
