//! Positions and actions as text for people.

use std::fmt::Write as _;

use super::fen::letter;
use super::state::State;
use crate::variant::Rules;
use crate::{Action, File, Rank, Variant};

/// Most actions an error message lists.
const MAX_LISTED: usize = 20;

/// The board, rank 1 at the bottom.
pub(super) fn board<const N: usize, const K: usize>(
    rules: &Rules<N, K>,
    state: &State<N, K>,
) -> String {
    let size = rules.size;
    let mut text = String::new();
    for rank in (0..size.ranks()).rev() {
        let _ = write!(text, "{:>2}", rank + 1);
        for file in 0..size.files() {
            let unit =
                size.square(File(file), Rank(rank)).and_then(|square| state.piece_at(square));
            let _ =
                write!(text, " {}", unit.map_or('.', |(kind, color)| letter(rules, kind, color)));
        }
        text.push('\n');
    }
    text.push_str("  ");
    for file in 0..size.files() {
        let _ = write!(text, " {}", File(file));
    }
    text.push('\n');
    text
}

/// The texts of some actions, sorted, the first few of them.
pub(super) fn shortened(variant: &Variant, actions: &[Action]) -> String {
    let mut texts: Vec<String> =
        actions.iter().map(|&action| variant.action_text(action)).collect();
    if texts.is_empty() {
        return "none".into();
    }
    texts.sort_unstable();
    let n_left_out = texts.len().saturating_sub(MAX_LISTED);
    texts.truncate(MAX_LISTED);
    let rest = if n_left_out == 0 { String::new() } else { format!(" and {n_left_out} more") };
    texts.join(" ") + &rest
}
