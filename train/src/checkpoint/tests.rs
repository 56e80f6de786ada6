use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use gryphon_env::VariantHash;
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::config::RunConfig;
use crate::metrics::Step;
use crate::replay::{GameId, ReplayManifest, ReuseBudget};
use crate::run_folder::{RunFolder, RunMeta};

struct Run {
    root: TempDir,
    store: CheckpointStore,
    _folder: RunFolder,
}

fn config() -> RunConfig {
    RunConfig::from_text("quick", include_str!("../../../configs/quick.toml"), &[]).unwrap()
}

fn run(newest: u32, every: u32) -> Run {
    let root = TempDir::new().unwrap();
    let meta = RunMeta::new("chess", VariantHash([1; 32]));
    let folder = RunFolder::open_or_create(root.path(), &config(), meta, "rules").unwrap().folder;
    let keep = KeepRule { newest: newest.try_into().unwrap(), every: every.try_into().ok() };
    Run { store: CheckpointStore::of(&folder, keep), root, _folder: folder }
}

fn state(generation: u32) -> CheckpointState {
    let (variant_hash, config_hash) = CheckpointState::hashes(VariantHash([1; 32]), &config());
    CheckpointState {
        generation,
        step: Step(u64::from(generation) * 100),
        budget: ReuseBudget::resumed(4.0, 1000, 3333),
        replay: ReplayManifest {
            games: 7,
            positions: 1000,
            newest: Some(GameId { generation, number: 6 }),
            shards: vec!["000001.shard".into()],
        },
        variant_hash,
        config_hash,
    }
}

impl Run {
    fn save(&self, generation: u32) -> Result<Checkpoint, CheckpointError> {
        self.store.save(&state(generation), |folder| -> io::Result<()> {
            fs::write(folder.join("weights.safetensors"), vec![generation as u8; 5000])?;
            fs::write(folder.join("optimizer.safetensors"), b"moments")
        })
    }

    fn save_all(&self, generations: impl IntoIterator<Item = u32>) {
        generations.into_iter().for_each(|generation| drop(self.save(generation).unwrap()));
    }

    fn weights(&self, generation: u32) -> PathBuf {
        self.store.path(generation).join("weights.safetensors")
    }

    fn latest(&self) -> String {
        fs::read_to_string(self.root.path().join("latest")).unwrap()
    }
}

fn contents(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = entries.map(name).collect();
    names.sort();
    names
}

#[test]
fn a_checkpoint_comes_back_whole() {
    let run = run(3, 0);
    assert!(run.store.open_latest().unwrap().checkpoint.is_none());
    run.save_all([0, 1]);
    let found = run.store.open_latest().unwrap();
    assert!(found.warnings.is_empty());
    let checkpoint = found.checkpoint.unwrap();
    assert_eq!(checkpoint.state, state(1));
    assert_eq!(fs::read(checkpoint.file("weights.safetensors")).unwrap(), [1; 5000]);
    assert_eq!(run.latest(), "000001\n");
    assert_eq!(
        contents(&checkpoint.path),
        ["manifest.json", "optimizer.safetensors", "state.json", "weights.safetensors"]
    );
}

#[test]
fn newest_and_every_so_many_are_kept() {
    let run = run(2, 4);
    run.save_all(0..=9);
    assert_eq!(run.store.generations().unwrap(), [0, 4, 8, 9]);
    assert_eq!(contents(&run.root.path().join("checkpoints")).len(), 4);
}

#[test]
fn a_damaged_checkpoint_is_named_and_the_one_before_is_used() {
    let run = run(3, 0);
    run.save_all(0..3);
    let mut bytes = fs::read(run.weights(2)).unwrap();
    bytes[77] ^= 1;
    fs::write(run.weights(2), bytes).unwrap();
    fs::write(run.weights(1), b"short").unwrap();
    let found = run.store.open_latest().unwrap();
    assert_eq!(found.checkpoint.unwrap().state.generation, 0);
    let warnings: Vec<String> = found.warnings.iter().map(ToString::to_string).collect();
    let path = |generation| run.weights(generation).display().to_string();
    assert!(
        warnings[0]
            .starts_with(&format!("checkpoint file `{}` is damaged: found blake3 ", path(2)))
    );
    assert_eq!(
        warnings[1],
        format!("checkpoint file `{}` is damaged: found 5 bytes, expected 5000 bytes", path(1))
    );
    assert_eq!(run.latest(), "000000\n");
}

#[test]
fn every_kind_of_damage_is_an_error_with_the_file() {
    for (name, text, part) in [
        ("state.json", None, "found no file, expected one"),
        ("manifest.json", None, "found no file, expected one"),
        ("manifest.json", Some("{"), "expected what a checkpoint of this build holds"),
        (
            "manifest.json",
            Some("{\"format\": 9, \"files\": []}"),
            "found format 9, expected format 1",
        ),
        ("weights.safetensors", None, "found no file, expected one"),
    ] {
        let run = run(3, 0);
        let checkpoint = run.save(0).unwrap();
        let file = checkpoint.file(name);
        match text {
            Some(text) => fs::write(&file, text).unwrap(),
            None => fs::remove_file(&file).unwrap(),
        }
        let message = Checkpoint::open(&checkpoint.path).unwrap_err().to_string();
        assert!(message.contains(name) && message.contains(part), "{message}");
        let none = run.store.open_latest().unwrap_err().to_string();
        assert!(none.starts_with("none of the 1 checkpoints in"), "{none}");
        assert!(none.contains(&message), "{none}");
    }
}

#[test]
fn a_damaged_checkpoint_makes_way_but_an_intact_one_does_not() {
    let run = run(3, 0);
    run.save_all(0..2);
    let message = run.save(1).unwrap_err().to_string();
    assert!(message.contains("000001` exists and is intact"), "{message}");
    fs::write(run.weights(1), b"short").unwrap();
    run.save_all([1]);
    assert_eq!(
        contents(&run.root.path().join("checkpoints")),
        ["000000", "000001", "000001.damaged"]
    );
    let found = run.store.open_latest().unwrap();
    assert_eq!(found.checkpoint.unwrap().state.generation, 1);
}

#[test]
fn a_failed_save_leaves_everything_as_it_was() {
    let run = run(3, 0);
    run.save_all([0]);
    let error = run.store.save(&state(1), |folder| {
        fs::write(folder.join("weights.safetensors"), b"half")?;
        Err(io::Error::from(io::ErrorKind::StorageFull))
    });
    let message = error.unwrap_err().to_string();
    assert!(message.contains("checkpoints/000001`"), "{message}");
    assert_eq!(contents(&run.root.path().join("checkpoints")), ["000000"]);
    assert_eq!(run.latest(), "000000\n");
}

proptest! {
    /// Numbers come back to the bit, or a resumed run would be another one.
    #[test]
    fn state_survives_its_file(reuse in 0.01f64..100.0, step in any::<u64>()) {
        let state = CheckpointState {
            step: Step(step),
            budget: ReuseBudget::resumed(reuse, step / 3, step / 2),
            ..state(3)
        };
        let text = serde_json::to_string(&state).unwrap();
        prop_assert_eq!(serde_json::from_str::<CheckpointState>(&text).unwrap(), state);
    }
}
