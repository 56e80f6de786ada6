use std::fs;
use std::path::Path;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

fn put(sink: &mut impl MetricSink, metric: Metric, step: u64, value: f64) {
    sink.scalar(&metric.into(), Step(step), value).unwrap();
}

#[test]
fn a_line_holds_one_step() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("metrics.jsonl");
    let mut sink = Jsonl::open(&path).unwrap();
    put(&mut sink, Metric::PolicyLoss, 10, 2.5);
    put(&mut sink, Metric::ValueLoss, 10, 1.0);
    sink.text(&Metric::Warning.into(), Step(10), "first \"quoted\"\nline").unwrap();
    sink.text(&Metric::Warning.into(), Step(10), "second").unwrap();
    put(&mut sink, Metric::PolicyLoss, 20, f64::NAN);
    sink.scalar(&Metric::ArenaScore.of("alphabeta:nodes=1000"), Step(20), 0.5).unwrap();
    sink.flush().unwrap();
    sink.flush().unwrap();
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "{\"step\":10,\"loss/policy\":2.5,\"loss/value\":1.0,\
         \"run/warning\":\"first \\\"quoted\\\"\\nline\\nsecond\"}\n\
         {\"step\":20,\"arena/score_vs_alphabeta_nodes=1000\":0.5,\"loss/policy\":null}\n"
    );
    let lines = read_lines(&path).unwrap();
    assert_eq!(lines[0].step, Step(10));
    assert_eq!(lines[0].scalars["loss/value"], 1.0);
    assert_eq!(lines[0].texts["run/warning"], "first \"quoted\"\nline\nsecond");
    assert!(!lines[1].scalars.contains_key("loss/policy"));
}

#[test]
fn a_torn_last_line_is_cut() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("metrics.jsonl");
    for (text, whole) in
        [("", 0), ("{\"st", 0), ("{\"step\":1}\n", 11), ("{\"step\":1}\n{\"ste", 11)]
    {
        fs::write(&path, text).unwrap();
        assert_eq!(read_lines(&path).unwrap().len(), usize::from(whole > 0));
        let mut sink = Jsonl::open(&path).unwrap();
        assert_eq!(sink.torn_bytes(), (text.len() - whole) as u64);
        put(&mut sink, Metric::Games, 2, 3.0);
        drop(sink);
        let found = fs::read_to_string(&path).unwrap();
        assert_eq!(found, format!("{}{{\"step\":2,\"selfplay/games\":3.0}}\n", &text[..whole]));
    }
    let long = format!("{{\"step\":1}}\n{}", "x".repeat(200_000));
    fs::write(&path, long).unwrap();
    assert_eq!(Jsonl::open(&path).unwrap().torn_bytes(), 200_000);
}

#[test]
fn a_foreign_line_is_named() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("metrics.jsonl");
    fs::write(&path, "{\"step\":1}\n{\"loss\":1}\n").unwrap();
    let error = read_lines(&path).unwrap_err().to_string();
    assert!(error.ends_with("line 2: found no `step`, expected an object with `step` and metrics"));
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let error = Jsonl::open(Path::new("/nowhere/metrics.jsonl")).unwrap_err().to_string();
    assert_eq!(error, "cannot write `/nowhere/metrics.jsonl`");
}

/// CRC-32C (Castagnoli), bit by bit, masked as the event format asks.
fn masked_crc(bytes: &[u8]) -> u32 {
    let mut crc = !0u32;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0x82f6_3b78 & (crc & 1).wrapping_neg());
        }
    }
    (!crc).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// Contents of the records of an event file: length, its checksum, content, its checksum.
fn event_records(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut records = Vec::new();
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap());
    while !bytes.is_empty() {
        let len = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
        assert_eq!(word(&bytes[8..12]), masked_crc(&bytes[..8]));
        let content = &bytes[12..12 + len];
        assert_eq!(word(&bytes[12 + len..16 + len]), masked_crc(content));
        records.push(content.to_vec());
        bytes = &bytes[16 + len..];
    }
    records
}

fn only_file(folder: &Path) -> Vec<u8> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap()).collect();
    assert_eq!(files.len(), 1);
    fs::read(files.remove(0).path()).unwrap()
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[test]
fn tensorboard_files_have_the_event_framing() {
    let folder = TempDir::new().unwrap();
    let mut sink = TensorBoard::new(folder.path()).unwrap();
    put(&mut sink, Metric::PolicyLoss, 3, 1.5);
    put(&mut sink, Metric::PolicyLoss, 4, f64::INFINITY);
    put(&mut sink, Metric::ValueLoss, 300, -0.25);
    sink.text(&Metric::Warning.into(), Step(5), "not shown").unwrap();
    sink.flush().unwrap();
    let written = sink.folder().to_owned();
    drop(sink);
    let records = event_records(&only_file(&written));
    assert_eq!(records.len(), 3, "the version and two finite numbers");
    assert!(contains(&records[0], b"brain.Event:2"));
    // Field 2 is the step as a varint; the value is field 2 of a summary's entry, a float.
    let expected: [(&[u8], &[u8], f32); 2] =
        [(b"loss/policy", &[0x10, 3], 1.5), (b"loss/value", &[0x10, 0xac, 0x02], -0.25)];
    for (record, (name, step, value)) in records[1..].iter().zip(expected) {
        assert!(contains(record, name));
        assert!(contains(record, step));
        assert!(contains(record, &[&[0x15], &value.to_le_bytes()[..]].concat()));
    }
}

#[test]
fn two_starts_never_share_an_event_file() {
    let folder = TempDir::new().unwrap();
    let mut folders = Vec::new();
    for _ in 0..3 {
        let mut sink = TensorBoard::new(folder.path()).unwrap();
        put(&mut sink, Metric::Games, 1, 1.0);
        folders.push(sink.folder().to_owned());
    }
    folders.dedup();
    assert_eq!(folders.len(), 3);
    for folder in folders {
        assert_eq!(event_records(&only_file(&folder)).len(), 2);
    }
}

/// A view whose every call fails, as TensorBoard's writer does on a full disk.
struct Broken;

impl MetricSink for Broken {
    fn scalar(&mut self, _: &MetricName, _: Step, _: f64) -> Result<(), MetricError> {
        Err(MetricError::TensorBoard { path: "tb".into(), reason: "full".into() })
    }

    fn text(&mut self, _: &MetricName, _: Step, _: &str) -> Result<(), MetricError> {
        Ok(())
    }

    fn flush(&mut self) -> Result<(), MetricError> {
        Ok(())
    }
}

#[test]
fn a_broken_view_is_noted_once_and_let_go() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("metrics.jsonl");
    let record = Jsonl::open(&path).unwrap();
    let mut sink = FanOut::new(record, vec![Box::new(Broken)]);
    put(&mut sink, Metric::Games, 1, 1.0);
    put(&mut sink, Metric::Games, 2, 2.0);
    sink.flush().unwrap();
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "{\"step\":1,\"run/warning\":\"the TensorBoard writer in `tb` stopped: full; \
         `metrics.jsonl` goes on\",\"selfplay/games\":1.0}\n{\"step\":2,\"selfplay/games\":2.0}\n"
    );
}

/// The event file of each of the next seconds is `/dev/full`, which takes no byte.
fn fill_disk(folder: &Path) {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs();
    for second in now..now + 60 {
        let name =
            format!("events.out.tfevents.{second:010}.{}.{}.0", host.trim(), std::process::id());
        std::os::unix::fs::symlink("/dev/full", folder.join(name)).unwrap();
    }
}

#[test]
fn a_full_disk_stops_tensorboard_but_not_the_run() {
    let folder = TempDir::new().unwrap();
    fill_disk(folder.path());
    let mut sink = TensorBoard::in_folder(folder.path().into()).unwrap();
    let mut failures = Vec::new();
    // The writer's thread dies of the full disk; the first call after that tells.
    while failures.is_empty() {
        failures.extend(sink.scalar(&Metric::Games.into(), Step(1), 1.0).err());
    }
    let message = failures[0].to_string();
    assert!(message.contains("stopped: "), "{message}");
    put(&mut sink, Metric::Games, 2, 1.0);
    sink.flush().unwrap();
}

#[test]
fn names_are_distinct_and_well_formed() {
    let mut names: Vec<&str> = METRICS.iter().map(|info| info.name).collect();
    for info in METRICS {
        assert_eq!(info.metric.info().name, info.name);
        let (area, name) = info.name.split_once('/').unwrap();
        let is_word = |c: char| c.is_ascii_lowercase() || c == '_';
        assert!(area.chars().all(is_word) && name.chars().all(is_word), "{}", info.name);
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), METRICS.len());
}

#[test]
fn reference_page_is_current() {
    crate::generated_page::check("metrics.md", &reference_page());
}

proptest! {
    #[test]
    fn no_file_panics(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("metrics.jsonl");
        fs::write(&path, &bytes).unwrap();
        let _ = read_lines(&path);
        let mut sink = Jsonl::open(&path).unwrap();
        put(&mut sink, Metric::Games, 1, 2.0);
        drop(sink);
        let text = fs::read(&path).unwrap();
        let line = b"{\"step\":1,\"selfplay/games\":2.0}\n";
        prop_assert!(text.ends_with(line));
    }

    #[test]
    fn numbers_survive_the_file(values in prop::collection::vec((0u64..5, any::<f64>()), 0..20)) {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("metrics.jsonl");
        let mut sink = Jsonl::open(&path).unwrap();
        for &(step, value) in &values {
            put(&mut sink, Metric::Games, step, value);
            sink.flush().unwrap();
        }
        let lines = read_lines(&path).unwrap();
        prop_assert_eq!(lines.len(), values.len());
        for (line, (step, value)) in lines.iter().zip(values) {
            prop_assert_eq!(line.step, Step(step));
            let found = line.scalars.get("selfplay/games").copied();
            prop_assert_eq!(found, Some(value).filter(|value| value.is_finite()));
        }
    }
}
