//! TensorBoard's event files.

use std::any::Any;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use tensorboard_rs::summary_writer::SummaryWriter;

use super::{MetricError, MetricName, MetricSink, Step};
use crate::run_folder::{FileAction, FileError, create_folder};

/// Writes one event file.
///
/// `tensorboard-rs` 0.5.9 names files by directory and second and truncates one that exists, so each
/// start gets a folder of its own and each process has one writer. Its only answer to an error is to
/// panic, so every call is fenced: training outlives it.
pub struct TensorBoard {
    folder: PathBuf,
    /// `None` once the writer has given up.
    writer: Option<SummaryWriter>,
}

impl std::fmt::Debug for TensorBoard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TensorBoard").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl TensorBoard {
    /// A writer in the first unused of `parent/start-0001`, `parent/start-0002`, ….
    ///
    /// # Errors
    /// If the folder cannot be made or the writer does not start.
    pub fn new(parent: &Path) -> Result<Self, MetricError> {
        create_folder(parent)?;
        Self::in_folder(fresh_folder(parent)?)
    }

    /// A writer in a folder that no other writer uses.
    pub(super) fn in_folder(folder: PathBuf) -> Result<Self, MetricError> {
        let mut sink = Self { folder, writer: None };
        let folder = sink.folder.clone();
        sink.writer = Some(sink.fenced(|| SummaryWriter::new(folder))?);
        Ok(sink)
    }

    /// Where its event file is.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn fenced<T>(&self, call: impl FnOnce() -> T) -> Result<T, MetricError> {
        catch_unwind(AssertUnwindSafe(call)).map_err(|panic| MetricError::TensorBoard {
            path: self.folder.clone(),
            reason: panic_text(panic.as_ref()),
        })
    }

    /// Calls the writer, if it still works, and lets it go if it panics.
    fn with_writer(&mut self, call: impl FnOnce(&mut SummaryWriter)) -> Result<(), MetricError> {
        let Some(mut writer) = self.writer.take() else { return Ok(()) };
        let result = self.fenced(|| call(&mut writer));
        match result {
            Ok(()) => self.writer = Some(writer),
            // Its drop panics too.
            Err(_) => drop(catch_unwind(AssertUnwindSafe(|| drop(writer)))),
        }
        result
    }
}

fn fresh_folder(parent: &Path) -> Result<PathBuf, FileError> {
    for start in 1u32.. {
        let folder = parent.join(format!("start-{start:04}"));
        match fs::create_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => {
                made.map_err(FileError::at(FileAction::Create, &folder))?;
                return Ok(folder);
            }
        }
    }
    unreachable!("fewer than 2^32 starts")
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic").into()
}

impl MetricSink for TensorBoard {
    fn scalar(&mut self, name: &MetricName, step: Step, value: f64) -> Result<(), MetricError> {
        let value = value as f32;
        if !value.is_finite() {
            return Ok(());
        }
        let step = usize::try_from(step.0).unwrap_or(usize::MAX);
        self.with_writer(|writer| writer.add_scalar(name.as_str(), value, step))
    }

    /// Texts are for `metrics.jsonl`; this library has none.
    fn text(&mut self, _: &MetricName, _: Step, _: &str) -> Result<(), MetricError> {
        Ok(())
    }

    fn flush(&mut self) -> Result<(), MetricError> {
        self.with_writer(SummaryWriter::flush)
    }
}

impl Drop for TensorBoard {
    fn drop(&mut self) {
        let writer = self.writer.take();
        // Joins the writing thread, and panics if that did.
        drop(catch_unwind(AssertUnwindSafe(|| drop(writer))));
    }
}
