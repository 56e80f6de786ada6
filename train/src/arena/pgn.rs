//! Games of a match as PGN, for viewing and for rating programs.

use std::fmt::Write as _;

use gryphon_env::{ActionKind, Color, Game};

use super::game::{ArenaGame, Contestant, End};
use super::report::{MatchSummary, end_text};

/// Longest line of the move text, in characters.
const LINE: usize = 80;

/// `game` of the match `summary` as one PGN game. Actions are in the variant's own text form; rolls
/// are comments. A turn of several actions is numbered once.
#[must_use]
pub fn pgn(summary: &MatchSummary, game: &ArenaGame) -> String {
    let result = match game.end.winner() {
        Some(Color::White) => "1-0",
        Some(Color::Black) => "0-1",
        None => "1/2-1/2",
    };
    let player = |color| match game.number.contestant(color) {
        Contestant::First => summary.first.as_str(),
        Contestant::Second => summary.second.as_str(),
    };
    let round = format!("{}.{}", game.number.pair() + 1, game.number.0 % 2 + 1);
    let start = game.game.start().fen();
    let termination = match game.end {
        End::Rules(_) => "normal",
        End::PlyCap => "adjudication",
    };
    let n_plies = game.actions().len().to_string();
    let tags = [
        ("Event", "Gryphon arena"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", round.as_str()),
        ("White", player(Color::White)),
        ("Black", player(Color::Black)),
        ("Result", result),
        ("Variant", summary.variant.as_str()),
        ("SetUp", "1"),
        ("FEN", start.as_str()),
        ("PlyCount", n_plies.as_str()),
        ("Termination", termination),
    ];
    let mut text = String::new();
    for (tag, value) in tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(text, "[{tag} \"{value}\"]").expect("writing to a string cannot fail");
    }
    text.push('\n');
    let mut words = words(game);
    words.push(format!("{{{}}}", end_text(game.end)));
    words.push(result.to_owned());
    text.push_str(&wrapped(&words));
    text.push('\n');
    text
}

/// Move numbers, actions, and the mark where the random opening ends.
fn words(game: &ArenaGame) -> Vec<String> {
    let mut replay = Game::new(game.game.start().clone());
    let variant = replay.position().variant();
    let mut words = Vec::new();
    let mut turn = None;
    for (idx, &action) in game.actions().iter().enumerate() {
        let position = replay.position();
        let now = (position.fullmove_number(), position.side_to_move());
        if turn != Some(now) {
            match now.1 {
                Color::White => words.push(format!("{}.", now.0)),
                Color::Black if turn.is_none() => words.push(format!("{}...", now.0)),
                Color::Black => {}
            }
            turn = Some(now);
        }
        let text = variant.action_text(action);
        words.push(match action.kind() {
            ActionKind::Roll(_) => format!("{{{text}}}"),
            _ => text,
        });
        replay.play(action);
        if idx + 1 == game.opening_plies {
            words.push("{opening ends}".to_owned());
        }
    }
    words
}

/// `words` in lines of at most [`LINE`] characters, each with its line break.
fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut used = 0;
    for word in words {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > LINE {
            text.push('\n');
            used = 0;
        }
        if used > 0 {
            text.push(' ');
            used += 1;
        }
        text.push_str(word);
        used += length;
    }
    text.push('\n');
    text
}
