//! Exit codes: 0 done, 1 done with a negative result, 2 wrong usage or input, 3 wrong surroundings.

use std::error::Error;
use std::io::{self, Write as _};
use std::process::ExitCode;

use gryphon_net::NetError;

use crate::run_folder::RunFolderError;
use crate::training::TrainingError;

/// The code of a process that an interrupt ended.
const INTERRUPTED: u8 = 130;

/// How a command that ran to its end went.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum ExitStatus {
    /// Done (code 0).
    Done,
    /// Done, and the answer is no: a score below the one asked for, a check that failed (code 1).
    Negative,
    /// Stopped by a signal before there was an answer (code 130).
    Interrupted,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        match status {
            ExitStatus::Done => Self::SUCCESS,
            ExitStatus::Negative => Self::from(1),
            ExitStatus::Interrupted => Self::from(INTERRUPTED),
        }
    }
}

/// Prints `error` and its causes on standard error and gives the exit code. A reader that closed
/// the pipe is no error.
#[must_use]
pub fn report_error(error: &anyhow::Error) -> ExitCode {
    let kinds = || error.chain().filter_map(io_kind);
    if kinds().any(|kind| kind == io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    let mut causes = error.chain().map(ToString::to_string);
    let mut message = causes.next().unwrap_or_default();
    for cause in causes.filter(|cause| !cause.is_empty()) {
        // `thiserror` messages often end in their source's own words already.
        if !message.contains(&cause) {
            message = format!("{message}: {cause}");
        }
    }
    // There is nobody left to tell if this fails.
    let _ = writeln!(io::stderr(), "error: {message}");
    if kinds().any(is_surroundings) || error.chain().any(is_missing) {
        ExitCode::from(3)
    } else {
        ExitCode::from(2)
    }
}

/// What the system said, if that is the cause.
fn io_kind(cause: &(dyn Error + 'static)) -> Option<io::ErrorKind> {
    let plain = cause.downcast_ref::<io::Error>().map(io::Error::kind);
    plain.or_else(|| cause.downcast_ref::<serde_json::Error>()?.io_error_kind())
}

/// Errors that another command line would not mend.
const fn is_surroundings(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{
        OutOfMemory, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
    };
    matches!(
        kind,
        OutOfMemory | PermissionDenied | QuotaExceeded | ReadOnlyFilesystem | StorageFull
    )
}

/// A run that another process holds, a device that is not there.
fn is_missing(cause: &(dyn Error + 'static)) -> bool {
    let is_held = |error: &RunFolderError| matches!(error, RunFolderError::Locked { .. });
    let is_absent =
        |error: &NetError| matches!(error, NetError::Device { .. } | NetError::NoOpenVino { .. });
    cause.downcast_ref().is_some_and(is_held)
        || cause.downcast_ref().is_some_and(is_absent)
        || match cause.downcast_ref::<TrainingError>() {
            Some(TrainingError::Folder(error)) => is_held(error),
            Some(TrainingError::Net(error)) => is_absent(error),
            _ => false,
        }
}

/// Ends the process at once, with the code of one that was interrupted.
#[expect(clippy::exit, reason = "a second interrupt asks for just that")]
pub(super) fn abort() -> ! {
    std::process::exit(INTERRUPTED.into())
}
