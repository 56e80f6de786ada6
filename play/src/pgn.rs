//! Games as PGN, for viewing and for rating programs.

use std::fmt::Write as _;

use gryphon_env::{ActionKind, Color, Game, Outcome};

/// Longest line of the move text, in characters.
const LINE: usize = 80;

/// What a PGN game says beside its moves. Values may hold any text; it is escaped.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PgnTags {
    /// What the game was played for.
    pub event: String,
    /// Number of the round: `3.1`, or `-`.
    pub round: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// How the game ended; `None` if it was not played to its end.
    pub outcome: Option<Outcome>,
    /// The value of `Termination`: `normal`, `adjudication`, `unterminated`.
    pub termination: String,
    /// Why the game ended, as the comment behind the last move; empty for none.
    pub comment: String,
    /// Plies of a random opening, after which a comment stands; 0 for none.
    pub opening_plies: usize,
}

/// `game` in PGN. Actions are in the variant's own text form; rolls are comments. A turn of several
/// actions is numbered once.
#[must_use]
pub fn pgn(tags: &PgnTags, game: &Game) -> String {
    let result = match (tags.outcome, tags.outcome.and_then(|outcome| outcome.winner())) {
        (None, _) if tags.termination == "adjudication" => "1/2-1/2",
        (None, _) => "*",
        (_, Some(Color::White)) => "1-0",
        (_, Some(Color::Black)) => "0-1",
        (_, None) => "1/2-1/2",
    };
    let start = game.start().fen();
    let n_plies = game.actions().len().to_string();
    let pairs = [
        ("Event", tags.event.as_str()),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", tags.round.as_str()),
        ("White", tags.white.as_str()),
        ("Black", tags.black.as_str()),
        ("Result", result),
        ("Variant", game.position().variant().name()),
        ("SetUp", "1"),
        ("FEN", start.as_str()),
        ("PlyCount", n_plies.as_str()),
        ("Termination", tags.termination.as_str()),
    ];
    let mut text = String::new();
    for (tag, value) in pairs {
        writeln!(text, "[{tag} \"{}\"]", escaped(value)).expect("writing to a string cannot fail");
    }
    text.push('\n');
    let mut words = words(tags, game);
    if !tags.comment.is_empty() {
        words.push(format!("{{{}}}", tags.comment.replace(['{', '}'], "")));
    }
    words.push(result.to_owned());
    text.push_str(&wrapped(&words));
    text
}

fn escaped(value: &str) -> String {
    let one_line = value.replace(char::is_control, " ");
    one_line.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Move numbers, actions, and the mark where the random opening ends.
fn words(tags: &PgnTags, game: &Game) -> Vec<String> {
    let mut replay = Game::new(game.start().clone());
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
        if idx + 1 == tags.opening_plies {
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
