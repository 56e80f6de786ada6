//! What a person can type.

/// The text of `help`.
pub(super) const HELP: &str = "\
Type an action, or one of these:
  moves [SQUARE]  list the legal actions, or those of one square
  hint            what the opponent would play in your place
  undo            take back your last action and what followed
  flip            turn the board around
  board           draw the board again
  fen             print the position as FEN
  save FILE       write the game to a new PGN file
  help            this list
  quit            leave
Actions are two squares as in `e2e4`; a letter behind them names a promotion
(`a11a12r`), and `end` ends a turn of several actions.
";

/// A line, understood. Everything that is no command may be an action.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Command {
    /// An empty line.
    Nothing,
    /// `moves`, with the square if one is named.
    Moves(Option<String>),
    Hint,
    Undo,
    Flip,
    Board,
    Fen,
    /// `save` with the file's name; empty if it is missing.
    Save(String),
    Help,
    Quit,
    /// Anything else, lower case.
    Action(String),
}

impl Command {
    pub(super) fn parse(line: &str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (word.to_lowercase().as_str(), rest) {
            ("", _) => Self::Nothing,
            ("moves", "") => Self::Moves(None),
            ("moves", square) => Self::Moves(Some(square.to_lowercase())),
            ("save", file) => Self::Save(file.to_owned()),
            ("hint", "") => Self::Hint,
            ("undo", "") => Self::Undo,
            ("flip", "") => Self::Flip,
            ("board", "") => Self::Board,
            ("fen", "") => Self::Fen,
            ("help" | "?", "") => Self::Help,
            ("quit" | "exit" | "q", "") => Self::Quit,
            _ => Self::Action(line.to_lowercase()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_commands() {
        let action = |text: &str| Command::Action(text.to_owned());
        let cases = [
            ("  \t ", Command::Nothing),
            ("moves", Command::Moves(None)),
            ("MOVES E2", Command::Moves(Some("e2".to_owned()))),
            ("save  My Game.pgn ", Command::Save("My Game.pgn".to_owned())),
            ("save", Command::Save(String::new())),
            ("?", Command::Help),
            ("Quit", Command::Quit),
            ("E2E4", action("e2e4")),
            ("quit now", action("quit now")),
        ];
        for (line, expected) in cases {
            assert_eq!(Command::parse(line), expected, "{line:?}");
        }
    }
}
