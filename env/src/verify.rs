//! Checking a variant against golden positions from elsewhere.

mod read;

use std::collections::BTreeMap;
use std::fmt;

pub use self::read::GoldenError;
use crate::{Action, ActionKind, DrawReason, Excerpt, Outcome, Position, Variant};

/// A position and what another program, or a person, says about it: one line of a file of golden
/// positions, as JSON.
#[derive(Clone, Debug)]
pub struct Golden {
    /// The position.
    pub fen: String,
    /// Texts of all legal actions, in any order.
    pub actions: Vec<String>,
    /// Whether the side to move is in check.
    pub check: bool,
    /// The result by mate, stalemate or bare king, as in `white:checkmate`. Draws by rule are not
    /// shown.
    pub outcome: Option<String>,
    /// Numbers of action sequences of length 1, 2, ….
    pub perft: Vec<u64>,
    /// FENs after some of the actions.
    pub after: BTreeMap<String, String>,
}

/// What a variant's rules say otherwise than a [`Golden`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Difference {
    /// The FEN is refused.
    Fen {
        /// Why.
        reason: String,
    },
    /// The FEN is written otherwise than it was read.
    RoundTrip {
        /// What is written.
        found: String,
    },
    /// Check is seen where there is none, or the other way round.
    Check {
        /// What the rules say.
        found: bool,
    },
    /// Another result.
    Outcome {
        /// What the rules say.
        found: Option<String>,
        /// What the line says.
        expected: Option<String>,
    },
    /// Other legal actions.
    Actions {
        /// Actions that the line has and the rules do not.
        missing: Vec<String>,
        /// Actions that the rules have and the line does not.
        extra: Vec<String>,
    },
    /// Another number of sequences.
    Perft {
        /// Length of the sequences.
        depth: u32,
        /// What the rules say.
        found: u64,
        /// What the line says.
        expected: u64,
    },
    /// A position after something that is no legal action.
    AfterIllegal {
        /// What the line calls an action.
        action: String,
    },
    /// Another position after an action.
    After {
        /// The action.
        action: String,
        /// What the rules say.
        found: String,
        /// What the line says.
        expected: String,
    },
}

/// How far counts of sequences are compared: not beyond the first larger one.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct MaxLeaves(pub u64);

impl Golden {
    /// Everything that `variant` sees otherwise.
    #[must_use]
    pub fn differences(&self, variant: &'static Variant, max_leaves: MaxLeaves) -> Vec<Difference> {
        let position = match Position::from_fen(variant, &self.fen) {
            Ok(position) => position,
            Err(error) => return vec![Difference::Fen { reason: error.to_string() }],
        };
        let mut differences = Vec::new();
        let found = position.fen();
        if found != self.fen {
            differences.push(Difference::RoundTrip { found });
        }
        let found = position.is_check();
        if found != self.check {
            differences.push(Difference::Check { found });
        }
        let found = shown(position.outcome()).map(|outcome| outcome.to_string());
        if found != self.outcome {
            differences.push(Difference::Outcome { found, expected: self.outcome.clone() });
        }
        self.compare_actions(&position, &mut differences);
        let small = self.perft.iter().take_while(|leaves| **leaves <= max_leaves.0);
        for (depth, &expected) in (1..).zip(small) {
            let found = position.perft(depth);
            if found != expected {
                differences.push(Difference::Perft { depth, found, expected });
                break;
            }
        }
        differences
    }

    fn compare_actions(&self, position: &Position, differences: &mut Vec<Difference>) {
        let variant = position.variant();
        let mut actions = Vec::new();
        position.legal_actions(&mut actions);
        let texts: Vec<String> =
            actions.iter().map(|&action| variant.action_text(action)).collect();
        let lacks = |list: &[String], text: &String| !list.contains(text);
        let mut missing = self.actions.clone();
        missing.retain(|text| lacks(&texts, text));
        let mut extra = texts;
        extra.retain(|text| lacks(&self.actions, text));
        if !missing.is_empty() || !extra.is_empty() {
            missing.sort_unstable();
            extra.sort_unstable();
            differences.push(Difference::Actions { missing, extra });
        }
        for (text, expected) in &self.after {
            // A bared king may be shown with moves that the end of the game forbids.
            let action =
                actions.iter().copied().find(|&action| variant.action_text(action) == *text);
            let Some(action) = action.or_else(|| some_move(position, text)) else {
                // One that the line lists as well is missing, which was said.
                if lacks(&self.actions, text) {
                    differences.push(Difference::AfterIllegal { action: text.clone() });
                }
                continue;
            };
            let mut next = position.clone();
            next.play(action);
            let found = next.fen();
            if found != *expected {
                let (action, expected) = (text.clone(), expected.clone());
                differences.push(Difference::After { action, found, expected });
            }
        }
    }
}

/// The move called `text`, if the game is over and a unit of the side to move stands there.
fn some_move(position: &Position, text: &str) -> Option<Action> {
    shown(position.outcome())?;
    let size = position.variant().size();
    let (from, to) = (1..text.len()).find_map(|at| {
        let (from, to) = text.split_at_checked(at)?;
        Some((size.parse_square(from)?, size.parse_square(to)?))
    })?;
    let piece = position.piece_at(from)?;
    let action = Action::new_move(from, to);
    let is_move = matches!(action.kind(), ActionKind::Move { .. });
    (is_move && piece.color == position.side_to_move()).then_some(action)
}

/// An outcome as golden positions show it.
fn shown(outcome: Option<Outcome>) -> Option<Outcome> {
    outcome.filter(|outcome| match outcome {
        Outcome::Decisive { .. } | Outcome::Draw { reason: DrawReason::Stalemate } => true,
        Outcome::Draw {
            reason:
                DrawReason::Clock
                | DrawReason::OnlyKings
                | DrawReason::InsufficientMaterial
                | DrawReason::Repetition,
        } => false,
    })
}

/// A line that the rules do not agree with.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The line's number, from 1.
    pub line: usize,
    /// The position and its drawn board, if it could be read.
    pub board: Option<String>,
    /// What differs, at least one thing.
    pub differences: Vec<Difference>,
}

/// The result of comparing a file of golden positions.
#[derive(Clone, Debug)]
pub struct VerifyReport {
    /// Lines compared, at least one.
    pub n_lines: usize,
    /// Lines that differ, in order.
    pub failures: Vec<Failure>,
}

impl VerifyReport {
    /// Whether every line agrees.
    #[must_use]
    pub const fn is_success(&self) -> bool {
        self.failures.is_empty()
    }
}

/// Why a file of golden positions cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum GoldenFileError {
    /// Nothing to compare.
    #[error("`{file}` holds no golden positions, expected one JSON object a line")]
    Empty {
        /// Path or name of the file.
        file: String,
    },
    /// A line that is no golden position.
    #[error("`{file}`, line {line}: {source}")]
    Line {
        /// Path or name of the file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        source: GoldenError,
    },
}

/// Compares `variant` with every line of `text`, empty lines left out; `file` (a path or name) is
/// for messages.
///
/// # Errors
/// If a line is no golden position, or there is none: then nothing is compared.
pub fn verify(
    variant: &'static Variant,
    file: &str,
    text: &str,
    max_leaves: MaxLeaves,
) -> Result<VerifyReport, GoldenFileError> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let read = |(line, text)| match Golden::parse(text) {
        Ok(golden) => Ok((line, golden)),
        Err(source) => Err(GoldenFileError::Line { file: file.into(), line, source }),
    };
    let positions: Vec<(usize, Golden)> = lines.map(read).collect::<Result<_, _>>()?;
    if positions.is_empty() {
        return Err(GoldenFileError::Empty { file: file.into() });
    }
    let mut report = VerifyReport { n_lines: positions.len(), failures: Vec::new() };
    for (line, golden) in positions {
        let differences = golden.differences(variant, max_leaves);
        if !differences.is_empty() {
            let position = Position::from_fen(variant, &golden.fen).ok();
            let board =
                position.map(|position| format!("{}\n{}", position.fen(), position.board_text()));
            report.failures.push(Failure { line, board, differences });
        }
    }
    Ok(report)
}

/// Most failures that a report prints.
const MAX_PRINTED: usize = 3;

/// The longest FEN that is shown whole, in bytes.
const MAX_FEN: usize = 400;

/// Most actions that a difference lists.
const MAX_LISTED: usize = 40;

impl fmt::Display for VerifyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for failure in self.failures.iter().take(MAX_PRINTED) {
            writeln!(f, "line {}:", failure.line)?;
            if let Some(board) = &failure.board {
                writeln!(f, "{board}")?;
            }
            for difference in &failure.differences {
                writeln!(f, "  {difference}")?;
            }
        }
        let (n_failures, n_lines) = (self.failures.len(), self.n_lines);
        if n_failures > MAX_PRINTED {
            writeln!(f, "… and {} more lines that differ", n_failures - MAX_PRINTED)?;
        }
        match n_failures {
            0 => write!(f, "{n_lines} positions agree"),
            _ => write!(f, "{n_failures} of {n_lines} positions differ"),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_none = |outcome: &Option<String>| {
            outcome.as_ref().map_or_else(|| "none".into(), |text| Excerpt(text).to_string())
        };
        match self {
            Self::Fen { reason } => write!(f, "{reason}"),
            Self::RoundTrip { found } => write!(f, "FEN is written as `{found}`"),
            Self::Check { found: true } => write!(f, "check found, none expected"),
            Self::Check { found: false } => write!(f, "no check found, check expected"),
            Self::Outcome { found, expected } => {
                write!(f, "outcome: found {}, expected {}", or_none(found), or_none(expected))
            }
            Self::Actions { missing, extra } => {
                let list = |texts: &[String]| {
                    let shown = texts.iter().take(MAX_LISTED).map(|text| Excerpt(text).to_string());
                    match texts.len() {
                        0 => "none".to_owned(),
                        n if n > MAX_LISTED => {
                            let shown: Vec<String> = shown.collect();
                            format!("{} and {} more", shown.join(" "), n - MAX_LISTED)
                        }
                        _ => shown.collect::<Vec<String>>().join(" "),
                    }
                };
                write!(f, "legal actions: missing {}; too many {}", list(missing), list(extra))
            }
            Self::Perft { depth, found, expected } => {
                write!(f, "perft {depth}: found {found}, expected {expected}")
            }
            Self::AfterIllegal { action } => {
                write!(f, "after {}: not a legal action here", Excerpt(action))
            }
            Self::After { action, found, expected } => {
                write!(f, "after {action}: found `{found}`, expected ")?;
                // A whole FEN is needed to see what differs, but nothing longer.
                if expected.len() <= MAX_FEN {
                    write!(f, "`{expected}`")
                } else {
                    write!(f, "`{}`", Excerpt(expected))
                }
            }
        }
    }
}
