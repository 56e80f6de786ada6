//! Exit codes: 0 done, 1 done with a negative result, 2 wrong usage or input, 3 wrong surroundings.

use std::io;
use std::process::ExitCode;

/// How a command that ran to its end went.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum ExitStatus {
    /// Done (code 0).
    Done,
    /// Done, and the answer is no: a score below the one asked for, a check that failed (code 1).
    Negative,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        match status {
            ExitStatus::Done => Self::SUCCESS,
            ExitStatus::Negative => Self::from(1),
        }
    }
}

/// Marks an error of the surroundings (libtorch, disk, another process), not of the input.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct EnvironmentError(pub(crate) String);

/// Prints `error` and its causes on standard error and gives the exit code. A reader that closed
/// the pipe is no error.
#[must_use]
pub fn report_error(error: &anyhow::Error) -> ExitCode {
    let is_broken_pipe = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    };
    if error.chain().any(is_broken_pipe) {
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
    eprintln!("error: {message}");
    if error.chain().any(|cause| cause.is::<EnvironmentError>()) {
        ExitCode::from(3)
    } else {
        ExitCode::from(2)
    }
}

/// Ends the process at once, with the code of one that was interrupted.
#[expect(clippy::exit, reason = "a second interrupt asks for just that")]
pub(super) fn abort() -> ! {
    std::process::exit(130)
}
