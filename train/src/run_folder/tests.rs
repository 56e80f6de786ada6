use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use gryphon_env::VariantHash;
use tempfile::TempDir;

use super::*;
use crate::config::RunConfig;

/// The shipped config, whose values may be tuned, with those that these tests look at.
fn config(overrides: &[&str]) -> RunConfig {
    let fixed = ["run.generations=20", "network.blocks=4"];
    let overrides: Vec<String> = fixed.iter().chain(overrides).map(ToString::to_string).collect();
    RunConfig::from_text("quick", include_str!("../../../configs/quick.toml"), &overrides).unwrap()
}

fn meta(byte: u8) -> RunMeta {
    RunMeta::new("chess", VariantHash([byte; 32]))
}

fn open(root: &Path, overrides: &[&str]) -> Result<Opened, RunFolderError> {
    RunFolder::open_or_create(root, &config(overrides), meta(7), "rules")
}

#[track_caller]
fn check_refused(result: Result<Opened, RunFolderError>, parts: &[&str]) {
    let message = result.map(|_| ()).unwrap_err().to_string();
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
}

#[test]
fn a_failed_write_keeps_what_was_there_and_leaves_no_rest() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("kept"), "old").unwrap();
    let error = write_bytes(&path, b"new").unwrap_err();
    assert_eq!(error.to_string(), format!("cannot write `{}`", path.display()));
    assert_eq!(read_text(&path.join("kept")).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_missing_folder_is_named() {
    let error = write_bytes(Path::new("/nowhere/at/all"), b"x").unwrap_err();
    assert_eq!(error.to_string(), "cannot write `/nowhere/at/all`");
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(cause, io::Error::from_raw_os_error(2).to_string(), "no name of a temporary file");
}

/// `/dev/full` takes no byte, as a full disk does.
#[test]
fn a_full_disk_is_an_error_that_names_the_path() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let source = (&full).write_all(b"x").unwrap_err();
    let message = FileError::at(FileAction::Write, Path::new("runs/a"))(source).to_string();
    assert_eq!(message, "cannot write `runs/a` (free some space, then run the same command again)");
}

#[test]
fn a_run_begins_once_and_then_goes_on() {
    let parent = TempDir::new().unwrap();
    let root = parent.path().join("runs/a");
    let opened = open(&root, &[]).unwrap();
    assert!(opened.is_new);
    assert_eq!(read_text(&root.join("variant.toml")).unwrap(), "rules");
    drop(opened);
    let opened = open(&root, &[]).unwrap();
    assert!(!opened.is_new);
    assert!(opened.changed.is_empty());
}

#[test]
fn an_interrupted_start_is_finished() {
    let parent = TempDir::new().unwrap();
    fs::write(parent.path().join("config.toml"), "half").unwrap();
    fs::write(parent.path().join(".tmp-x"), "half").unwrap();
    let opened = open(parent.path(), &[]).unwrap();
    assert!(opened.is_new);
    assert_eq!(opened.swept.len(), 1);
    drop(opened);
    assert!(!open(parent.path(), &[]).unwrap().is_new);
}

#[test]
fn a_second_process_is_refused() {
    let parent = TempDir::new().unwrap();
    let held = open(parent.path(), &[]).unwrap();
    let process = format!("in use by process {}", std::process::id());
    check_refused(open(parent.path(), &[]), &[&process]);
    drop(held);
    open(parent.path(), &[]).unwrap();
}

#[test]
fn fixed_keys_must_not_change_but_free_ones_may() {
    let parent = TempDir::new().unwrap();
    drop(open(parent.path(), &[]).unwrap());
    check_refused(
        open(parent.path(), &["run.generations=50", "network.blocks=9"]),
        &["`network.blocks = 4`", "asks for `9`", "`run.generations`"],
    );
    let stored = || read_text(&parent.path().join("config.toml")).unwrap();
    assert_eq!(stored(), config(&[]).to_toml());
    let opened = open(parent.path(), &["run.generations=50"]).unwrap();
    assert_eq!(opened.changed.len(), 1);
    assert_eq!(stored(), config(&["run.generations=50"]).to_toml());
}

#[test]
fn other_rules_and_other_folders_are_refused() {
    let parent = TempDir::new().unwrap();
    let root = parent.path().join("run");
    drop(open(&root, &[]).unwrap());
    let other = RunFolder::open_or_create(&root, &config(&[]), meta(8), "rules");
    check_refused(other, &["chess 070707070707", "chess 080808080808"]);
    check_refused(open(parent.path(), &[]), &["is not a run folder (found `run`"]);
}

#[test]
fn damaged_files_of_the_folder_are_named() {
    let parent = TempDir::new().unwrap();
    drop(open(parent.path(), &[]).unwrap());
    fs::write(parent.path().join("config.toml"), "[run]\nsede = 1").unwrap();
    check_refused(open(parent.path(), &[]), &["config.toml", "unknown key `run.sede`"]);
    fs::write(parent.path().join("meta.json"), "{").unwrap();
    check_refused(open(parent.path(), &[]), &["meta.json", "expected what `gryphon train` wrote"]);
}
