//! A process that stores games, metrics and checkpoints is killed at random moments, or finds its
//! disk full; what it had told of must be there, and a new process must go on with it.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use gryphon_env::{ActionIndex, DrawReason, Outcome, RunSeed, Stream, VariantHash};
use gryphon_mcts::ValueWhite;
use gryphon_train::checkpoint::{Checkpoint, CheckpointState, CheckpointStore, KeepRule};
use gryphon_train::config::RunConfig;
use gryphon_train::metrics::{Jsonl, Metric, MetricSink as _, Step, read_lines};
use gryphon_train::replay::{
    GameEnd, GameId, GameRecord, PlyRecord, RecordedAction, ReplayStore, ReuseBudget, SearchRecord,
    SparsePolicy, StoredValue,
};
use gryphon_train::run_folder::{RunFolder, RunMeta};
use rand::{Rng as _, RngExt as _};
use tempfile::TempDir;

const RULES: VariantHash = VariantHash([5; 32]);

/// Games between two checkpoints.
const GAMES: u64 = 7;

/// Where the child works; set for it alone.
const FOLDER: &str = "GRYPHON_TEST_CRASH_FOLDER";

/// Game `number`, the same whenever it is made.
fn game(number: u64) -> GameRecord {
    let mut rng = RunSeed(2).stream(Stream::Playout(number));
    let mut ply = || {
        let policy: Vec<_> =
            (0..25).map(|_| (ActionIndex(rng.random_range(0..4000)), rng.random())).collect();
        let mut distinct = policy;
        distinct.sort_by_key(|&(index, _)| index);
        distinct.dedup_by_key(|&mut (index, _)| index);
        PlyRecord {
            action: RecordedAction::Index(ActionIndex(rng.random_range(0..4000))),
            search: Some(SearchRecord {
                value: StoredValue::new(ValueWhite::new(rng.random_range(-1.0..1.0))),
                simulations: 16,
                policy: SparsePolicy::new(&distinct),
            }),
        }
    };
    GameRecord {
        variant: RULES,
        id: GameId { generation: generation_of(number), number },
        seed: RunSeed(2),
        start: "8/8/8/8/8/8/8/8 w - - 0 1".into(),
        plies: (0..30).map(|_| ply()).collect(),
        end: GameEnd::Finished(Outcome::Draw { reason: DrawReason::Clock }),
    }
}

fn generation_of(number: u64) -> u32 {
    u32::try_from(number / GAMES).unwrap()
}

fn weights(generation: u32) -> Vec<u8> {
    let mut bytes = vec![0; 100_000];
    RunSeed(3).stream(Stream::Playout(generation.into())).fill_bytes(&mut bytes);
    bytes
}

fn config() -> RunConfig {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/quick.toml");
    RunConfig::from_file(&path, &[]).unwrap()
}

fn open_run(root: &Path) -> RunFolder {
    let meta = RunMeta::new("test", RULES);
    RunFolder::open_or_create(root, &config(), meta, "rules").unwrap().folder
}

fn checkpoints(folder: &RunFolder) -> CheckpointStore {
    CheckpointStore::of(folder, KeepRule { newest: 2.try_into().unwrap(), every: None })
}

fn tell(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).unwrap();
}

/// Plays generations until there are `n_generations`, telling of everything that is safe. The
/// first error is told too, and ends it.
fn work(root: &Path, n_generations: u32) {
    if let Err(error) = try_work(root, n_generations) {
        tell(&format!("error {error}"));
    }
}

fn try_work(root: &Path, n_generations: u32) -> Result<(), Box<dyn std::error::Error>> {
    let folder = open_run(root);
    let checkpoints = checkpoints(&folder);
    let found = checkpoints.open_latest()?;
    let (mut store, _) = ReplayStore::open(&folder.shards(), RULES)?;
    let mut metrics = Jsonl::open(&folder.metrics())?;
    let next = found.checkpoint.map_or(0, |checkpoint| checkpoint.state.generation + 1);
    // The harness may have left its line open.
    tell(&format!("\nbegin {next}"));
    for generation in next..n_generations {
        let first = u64::from(generation) * GAMES;
        for number in first..first + GAMES {
            store.append(&game(number))?;
            tell(&format!("game {number}"));
        }
        store.sync()?;
        if generation % 3 == 2 {
            store.finish_shard()?;
        }
        let step = Step(u64::from(generation));
        metrics.scalar(&Metric::Games.into(), step, (first + GAMES) as f64)?;
        metrics.flush()?;
        save(&checkpoints, &store, generation)?;
        tell(&format!("checkpoint {generation}"));
    }
    tell("end");
    Ok(())
}

fn save(
    checkpoints: &CheckpointStore,
    store: &ReplayStore,
    generation: u32,
) -> Result<Checkpoint, Box<dyn std::error::Error>> {
    let (variant_hash, config_hash) = CheckpointState::hashes(RULES, &config());
    let state = CheckpointState {
        generation,
        step: Step(generation.into()),
        budget: ReuseBudget::new(4.0),
        replay: store.manifest(generation),
        variant_hash,
        config_hash,
    };
    Ok(checkpoints.save(&state, |folder| {
        fs::write(folder.join("weights.safetensors"), weights(generation))
    })?)
}

/// What a child told.
#[derive(Default)]
struct Told {
    games: Vec<u64>,
    checkpoint: Option<u32>,
    errors: Vec<String>,
    begun: Option<u32>,
    ended: bool,
}

impl Told {
    fn take(&mut self, line: &str) {
        match line.split_once(' ') {
            Some(("game", number)) => self.games.push(number.parse().unwrap()),
            Some(("checkpoint", generation)) => self.checkpoint = generation.parse().ok(),
            Some(("begin", generation)) => self.begun = generation.parse().ok(),
            Some(("error", text)) => self.errors.push(text.into()),
            _ if line == "end" => self.ended = true,
            // The test harness's own lines.
            _ => {}
        }
    }
}

/// This executable, running only the test that is the child.
fn child(mut command: Command, root: &Path) -> Command {
    command.args(["--exact", "crash::a_process_stores_everything", "--nocapture"]);
    command.env(FOLDER, root).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

fn executable() -> PathBuf {
    std::env::current_exe().unwrap()
}

/// Runs the child and kills it `jitter` turns of a loop after its line number `n_lines`, if it has
/// not ended.
fn run_and_kill(root: &Path, n_lines: usize, jitter: u32) -> Told {
    let mut process = child(Command::new(executable()), root).spawn().unwrap();
    let mut told = Told::default();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    for line in lines.by_ref().take(n_lines) {
        told.take(&line.unwrap());
    }
    (0..jitter).for_each(|_| std::hint::spin_loop());
    process.kill().unwrap();
    process.wait().unwrap();
    for line in lines {
        told.take(&line.unwrap());
    }
    told
}

/// Opens everything in the run and checks that it holds what was told.
fn check_run(root: &Path, games: &[u64], checkpoint: Option<u32>) {
    let folder = open_run(root);
    let found = checkpoints(&folder).open_latest().unwrap();
    assert!(found.warnings.is_empty(), "{:?}", found.warnings);
    let generation = found.checkpoint.as_ref().map(|found| found.state.generation);
    assert!(generation >= checkpoint, "found {generation:?}, was told {checkpoint:?}");
    if let Some(found) = &found.checkpoint {
        let bytes = fs::read(found.file("weights.safetensors")).unwrap();
        assert!(bytes == weights(found.state.generation), "other weights");
    }
    let (store, report) = ReplayStore::open(&folder.shards(), RULES).unwrap();
    assert_eq!(report.damage, []);
    let mut stored = Vec::new();
    for shard in store.records() {
        let (records, damage) = shard.unwrap();
        assert_eq!(damage, []);
        for record in records {
            assert_eq!(record, game(record.id.number));
            stored.push(record.id.number);
        }
    }
    stored.sort_unstable();
    for number in games {
        assert!(stored.binary_search(number).is_ok(), "game {number} was told of and is lost");
    }
    let n = stored.len();
    stored.dedup();
    assert_eq!(stored.len(), n, "a game is there twice");
    if folder.metrics().exists() {
        read_lines(&folder.metrics()).unwrap();
    }
    let is_rest = |path: &Path| path.file_name().unwrap().to_string_lossy().starts_with(".tmp-");
    for sub in [folder.root().to_path_buf(), folder.shards(), folder.checkpoints()] {
        let rests =
            fs::read_dir(sub).unwrap().filter(|entry| is_rest(&entry.as_ref().unwrap().path()));
        assert_eq!(rests.count(), 0, "temporary files were not swept");
    }
}

/// The child of the other tests, and by itself the proof that an undisturbed run is whole.
#[test]
fn a_process_stores_everything() {
    if let Some(root) = std::env::var_os(FOLDER) {
        work(Path::new(&root), 1000);
        return;
    }
    let root = TempDir::new().unwrap();
    work(root.path(), 4);
    let games: Vec<u64> = (0..4 * GAMES).collect();
    check_run(root.path(), &games, Some(3));
}

#[test]
fn a_killed_process_loses_nothing_it_told_of() {
    let root = TempDir::new().unwrap();
    let mut rng = RunSeed(11).stream(Stream::Playout(0));
    let mut games = Vec::new();
    let mut checkpoint = None;
    for _ in 0..6 {
        let told = run_and_kill(root.path(), rng.random_range(6..40), rng.random_range(0..300_000));
        assert_eq!(told.errors, Vec::<String>::new());
        assert!(!told.ended, "killed before it ended");
        assert!(told.begun > checkpoint, "begun again at {:?} after {checkpoint:?}", told.begun);
        games.extend(told.games);
        checkpoint = checkpoint.max(told.checkpoint);
        check_run(root.path(), &games, checkpoint);
    }
    assert!(checkpoint.is_some(), "no round came to a checkpoint");
}

/// A limit on file sizes stands for the full disk: writes fail in the middle, as they do there.
#[test]
fn a_process_with_a_full_disk_says_so_and_loses_nothing() {
    for (limit, part) in [(8, "shards/000001.open"), (40, "checkpoints/000000")] {
        let root = TempDir::new().unwrap();
        drop(open_run(root.path()));
        let mut command = Command::new("sh");
        let script = format!("trap '' XFSZ; ulimit -f {limit}; exec \"$0\" \"$@\"");
        command.arg("-c").arg(script).arg(executable());
        let output = child(command, root.path()).output().unwrap();
        let mut told = Told::default();
        String::from_utf8_lossy(&output.stdout).lines().for_each(|line| told.take(line));
        let [error] = &told.errors[..] else { panic!("{:?}", told.errors) };
        let path = root.path().join(part).display().to_string();
        assert!(error.starts_with("cannot ") && error.contains(&path), "{error}");
        assert!(!told.ended);
        assert!(!told.games.is_empty());
        check_run(root.path(), &told.games, told.checkpoint);
    }
}
