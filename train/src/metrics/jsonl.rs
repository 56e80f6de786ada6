//! `metrics.jsonl`: the record of a run's numbers.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::{MetricError, MetricName, MetricSink, Step};
use crate::run_folder::{FileAction, FileError, read_bytes};

/// Appends one line for each step.
#[derive(Debug)]
pub struct Jsonl {
    path: PathBuf,
    file: File,
    step: Step,
    /// Metrics of `step` that are not written yet.
    pending: Map<String, Value>,
    torn_bytes: u64,
}

/// A line of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricLine {
    /// The step.
    pub step: Step,
    /// Finite numbers by name.
    pub scalars: BTreeMap<String, f64>,
    /// Texts by name.
    pub texts: BTreeMap<String, String>,
}

impl Jsonl {
    /// Opens or makes the file at `path`, to append. A last line that a crash tore is cut.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn open(path: &Path) -> Result<Self, MetricError> {
        let open = || -> std::io::Result<(File, u64)> {
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(path)?;
            let len = file.metadata()?.len();
            let whole = end_of_last_line(&mut file, len)?;
            if whole != len {
                file.set_len(whole)?;
            }
            file.seek(SeekFrom::Start(whole))?;
            Ok((file, len - whole))
        };
        let (file, torn_bytes) = open().map_err(FileError::at(FileAction::Write, path))?;
        Ok(Self { path: path.into(), file, step: Step(0), pending: Map::new(), torn_bytes })
    }

    /// Bytes cut from a torn last line at opening.
    #[must_use]
    pub const fn torn_bytes(&self) -> u64 {
        self.torn_bytes
    }

    fn put(&mut self, name: &MetricName, step: Step, value: Value) -> Result<(), MetricError> {
        if step != self.step {
            self.write_pending()?;
            self.step = step;
        }
        self.pending.insert(name.as_str().into(), value);
        Ok(())
    }

    fn write_pending(&mut self) -> Result<(), MetricError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let metrics = Value::Object(std::mem::take(&mut self.pending)).to_string();
        // The step comes first, for people who read the file.
        let line = format!("{{\"step\":{},{}\n", self.step.0, &metrics[1..]);
        let at = self.file.stream_position();
        let written = at.and_then(|at| {
            self.file.write_all(line.as_bytes()).inspect_err(|_| {
                // Half a line would spoil the next one.
                let _ = self.file.set_len(at);
                let _ = self.file.seek(SeekFrom::Start(at));
            })
        });
        Ok(written.map_err(FileError::at(FileAction::Write, &self.path))?)
    }
}

/// Length of the file up to its last line end.
fn end_of_last_line(file: &mut File, len: u64) -> std::io::Result<u64> {
    const CHUNK: u64 = 64 << 10;
    let mut end = len;
    let mut buffer = Vec::new();
    while end > 0 {
        let begin = end.saturating_sub(CHUNK);
        buffer.clear();
        file.seek(SeekFrom::Start(begin))?;
        Read::by_ref(file).take(end - begin).read_to_end(&mut buffer)?;
        if let Some(at) = buffer.iter().rposition(|&byte| byte == b'\n') {
            return Ok(begin + at as u64 + 1);
        }
        end = begin;
    }
    Ok(0)
}

impl MetricSink for Jsonl {
    fn scalar(&mut self, name: &MetricName, step: Step, value: f64) -> Result<(), MetricError> {
        // `Value::from` makes numbers that are not finite `null`.
        self.put(name, step, Value::from(value))
    }

    fn text(&mut self, name: &MetricName, step: Step, text: &str) -> Result<(), MetricError> {
        // Two warnings of one step are both kept.
        let earlier = self.pending.get(name.as_str()).filter(|_| step == self.step);
        let text = match earlier.and_then(Value::as_str) {
            Some(earlier) => format!("{earlier}\n{text}"),
            None => text.into(),
        };
        self.put(name, step, text.into())
    }

    fn flush(&mut self) -> Result<(), MetricError> {
        self.write_pending()
    }
}

impl Drop for Jsonl {
    fn drop(&mut self) {
        // Who cares for an error calls `flush`.
        let _ = self.write_pending();
    }
}

/// Reads the lines of a metrics file; a torn last line is left out.
///
/// # Errors
/// If the file cannot be read, or a whole line is not one of ours.
pub fn read_lines(path: &Path) -> Result<Vec<MetricLine>, MetricError> {
    let bytes = read_bytes(path)?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let lines = bytes[..whole].split(|&byte| byte == b'\n').enumerate();
    let parse = |(i, line): (usize, &[u8])| {
        parse_line(line).map_err(|found| MetricError::Line {
            path: path.into(),
            line: i + 1,
            found,
        })
    };
    lines.filter(|(_, line)| !line.is_empty()).map(parse).collect()
}

fn parse_line(line: &[u8]) -> Result<MetricLine, String> {
    let mut object: Map<String, Value> =
        serde_json::from_slice(line).map_err(|error| error.to_string())?;
    let step = object.remove("step").and_then(|step| step.as_u64());
    let step = Step(step.ok_or("no `step`")?);
    let mut parsed = MetricLine { step, scalars: BTreeMap::new(), texts: BTreeMap::new() };
    for (name, value) in object {
        match value {
            Value::Number(number) => {
                parsed.scalars.insert(name, number.as_f64().ok_or("a number out of range")?);
            }
            Value::String(text) => {
                parsed.texts.insert(name, text);
            }
            Value::Null => {}
            other => return Err(format!("`{name}` is `{other}`")),
        }
    }
    Ok(parsed)
}
