//! A run: opened or resumed, driven generation by generation.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use gryphon_env::{Stream, Variant};
use gryphon_net::{DeviceChoice, InferenceNet, NetEvaluator, NetShape, Network, Precision};
use gryphon_play::PlayerSpec;
use tch::Device;

use super::generation::{Generation, GenerationProgress, Played};
use super::recorder::{GenerationFigures, Recorder};
use super::statistics::GameStatistics;
use super::{TrainingError, evaluation, saved, settings};
use crate::arena::{self, MatchSummary};
use crate::checkpoint::{Checkpoint, CheckpointState, CheckpointStore, KeepRule};
use crate::config::RunConfig;
use crate::engines::{Choice, N_POSITIONS, Positions, playing_net};
use crate::learner::Learner;
use crate::metrics::Step;
use crate::progress::{Activity, Parts, Progress, Standing};
use crate::replay::{ReplayStore, ReplayWindow, ReuseBudget, WindowRule};
use crate::run_folder::{RunFolder, RunMeta};
use crate::selfplay::{Group, SelfPlayRules};

/// Of the random numbers of a generation's samples: the part that draws positions to test engines on.
const ENGINE_STREAM: u64 = 1;

/// A training run whose folder this process holds.
#[derive(Debug)]
pub struct Run {
    config: RunConfig,
    rules: SelfPlayRules,
    folder: RunFolder,
    checkpoints: CheckpointStore,
    store: ReplayStore,
    window: ReplayWindow,
    learner: Learner,
    budget: ReuseBudget,
    groups: Vec<Group>,
    device: Device,
    /// The next generation.
    generation: u32,
    recorder: Recorder,
    /// Loss and score for whoever watches.
    loss: Option<f64>,
    score: Option<(String, f64)>,
}

/// How a run's work ended.
#[derive(Clone, Debug)]
pub enum RunEnd {
    /// All generations are done.
    Complete {
        /// The last evaluation.
        evaluation: Vec<MatchSummary>,
    },
    /// It was stopped; the same command goes on.
    Stopped {
        /// How many generations are done.
        done: u32,
    },
}

impl Run {
    /// Begins the run in the folder `root`, or goes on with the one that is there.
    ///
    /// # Errors
    /// If the config cannot be used, the folder holds another run or is held by another process, or
    /// what it holds is damaged.
    pub fn open(
        root: &Path,
        config: RunConfig,
        device: DeviceChoice,
        view: &mut dyn Progress,
    ) -> Result<Self, TrainingError> {
        let variant = settings::variant(&config)?;
        let shape = NetShape::new(config.network.blocks.get(), config.network.channels.get())?;
        evaluation::opponents(&config)?;
        let device = device.resolve()?;
        let meta = RunMeta::new(variant.name(), variant.hash());
        let opened = RunFolder::open_or_create(root, &config, meta, variant.text())?;
        let folder = opened.folder;
        let checkpoints = CheckpointStore::of(&folder, KeepRule::from(&config.checkpoints));
        let found = checkpoints.open_latest()?;
        let (store, recovery) = ReplayStore::open(&folder.shards(), variant.hash())?;
        let mut recorder = Recorder::open(&folder)?;
        let findings = recovery.to_string();
        let warnings = found.warnings.iter().map(ToString::to_string);
        for warning in warnings.chain(findings.lines().map(str::to_owned)) {
            view.note(&warning);
            recorder.warn(&warning)?;
        }
        let rules = settings::self_play_rules(&config, variant);
        let mut rng = config.run.seed.stream(Stream::Weights);
        let network = Network::new(variant, shape, &mut rng, device)?;
        let learner = Learner::new(network, settings::learner_settings(&config));
        let rule = WindowRule::from(&config.replay);
        let mut run = Self {
            budget: ReuseBudget::new(config.replay.samples_per_position.get()),
            window: ReplayWindow::new(variant, rule),
            groups: Vec::new(),
            generation: 0,
            config,
            rules,
            folder,
            checkpoints,
            store,
            learner,
            device,
            recorder,
            loss: None,
            score: None,
        };
        match found.checkpoint {
            Some(checkpoint) => run.resume(&checkpoint, rule, view)?,
            None => {
                let selfplay = &run.config.selfplay;
                let (n_groups, n_slots) = (selfplay.groups.get(), selfplay.games_per_group.get());
                run.groups = Group::start_all(n_groups, n_slots, &run.rules)?;
                run.recorder.note_start(Step(0), "beginning with generation 0")?;
            }
        }
        Ok(run)
    }

    fn resume(
        &mut self,
        checkpoint: &Checkpoint,
        rule: WindowRule,
        view: &mut dyn Progress,
    ) -> Result<(), TrainingError> {
        let state = &checkpoint.state;
        self.learner.restore(&saved::read_learner(checkpoint)?)?;
        self.groups = Group::resume_all(saved::read_groups(checkpoint)?, &self.rules)?;
        self.budget = state.budget;
        self.generation = state.generation + 1;
        let variant = self.rules.variant;
        let (window, damage) = self.store.load_window(variant, rule, state.generation)?;
        self.window = window;
        for part in damage {
            view.note(&part.to_string());
            self.recorder.warn(&part.to_string())?;
        }
        let stored = self.store.manifest(state.generation).games;
        if stored < state.replay.games {
            let warning = format!(
                "`{}` holds {stored} of the {} games that the checkpoint knows; learning goes on without the others",
                self.folder.shards().display(),
                state.replay.games
            );
            view.note(&warning);
            self.recorder.warn(&warning)?;
        }
        let note = format!(
            "going on after generation {} of {} ({} steps, {} positions)",
            self.generation,
            self.config.run.generations,
            self.learner.steps(),
            self.budget.positions()
        );
        view.note(&note);
        Ok(self.recorder.note_start(Step(self.learner.steps()), &note)?)
    }

    /// The rules it plays by.
    #[must_use]
    pub const fn variant(&self) -> &'static Variant {
        self.rules.variant
    }

    /// The run's folder.
    #[must_use]
    pub const fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// Trains until all generations are done or `stop` is raised, then evaluates and exports.
    ///
    /// # Errors
    /// If the disk, the network or an opponent fails. The last checkpoint stays.
    pub fn train(
        &mut self,
        view: &mut dyn Progress,
        stop: &AtomicBool,
    ) -> Result<RunEnd, TrainingError> {
        let last = self.config.run.generations.get();
        while self.generation < last {
            if !self.play_generation(view, stop)? {
                return Ok(RunEnd::Stopped { done: self.generation });
            }
            let is_due = self.generation.is_multiple_of(self.config.evaluation.every.get());
            if is_due && self.generation < last {
                let games = self.config.evaluation.games;
                self.evaluate(games, view, stop)?;
            }
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(RunEnd::Stopped { done: self.generation });
        }
        let evaluation = self.evaluate(self.config.evaluation.final_games, view, stop)?;
        if stop.load(Ordering::Relaxed) {
            return Ok(RunEnd::Stopped { done: self.generation });
        }
        Ok(RunEnd::Complete { evaluation })
    }

    /// One generation and its checkpoint; `false` if it was stopped: the run then ends, and goes on
    /// from the checkpoint before.
    fn play_generation(
        &mut self,
        view: &mut dyn Progress,
        stop: &AtomicBool,
    ) -> Result<bool, TrainingError> {
        let start = Instant::now();
        let (evaluators, engine) = self.evaluators()?;
        let mut standing = self.standing();
        let generation = Generation {
            number: self.generation,
            config: &self.config,
            rules: &self.rules,
            store: &mut self.store,
            window: &mut self.window,
            learner: &mut self.learner,
            budget: &mut self.budget,
            stop,
        };
        let mut show = |at: &GenerationProgress| {
            standing.activity = Activity::Training { positions: at.positions, steps: at.steps };
            standing.loss = at.loss.or(standing.loss);
            view.show(&standing);
        };
        let Some(mut played) = generation.run(self.groups.clone(), evaluators, &mut show)? else {
            return Ok(false);
        };
        self.take_in(&mut played)?;
        self.save()?;
        let figures = GenerationFigures {
            number: self.generation,
            played: &played,
            engine: &engine,
            window: &self.window,
            budget: self.budget,
            games: self.store.manifest(self.generation).games,
            bytes_per_position: self.store.bytes_per_position(),
            games_per_group: self.config.selfplay.games_per_group,
            time: start.elapsed(),
        };
        self.recorder.generation(Step(self.learner.steps()), &figures)?;
        view.note(&summary(&figures));
        self.loss = played.learning.means().map(|means| means.total_loss);
        self.generation += 1;
        Ok(true)
    }

    /// Where the run stands between two activities.
    fn standing(&self) -> Standing {
        Standing {
            generation: self.generation,
            generations: self.config.run.generations.get(),
            activity: Activity::Training { positions: Parts::default(), steps: Parts::default() },
            games: self.store.manifest(self.generation).games,
            loss: self.loss,
            score: self.score.clone(),
        }
    }
}

/// A generation in one line.
fn summary(figures: &GenerationFigures<'_>) -> String {
    let played = figures.played;
    let rate = played.work.positions as f64 / played.self_play_time.as_secs_f64().max(1e-9);
    let mut text = format!("generation {}: {} games", figures.number + 1, played.records.len());
    if let Some(of) = GameStatistics::of(&played.records) {
        text += &format!(" of {:.0} plies", of.mean_plies);
    }
    text += &format!(", {rate:.0} positions/s by {}", figures.engine);
    if let Some(means) = played.learning.means() {
        text += &format!(", loss {:.3} policy {:.3} value", means.policy_loss, means.value_loss);
    }
    text + &format!(", {:.1} s", figures.time.as_secs_f64())
}

impl Run {
    /// One evaluator a worker, with the weights that play, and the engine.
    fn evaluators(&mut self) -> Result<(Vec<NetEvaluator>, Choice), TrainingError> {
        let network = self.playing_network()?;
        let selfplay = &self.config.selfplay;
        let workers = selfplay.workers.count().get();
        let (window, rules, generation) = (&mut self.window, &self.rules, self.generation);
        let positions = || -> Result<Positions, TrainingError> {
            if window.n_positions() < N_POSITIONS.get() as u64 {
                return Ok(Positions::random(rules.variant, rules.seed));
            }
            let mut rng = rules.seed.stream(Stream::Samples { generation });
            rng.set_stream(ENGINE_STREAM);
            Ok(Positions::drawn(window, &mut rng)?)
        };
        let choice = playing_net(&network, self.device, selfplay.backend, workers, positions)?;
        let evaluator = |_| NetEvaluator::new(choice.net.clone(), self.rules.variant);
        let evaluators = (0..workers).map(evaluator).collect::<Result<_, _>>()?;
        Ok((evaluators, choice))
    }

    /// The frozen network with the weights that play.
    fn playing_net(&self) -> Result<InferenceNet, TrainingError> {
        let network = self.playing_network()?;
        Ok(InferenceNet::new(&network, self.device, Precision::fastest(self.device))?)
    }

    fn playing_network(&self) -> Result<Network, TrainingError> {
        let trained = self.learner.network();
        let mut rng = self.config.run.seed.stream(Stream::Weights);
        let mut network = Network::new(trained.variant(), trained.shape(), &mut rng, self.device)?;
        network.load_weights(&self.learner.playing_weights())?;
        Ok(network)
    }

    /// The games that ended become part of the window, for the next generation.
    fn take_in(&mut self, played: &mut Played) -> Result<(), TrainingError> {
        self.groups = std::mem::take(&mut played.groups);
        for record in &played.records {
            self.budget.add_positions(u64::from(record.n_positions()));
            self.window.push(record.clone())?;
        }
        Ok(())
    }

    fn save(&mut self) -> Result<(), TrainingError> {
        let generation = self.generation;
        let (variant_hash, config_hash) =
            CheckpointState::hashes(self.rules.variant.hash(), &self.config);
        let state = CheckpointState {
            generation,
            step: Step(self.learner.steps()),
            budget: self.budget,
            replay: self.store.manifest(generation),
            variant_hash,
            config_hash,
        };
        let agent = saved::agent(self.playing_network()?, generation, self.learner.steps());
        let learner = self.learner.state();
        let groups: Vec<_> = self.groups.iter().map(Group::state).collect();
        self.checkpoints.save(&state, |folder| saved::write(folder, &learner, &agent, &groups))?;
        Ok(())
    }

    /// Matches against the config's opponents, recorded.
    fn evaluate(
        &mut self,
        games: NonZeroU32,
        view: &mut dyn Progress,
        stop: &AtomicBool,
    ) -> Result<Vec<MatchSummary>, TrainingError> {
        let net = self.playing_net()?;
        // What is measured is the generation before.
        let mut standing =
            Standing { generation: self.generation.saturating_sub(1), ..self.standing() };
        let mut on_progress = |opponent: &PlayerSpec, at: &arena::Progress| {
            let opponent = opponent.to_string();
            let games = Parts { done: at.tally.n_games(), total: at.total };
            standing.score = at.tally.score().map(|score| (opponent.clone(), score));
            standing.activity = Activity::Evaluation { opponent, games };
            view.show(&standing);
        };
        let variant = self.rules.variant;
        let matches =
            evaluation::evaluate(&self.config, variant, &net, games, &mut on_progress, stop)?;
        for summary in &matches {
            self.recorder.evaluation(Step(self.learner.steps()), summary)?;
            view.note(&summary.line());
            self.score = summary.score.map(|score| (summary.second.clone(), score));
        }
        Ok(matches)
    }

    /// Writes the agent that plays now, with what its evaluation found, into the run's folder.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn export(&self, evaluation: &[MatchSummary]) -> Result<PathBuf, TrainingError> {
        let path = self.folder.root().join("agent.safetensors");
        let network = self.playing_network()?;
        let newest = self.generation.saturating_sub(1);
        let mut agent = saved::agent(network, newest, self.learner.steps());
        let strength = serde_json::json!({
            "simulations": self.config.evaluation.simulations,
            "matches": evaluation,
        });
        agent.strength = Some(strength);
        agent.save(&path)?;
        Ok(path)
    }
}
