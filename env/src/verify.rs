//! Checking a variant against golden positions from elsewhere.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

use crate::{Action, ActionKind, DrawReason, Outcome, Position, Variant};

/// A position and what another program, or a person, says about it: one line of a file of golden
/// positions, as JSON.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
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
    #[serde(default)]
    pub perft: Vec<u64>,
    /// FENs after some of the actions.
    #[serde(default)]
    pub after: BTreeMap<String, String>,
}

/// What a variant's rules say otherwise than a [`Golden`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Difference {
    /// The line is not a golden position.
    Line {
        /// The parser's reason.
        reason: String,
    },
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

/// How far counts of sequences are compared: larger ones are left out.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct MaxLeaves(pub u64);

impl Golden {
    /// Reads one line.
    ///
    /// # Errors
    /// If the line is not JSON or has other fields than a golden position.
    pub fn parse(line: &str) -> Result<Self, Difference> {
        serde_json::from_str(line).map_err(|error| Difference::Line { reason: error.to_string() })
    }

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
        for (depth, &expected) in (1..).zip(&self.perft) {
            let found = if expected <= max_leaves.0 { position.perft(depth) } else { expected };
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
            let Some(action) = action.or_else(|| some_move(position, text)) else { continue };
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
    /// Lines compared.
    pub n_lines: usize,
    /// Lines that differ, in order.
    pub failures: Vec<Failure>,
}

impl VerifyReport {
    /// Whether every line agrees, and there is one.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.failures.is_empty() && self.n_lines > 0
    }
}

/// Compares `variant` with every line of `text`, empty lines left out.
#[must_use]
pub fn verify(variant: &'static Variant, text: &str, max_leaves: MaxLeaves) -> VerifyReport {
    let mut report = VerifyReport { n_lines: 0, failures: Vec::new() };
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        report.n_lines += 1;
        let (fen, differences) = match Golden::parse(line) {
            Ok(golden) => (Some(golden.fen.clone()), golden.differences(variant, max_leaves)),
            Err(difference) => (None, vec![difference]),
        };
        if !differences.is_empty() {
            let position = fen.and_then(|fen| Position::from_fen(variant, &fen).ok());
            let board =
                position.map(|position| format!("{}\n{}", position.fen(), position.board_text()));
            report.failures.push(Failure { line: index + 1, board, differences });
        }
    }
    report
}

/// Most failures that a report prints.
const MAX_PRINTED: usize = 3;

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
        match (n_lines, n_failures) {
            (0, _) => write!(f, "no positions found"),
            (_, 0) => write!(f, "{n_lines} positions agree"),
            _ => write!(f, "{n_failures} of {n_lines} positions differ"),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_none = |outcome: &Option<String>| outcome.clone().unwrap_or_else(|| "none".into());
        match self {
            Self::Line { reason } => write!(f, "not a golden position: {reason}"),
            Self::Fen { reason } => write!(f, "{reason}"),
            Self::RoundTrip { found } => write!(f, "FEN is written as `{found}`"),
            Self::Check { found: true } => write!(f, "check found, none expected"),
            Self::Check { found: false } => write!(f, "no check found, check expected"),
            Self::Outcome { found, expected } => {
                write!(f, "outcome: found {}, expected {}", or_none(found), or_none(expected))
            }
            Self::Actions { missing, extra } => {
                let list = |texts: &[String]| match texts {
                    [] => "none".to_owned(),
                    texts => texts.join(" "),
                };
                write!(f, "legal actions: missing {}; too many {}", list(missing), list(extra))
            }
            Self::Perft { depth, found, expected } => {
                write!(f, "perft {depth}: found {found}, expected {expected}")
            }
            Self::After { action, found, expected } => {
                write!(f, "after {action}: found `{found}`, expected `{expected}`")
            }
        }
    }
}
