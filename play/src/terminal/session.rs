//! One game between a person at a terminal and a player.

use std::io::{self, BufRead, Read, Write};
use std::path::Path;

use gryphon_env::{
    Action, ActionKind, Color, DrawReason, Game, Outcome, Position, RunSeed, Stream, WinReason,
};
use rand_chacha::ChaCha8Rng;

use super::board::{BoardStyle, draw_board};
use super::command::{Command, HELP};
use super::save::save_new;
use crate::{PgnTags, Player, PlayerError, pgn, roll_die};

/// The most bytes of a line that are looked at; the rest of it is dropped.
const LONGEST_LINE: u64 = 4096;
/// The most characters of a person's own text that are shown again.
const ECHO: usize = 40;

/// What is played and how it is shown.
#[derive(Clone, Debug)]
pub struct TerminalGame {
    /// Where the game begins.
    pub start: Position,
    /// The person's side.
    pub person: Color,
    /// How the board is drawn.
    pub style: BoardStyle,
    /// Gives the player's and the die's choices again.
    pub seed: RunSeed,
}

/// Why playing stopped before the person wanted.
#[derive(Debug, thiserror::Error)]
pub enum TerminalError {
    /// Input or output failed.
    #[error("terminal: {0}")]
    Io(#[from] io::Error),
    /// The player cannot go on.
    #[error(transparent)]
    Player(#[from] PlayerError),
}

/// Plays a game of a person, who reads `output` and writes `input`, against `opponent`. Ends when
/// the person quits or `input` ends.
///
/// # Errors
/// If reading or writing fails, or the player cannot go on.
pub fn play_in_terminal(
    setup: &TerminalGame,
    opponent: &mut dyn Player,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> Result<(), TerminalError> {
    let stream = |contestant| setup.seed.stream(Stream::Arena { game: 0, contestant });
    let mut session = Session {
        setup,
        opponent,
        output,
        game: Game::new(setup.start.clone()),
        makers: Vec::new(),
        view: setup.person,
        opponent_rng: stream(1),
        hint_rng: stream(0),
        die: stream(2),
    };
    session.greet()?;
    session.proceed()?;
    while let Some(line) = session.ask(input)? {
        if !session.obey(&line)? {
            return Ok(());
        }
    }
    writeln!(session.output, "\nInput ended; goodbye.")?;
    Ok(())
}

/// Who made an action.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
enum Maker {
    Person,
    Opponent,
    Die,
}

struct Session<'a, W> {
    setup: &'a TerminalGame,
    opponent: &'a mut dyn Player,
    output: &'a mut W,
    game: Game,
    /// Who made each of the game's actions.
    makers: Vec<Maker>,
    view: Color,
    opponent_rng: ChaCha8Rng,
    hint_rng: ChaCha8Rng,
    die: ChaCha8Rng,
}

impl<W: Write> Session<'_, W> {
    fn greet(&mut self) -> io::Result<()> {
        let variant = self.game.position().variant().name();
        let (person, opponent) = (self.setup.person, self.opponent.name());
        writeln!(self.output, "You play {person} in {variant} against {opponent}.")?;
        writeln!(self.output, "Type an action, or `help`.\n")
    }

    /// Lets the die and the opponent act until the person is asked or the game is over, then shows
    /// the board.
    fn proceed(&mut self) -> Result<(), TerminalError> {
        while self.game.outcome().is_none() {
            let position = self.game.position();
            if let Some(roll) = roll_die(position, &mut self.die) {
                let text = self.text(roll);
                writeln!(self.output, "The die shows {}.", text.trim_start_matches("roll:"))?;
                self.play(roll, Maker::Die);
            } else if position.side_to_move() == self.setup.person {
                break;
            } else {
                self.answer()?;
            }
        }
        self.show()?;
        Ok(())
    }

    fn answer(&mut self) -> Result<(), TerminalError> {
        let rngs = std::slice::from_mut(&mut self.opponent_rng);
        let chosen = self.opponent.choose(&[&self.game], rngs)?;
        let action = self.checked(&chosen)?;
        let text = self.text(action);
        writeln!(self.output, "{} plays {text}.", self.opponent.name())?;
        self.play(action, Maker::Opponent);
        Ok(())
    }

    /// The one action of `chosen`, if it is legal.
    fn checked(&self, chosen: &[Action]) -> Result<Action, PlayerError> {
        let legal = self.legal();
        match chosen {
            &[action] if legal.contains(&action) => Ok(action),
            _ => {
                let reason = format!("no legal choice in `{}`", self.game.position().fen());
                Err(PlayerError { player: self.opponent.name(), reason })
            }
        }
    }

    fn play(&mut self, action: Action, maker: Maker) {
        self.game.play(action);
        self.makers.push(maker);
    }

    fn show(&mut self) -> io::Result<()> {
        let board = draw_board(&self.game, self.view, self.setup.style);
        write!(self.output, "\n{board}")?;
        if let Some(outcome) = self.game.outcome() {
            let sentence = outcome_sentence(outcome, self.setup.person);
            writeln!(self.output, "{sentence} Type `undo`, `save FILE` or `quit`.")?;
            return Ok(());
        }
        let position = self.game.position();
        let check = if position.is_check() { ", in check" } else { "" };
        let turn = position.fullmove_number();
        writeln!(self.output, "Turn {turn}, {} to move{check}.", position.side_to_move())?;
        if self.legal().contains(&Action::END) {
            writeln!(self.output, "Your turn goes on until you type `end`.")?;
        }
        Ok(())
    }

    /// The next line; `None` when the input has ended.
    fn ask(&mut self, input: &mut impl BufRead) -> io::Result<Option<String>> {
        write!(self.output, "> ")?;
        self.output.flush()?;
        let mut line = Vec::new();
        input.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
            input.skip_until(b'\n')?;
        }
        Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned()))
    }

    /// Does what `line` says; `false` to leave.
    fn obey(&mut self, line: &str) -> Result<bool, TerminalError> {
        match Command::parse(line) {
            Command::Nothing => {}
            Command::Quit => {
                writeln!(self.output, "Goodbye.")?;
                return Ok(false);
            }
            Command::Help => write!(self.output, "{HELP}")?,
            Command::Board => self.show()?,
            Command::Flip => {
                self.view = self.view.opponent();
                self.show()?;
            }
            Command::Fen => writeln!(self.output, "{}", self.game.position().fen())?,
            Command::Moves(square) => self.list(square.as_deref())?,
            Command::Hint => self.hint()?,
            Command::Undo => self.undo()?,
            Command::Save(file) => self.save(&file)?,
            Command::Action(text) => self.act(&text)?,
        }
        Ok(true)
    }

    fn list(&mut self, square: Option<&str>) -> io::Result<()> {
        let size = self.game.position().variant().size();
        let Some(name) = square else {
            let texts = self.texts(&self.legal());
            return match texts.len() {
                0 => writeln!(self.output, "The game is over: no action is left."),
                n => writeln!(self.output, "{n} actions: {}", texts.join(" ")),
            };
        };
        let Some(square) = size.parse_square(name) else {
            let last = size.square_name(size.squares().last().expect("a board has squares"));
            return writeln!(self.output, "`{}` is no square (a1 to {last}).", echo(name));
        };
        let mut from = self.legal();
        from.retain(|action| match action.kind() {
            ActionKind::Move { from, .. } => from == square,
            ActionKind::Swap { first, second } => first == square || second == square,
            ActionKind::End | ActionKind::Roll(_) => false,
        });
        match from.is_empty() {
            true => writeln!(self.output, "No legal action from {name}."),
            false => {
                let texts = self.texts(&from).join(" ");
                writeln!(self.output, "From {name}: {texts}")
            }
        }
    }

    fn hint(&mut self) -> Result<(), TerminalError> {
        if self.game.outcome().is_some() {
            writeln!(self.output, "The game is over: nothing to advise.")?;
            return Ok(());
        }
        let rngs = std::slice::from_mut(&mut self.hint_rng);
        let chosen = self.opponent.choose(&[&self.game], rngs)?;
        let text = self.text(self.checked(&chosen)?);
        writeln!(self.output, "{} would play {text}.", self.opponent.name())?;
        Ok(())
    }

    /// Takes back the person's last action and everything after it.
    fn undo(&mut self) -> io::Result<()> {
        let Some(keep) = self.makers.iter().rposition(|&maker| maker == Maker::Person) else {
            return writeln!(self.output, "Nothing to take back.");
        };
        let actions = self.game.actions()[..keep].to_vec();
        self.game = Game::new(self.setup.start.clone());
        for action in actions {
            self.game.play(action);
        }
        self.makers.truncate(keep);
        self.show()
    }

    fn save(&mut self, file: &str) -> io::Result<()> {
        if file.is_empty() {
            return writeln!(self.output, "`save` needs a file name, as in `save game.pgn`.");
        }
        match save_new(Path::new(file), &self.pgn()) {
            Ok(()) => writeln!(self.output, "Saved to {file}."),
            Err(error) => writeln!(self.output, "Not saved: {error}."),
        }
    }

    fn pgn(&self) -> String {
        let outcome = self.game.outcome();
        let name = |color| match color == self.setup.person {
            true => "person".to_owned(),
            false => self.opponent.name(),
        };
        let tags = PgnTags {
            event: "Gryphon terminal game".to_owned(),
            round: "-".to_owned(),
            white: name(Color::White),
            black: name(Color::Black),
            outcome,
            termination: if outcome.is_some() { "normal" } else { "unterminated" }.to_owned(),
            comment: outcome.map_or(String::new(), |outcome| outcome.to_string()),
            opening_plies: 0,
        };
        pgn(&tags, &self.game)
    }

    fn act(&mut self, text: &str) -> Result<(), TerminalError> {
        let action = self.legal().into_iter().find(|&action| self.text(action) == text);
        if let Some(action) = action {
            self.play(action, Maker::Person);
            return self.proceed();
        }
        let complaint = self.complaint(text);
        writeln!(self.output, "{complaint}")?;
        Ok(())
    }

    /// Why `text` is no action here, and what would be.
    fn complaint(&self, text: &str) -> String {
        let shown = echo(text);
        let legal = self.legal();
        if legal.is_empty() {
            return format!("`{shown}`: the game is over; type `undo`, `save FILE` or `quit`.");
        }
        if text == "end" {
            return "There is no turn to end here: move first.".to_owned();
        }
        let longer: Vec<Action> =
            legal.into_iter().filter(|&action| self.text(action).starts_with(text)).collect();
        if !longer.is_empty() {
            return format!("`{shown}` is not complete: {}.", self.texts(&longer).join(" "));
        }
        let position = self.game.position();
        let size = position.variant().size();
        let from = (2..=3).rev().find_map(|length| size.parse_square(text.get(..length)?));
        let Some(from) = from else {
            return format!(
                "`{shown}` is neither an action nor a command; type `help` or `moves`."
            );
        };
        let name = size.square_name(from);
        match position.piece_at(from) {
            None => format!("`{shown}` is not legal: {name} is empty."),
            Some(piece) if piece.color != position.side_to_move() => {
                format!("`{shown}` is not legal: the unit on {name} is not yours.")
            }
            Some(piece) => {
                let kind = position.variant().kind_name(piece.kind);
                format!("`{shown}` is not legal for the {kind} on {name}; type `moves {name}`.")
            }
        }
    }

    fn legal(&self) -> Vec<Action> {
        let mut legal = Vec::new();
        if self.game.outcome().is_none() {
            self.game.position().legal_actions(&mut legal);
        }
        legal
    }

    fn text(&self, action: Action) -> String {
        self.game.position().variant().action_text(action)
    }

    fn texts(&self, actions: &[Action]) -> Vec<String> {
        let mut texts: Vec<String> = actions.iter().map(|&action| self.text(action)).collect();
        texts.sort_unstable();
        texts
    }
}

/// A person's text, shortened and without what could disturb the terminal.
fn echo(text: &str) -> String {
    let clean = text.chars().map(|c| if c.is_control() { '·' } else { c });
    let mut shown: String = clean.take(ECHO).collect();
    if text.chars().nth(ECHO).is_some() {
        shown.push('…');
    }
    shown
}

fn outcome_sentence(outcome: Outcome, person: Color) -> String {
    match outcome {
        Outcome::Decisive { winner, reason } => {
            let who = if winner == person { "You win" } else { "You lose" };
            let why = match reason {
                WinReason::Checkmate => "checkmate",
                WinReason::Stalemate => "stalemate",
                WinReason::BareKing => "bare king",
            };
            format!("{who} by {why}.")
        }
        Outcome::Draw { reason } => {
            let why = match reason {
                DrawReason::Stalemate => "stalemate",
                DrawReason::Repetition => "repetition",
                DrawReason::Clock => "the halfmove clock",
                DrawReason::OnlyKings => "only kings are left",
                DrawReason::InsufficientMaterial => "insufficient material",
            };
            format!("Draw: {why}.")
        }
    }
}
