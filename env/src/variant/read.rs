//! From the text of a variant file to its keys, with every wrong key and value collected.

mod keys;

use toml::de::DeTable;

use self::keys::{Keys, Lines, Section};
use super::file::{
    BareKing, CastlingSection, DiceSection, EndingsSection, ExchangeSection, LeapSection,
    PieceSection, PromotionSection, Stalemate, TurnsSection, VariantFile,
};
use super::mistakes::Mistakes;
use crate::{BoardSize, Excerpt};

/// The largest number of plies of a file's own cap.
const MAX_PLIES: u32 = 100_000;
/// The largest clock: longer ones do not fit a FEN.
const MAX_CLOCK: u32 = 65_535;
/// The largest limit of a kind.
const MAX_LIMIT: u32 = 254;
const MAX_SIDE: u32 = BoardSize::MAX_SIDE as u32;

/// Reads a file's keys; `None` if the text is not TOML.
pub(super) fn read(text: &str, mistakes: &mut Mistakes) -> Option<VariantFile> {
    let lines = Lines::new(text);
    match DeTable::parse(text) {
        Ok(table) => {
            let mut reader = Reader { lines, mistakes };
            Some(reader.file(table.get_ref()))
        }
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            let (line, column) = (lines.number(at), lines.column(text, at));
            mistakes.add_syntax(line, column, format!("not TOML: {}", Excerpt(error.message())));
            None
        }
    }
}

struct Reader<'m> {
    lines: Lines,
    mistakes: &'m mut Mistakes,
}

impl Reader<'_> {
    fn keys<'r, 'k>(&'r mut self, table: &'k DeTable<'k>, path: &str) -> Keys<'r, 'k> {
        Keys::new(&self.lines, self.mistakes, table, path)
    }

    fn file(&mut self, table: &DeTable<'_>) -> VariantFile {
        let mut keys = self.keys(table, "");
        let mut file = VariantFile {
            extends: keys.text("extends"),
            without: keys.texts("without"),
            name: keys.text("name"),
            title: keys.text("title"),
            board: keys.text("board"),
            start: keys.text("start"),
            max_plies: keys.number("max_plies", 1..=MAX_PLIES),
            mirror: keys.switch("mirror"),
            king_restriction: keys.switch("king_restriction"),
            ..VariantFile::default()
        };
        let (pieces, promotions) = (keys.sections("piece"), keys.sections("promotion"));
        let [castling, leap, turns, exchange, dice, endings] =
            ["castling", "leap", "turns", "exchange", "dice", "endings"]
                .map(|key| keys.section(key));
        keys.finish();
        for (index, &section) in pieces.iter().enumerate() {
            let piece = self.piece(section, index + 1, &file.piece);
            file.piece.push(piece);
        }
        for (index, &section) in promotions.iter().enumerate() {
            let path = match promotions.len() {
                1 => "promotion".into(),
                _ => format!("promotion[{}]", index + 1),
            };
            file.promotion.push(self.promotion(section, &path));
        }
        file.castling = castling.map(|table| self.castling(table));
        file.leap = leap.map(|table| self.leap(table));
        file.turns = turns.map(|table| self.turns(table));
        file.exchange = exchange.map(|table| self.exchange(table));
        file.dice = dice.map(|table| self.dice(table));
        file.endings = endings.map(|table| self.endings(table));
        file
    }

    fn piece(
        &mut self,
        section: Section<'_>,
        number: usize,
        others: &[PieceSection],
    ) -> PieceSection {
        let numbered = format!("piece[{number}]");
        let letter = self.letter(section, &numbered, others);
        let path = if letter.is_empty() { numbered } else { format!("piece.{letter}") };
        self.mistakes.note_line(&path, section.line);
        let mut keys = self.keys(section.table, &path);
        keys.skip("letter");
        let piece = PieceSection {
            name: keys.text("name"),
            moves: keys.text("moves"),
            royal: keys.switch("royal"),
            pawn: keys.switch("pawn"),
            steps: keys.steps("steps"),
            becomes: keys.text("becomes"),
            limit: keys.number("limit", 1..=MAX_LIMIT).map(|limit| limit as u8),
            letter,
            path: keys.path().into(),
        };
        keys.finish();
        piece
    }

    /// The letter of a piece; empty if it has none of its own.
    fn letter(&mut self, section: Section<'_>, path: &str, others: &[PieceSection]) -> String {
        const EXPECTED: &str = "one letter from A to Z";
        self.mistakes.note_line(path, section.line);
        let mut keys = self.keys(section.table, path);
        let Some(letter) = keys.required("letter", EXPECTED) else { return String::new() };
        let reason = if !matches!(letter.as_bytes(), [b'A'..=b'Z']) {
            format!("found `{}`, expected {EXPECTED}", Excerpt(&letter))
        } else if others.iter().any(|other| other.letter == letter) {
            format!("found `{letter}`, which another piece has, expected a letter of its own")
        } else {
            return letter;
        };
        self.mistakes.add(&format!("{path}.letter"), reason);
        String::new()
    }

    fn promotion(&mut self, section: Section<'_>, path: &str) -> PromotionSection {
        self.mistakes.note_line(path, section.line);
        let mut keys = self.keys(section.table, path);
        let promotion = PromotionSection {
            pieces: keys.required("pieces", "letters of pieces").unwrap_or_default(),
            rank: keys.required_number("rank", 1..=MAX_SIDE) as u8,
            to: keys.text("to"),
            by_file: keys.text("by_file"),
            path: keys.path().into(),
        };
        keys.finish();
        promotion
    }

    fn castling(&mut self, table: &DeTable<'_>) -> CastlingSection {
        let mut keys = self.keys(table, "castling");
        let section = CastlingSection {
            partner: keys.required("partner", "the letter of a piece").unwrap_or_default(),
            steps: keys.numbers("steps", 1..=MAX_SIDE - 1),
        };
        keys.finish();
        section
    }

    fn leap(&mut self, table: &DeTable<'_>) -> LeapSection {
        let mut keys = self.keys(table, "leap");
        let section = LeapSection {
            moves: keys
                .required("moves", "leaps of two squares: `D`, `A`, `N`")
                .unwrap_or_default(),
            captures: keys.switch("captures").unwrap_or(false),
        };
        keys.finish();
        section
    }

    fn turns(&mut self, table: &DeTable<'_>) -> TurnsSection {
        let mut keys = self.keys(table, "turns");
        let section = TurnsSection {
            turns: keys.required_number("turns", 1..=100) as u16,
            units: keys.required_number("units", 2..=16) as u8,
            home_ranks: keys.required_number("home_ranks", 1..=MAX_SIDE) as u8,
        };
        keys.finish();
        section
    }

    fn exchange(&mut self, table: &DeTable<'_>) -> ExchangeSection {
        let mut keys = self.keys(table, "exchange");
        let section = ExchangeSection {
            first: keys.required("first", "the letter of a piece").unwrap_or_default(),
            second: keys.required("second", "the letter of a piece").unwrap_or_default(),
        };
        keys.finish();
        section
    }

    fn dice(&mut self, table: &DeTable<'_>) -> DiceSection {
        let mut keys = self.keys(table, "dice");
        let faces = keys.required("faces", "every piece's letter once").unwrap_or_default();
        keys.finish();
        DiceSection { faces }
    }

    fn endings(&mut self, table: &DeTable<'_>) -> EndingsSection {
        let mut keys = self.keys(table, "endings");
        let section = EndingsSection {
            stalemate: keys
                .choice("stalemate", [("draw", Stalemate::Draw), ("loss", Stalemate::Loss)]),
            bare_king: keys
                .choice("bare_king", [("loss", BareKing::Loss), ("ignored", BareKing::Ignored)]),
            clock: keys.number("clock", 0..=MAX_CLOCK).map(|plies| plies as u16),
            alone_draws: keys.text("alone_draws"),
            one_shade_draws: keys.text("one_shade_draws"),
        };
        keys.finish();
        section
    }
}
