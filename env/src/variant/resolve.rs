//! From the keys of a variant file to what they mean, with all mistakes collected.

mod pieces;

use std::num::NonZeroU32;

use super::betza::{self, Offset, Path};
use super::file::{BareKing, EndingsSection, PromotionSection, Stalemate, VariantFile};
use super::mistakes::Mistakes;
use super::spec::{
    CastlingSpec, EndingsSpec, ExchangeSpec, LeapSpec, PieceSpec, PromotionSpec, Spec, TurnsSpec,
};
use crate::{BoardSize, Excerpt, PieceKind};

/// Plies of a game in training, unless the file says otherwise.
const MAX_PLIES: u32 = 1000;
/// The longest name, in characters.
const MAX_NAME: usize = 64;

impl Spec {
    /// Checks a file that extends nothing any more. What is given back in spite of mistakes is good
    /// for nothing but finding more of them; `None` if too much is wrong for that.
    pub(crate) fn new(file: &VariantFile, mistakes: &mut Mistakes) -> Option<Self> {
        Resolver { file, mistakes, pieces: Vec::new() }.resolve()
    }
}

struct Resolver<'a> {
    file: &'a VariantFile,
    mistakes: &'a mut Mistakes,
    pieces: Vec<PieceSpec>,
}

impl Resolver<'_> {
    fn resolve(mut self) -> Option<Spec> {
        let file = self.file;
        let name = self.name();
        let title = self.title(&name);
        let is_sized = self.size();
        // With a wrong size other keys are checked for a board such as the start position shows.
        let size = is_sized.or_else(|| start_size(file.start.as_deref()?));
        let largest = || BoardSize::new(BoardSize::MAX_SIDE, BoardSize::MAX_SIDE);
        let checked_size = size.or_else(largest)?;
        if file.start.is_none() {
            self.mistakes.add_once("start", "missing, expected a FEN");
        }
        let max_plies = self.max_plies();
        self.read_pieces(checked_size);
        let mut promotions: Vec<PromotionSpec> = Vec::new();
        for section in &file.promotion {
            let promotion = self.promotion(section, &promotions, checked_size, size.is_some());
            promotions.extend(promotion);
        }
        self.check_pawns(&promotions);
        let castling = self.castling(checked_size);
        let (leap, turns) = (self.leap(), self.turns(checked_size));
        let (exchange, dice) = (self.exchange(), self.dice());
        let endings = file.endings.as_ref().map(|section| self.endings(section));
        Some(Spec {
            title,
            name,
            size: size?,
            start: file.start.clone()?,
            max_plies,
            mirror: file.mirror.unwrap_or(false),
            king_restriction: file.king_restriction.unwrap_or(false),
            promotions,
            castling,
            leap,
            turns,
            exchange,
            dice,
            endings: endings.unwrap_or_else(|| EndingsSpec::new(None)),
            pieces: self.pieces,
        })
    }

    fn name(&mut self) -> String {
        const EXPECTED: &str = "up to 64 lower-case letters, digits and `-`";
        let Some(name) = self.file.name.clone() else {
            self.mistakes.add_once("name", format!("missing, expected {EXPECTED}"));
            return String::new();
        };
        let fits =
            |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        if name.is_empty() || name.len() > MAX_NAME || !name.chars().all(fits) {
            let found = Excerpt(&name);
            self.mistakes.add("name", format!("found `{found}`, expected {EXPECTED}"));
        }
        name
    }

    fn title(&mut self, name: &str) -> String {
        let Some(title) = self.file.title.clone() else { return name.to_owned() };
        self.check_label("title", &title);
        title
    }

    /// A text for people: not empty, and short enough for one line.
    fn check_label(&mut self, key: &str, text: &str) {
        let is_wrong = text.chars().count() > MAX_NAME
            || text.chars().any(char::is_control)
            || text.is_empty();
        if is_wrong {
            let reason = format!(
                "found `{}`, expected 1 to {MAX_NAME} characters in one line",
                Excerpt(text)
            );
            self.mistakes.add(key, reason);
        }
    }

    fn size(&mut self) -> Option<BoardSize> {
        const EXPECTED: &str = "files and ranks from 1x1 to 16x16, as in `8x8`";
        let Some(text) = self.file.board.as_deref() else {
            self.mistakes.add_once("board", format!("missing, expected {EXPECTED}"));
            return None;
        };
        let sides = text.split_once('x').and_then(|(files, ranks)| {
            let side = |text: &str| {
                text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
            };
            BoardSize::new(side(files)?, side(ranks)?)
        });
        if sides.is_none() {
            self.mistakes.add("board", format!("found `{}`, expected {EXPECTED}", Excerpt(text)));
        }
        sides
    }

    fn max_plies(&mut self) -> NonZeroU32 {
        let plies = self.file.max_plies.unwrap_or(MAX_PLIES);
        if plies == 1 && self.file.dice.is_some() {
            self.mistakes
                .add("max_plies", "found `1`, expected at least 2 with dice: a roll is a ply");
        }
        NonZeroU32::new(plies).unwrap_or(NonZeroU32::MIN)
    }

    /// The kind with this letter; says what is wrong with `key` if there is none.
    fn kind(&mut self, key: &str, letter: &str) -> Option<PieceKind> {
        let index = self.pieces.iter().position(|piece| letter.chars().eq([piece.letter]));
        if index.is_none() {
            let known: Vec<String> =
                self.pieces.iter().map(|piece| piece.letter.to_string()).collect();
            let (found, known) = (Excerpt(letter), known.join(" "));
            let reason = format!("found `{found}`, expected one of the pieces {known}");
            // A letter that is missing has been said to be.
            if letter.is_empty() {
                self.mistakes.add_once(key, reason);
            } else {
                self.mistakes.add(key, reason);
            }
        }
        index.map(|index| PieceKind(index as u8))
    }

    /// The kinds with these letters, at least one and none twice.
    fn kinds(&mut self, key: &str, letters: &str) -> Vec<PieceKind> {
        if letters.is_empty() {
            self.mistakes.add_once(key, "found no letter, expected at least one");
        }
        let mut kinds = Vec::new();
        for letter in letters.chars().take(MAX_LETTERS) {
            let Some(kind) = self.kind(key, letter.encode_utf8(&mut [0; 4])) else { continue };
            if kinds.contains(&kind) {
                self.mistakes.add(key, format!("found `{letter}` twice, expected it once"));
            } else {
                kinds.push(kind);
            }
        }
        if letters.chars().nth(MAX_LETTERS).is_some() {
            let reason = format!("found `{}`, expected at most 26 letters", Excerpt(letters));
            self.mistakes.add(key, reason);
        }
        kinds
    }

    fn is_royal(&self, kind: PieceKind) -> bool {
        self.pieces[kind.index()].royal
    }

    fn letter(&self, kind: PieceKind) -> char {
        self.pieces[kind.index()].letter
    }

    fn promotion(
        &mut self,
        section: &PromotionSection,
        others: &[PromotionSpec],
        size: BoardSize,
        is_sized: bool,
    ) -> Option<PromotionSpec> {
        let key = |name: &str| format!("{}.{name}", section.path);
        if section.rank > size.ranks() {
            let reason = format!("found `{}`, expected 1 to {}", section.rank, size.ranks());
            self.mistakes.add(&key("rank"), reason);
        }
        let promoting = self.kinds(&key("pieces"), &section.pieces);
        for &kind in &promoting {
            let letter = self.letter(kind);
            if self.is_royal(kind) {
                self.mistakes
                    .add(&key("pieces"), format!("the royal kind {letter} cannot promote"));
            }
            if others.iter().any(|other| other.pieces.contains(&kind)) {
                let reason = format!("{letter} promotes in another section already");
                self.mistakes.add(&key("pieces"), reason);
            }
        }
        let n_files = usize::from(size.files());
        let (name, choices) = match (&section.to, &section.by_file) {
            (Some(to), None) => ("to", vec![self.kinds(&key("to"), to); n_files]),
            (None, Some(letters)) => {
                ("by_file", self.by_file(&key("by_file"), letters, is_sized.then_some(n_files)))
            }
            (to, _) => {
                let found = if to.is_some() { "both" } else { "neither" };
                let reason = format!("found {found}, expected either `to` or `by_file`");
                self.mistakes.add(&section.path, reason);
                return None;
            }
        };
        let mut offered: Vec<PieceKind> = choices.iter().flatten().copied().collect();
        offered.sort_unstable();
        offered.dedup();
        for kind in offered {
            let letter = self.letter(kind);
            if promoting.contains(&kind) {
                self.mistakes.add(&key(name), format!("{letter} promotes and cannot be a choice"));
            }
            if self.is_royal(kind) {
                self.mistakes
                    .add(&key(name), format!("the royal kind {letter} cannot be a choice"));
            }
        }
        let rank = section.rank.checked_sub(1)?;
        Some(PromotionSpec { pieces: promoting, rank, choices })
    }

    /// One choice a file; their number is checked if the board's size is known.
    fn by_file(&mut self, key: &str, letters: &str, n: Option<usize>) -> Vec<Vec<PieceKind>> {
        let n_letters = letters.chars().count();
        if n.is_some_and(|n| n != n_letters) || n_letters > usize::from(BoardSize::MAX_SIDE) {
            let n = n.unwrap_or(usize::from(BoardSize::MAX_SIDE));
            let reason = format!("found {n_letters} letters, expected one a file: {n}");
            self.mistakes.add(key, reason);
            return Vec::new();
        }
        let kinds = letters.chars().map(|letter| self.kind(key, letter.encode_utf8(&mut [0; 4])));
        kinds.map(|kind| kind.into_iter().collect()).collect()
    }

    fn castling(&mut self, size: BoardSize) -> Option<CastlingSpec> {
        let section = self.file.castling.as_ref()?;
        let partner = self.kind("castling.partner", &section.partner);
        if partner.is_some_and(|partner| self.is_royal(partner)) {
            self.mistakes.add("castling.partner", "a king cannot castle with a king");
        }
        if section.steps.is_empty() {
            self.mistakes.add_once("castling.steps", "found no distance, expected at least one");
        }
        for (index, &n) in section.steps.iter().enumerate() {
            if n >= size.files() {
                let reason = format!("found `{n}`, expected less than the {} files", size.files());
                self.mistakes.add("castling.steps", reason);
            }
            if section.steps[..index].contains(&n) {
                self.mistakes.add("castling.steps", format!("found `{n}` twice, expected it once"));
            }
        }
        Some(CastlingSpec { partner: partner?, steps: section.steps.clone() })
    }

    fn leap(&mut self) -> Option<LeapSpec> {
        let section = self.file.leap.as_ref()?;
        if self.file.castling.is_some() {
            self.mistakes.add("leap", "does not go with `castling`");
        }
        if section.moves.is_empty() {
            self.mistakes.add_once("leap.moves", "found no leap, expected `D`, `A` or `N`");
            return None;
        }
        let parts = self.betza("leap.moves", &section.moves);
        let leaps: Vec<Offset> = parts.iter().flat_map(|part| part.leaps.clone()).collect();
        let is_plain = parts.iter().all(|part| {
            let is_single = part.range == 1 && part.then.is_none() && part.path == Path::Free;
            is_single && part.modes == betza::Modes::BOTH
        });
        if !leaps.iter().all(|&(x, y)| x.abs().max(y.abs()) == 2) || !is_plain {
            let reason = "expected leaps of two squares: `D`, `A`, `N`, with directions alone";
            self.mistakes.add("leap.moves", reason);
        }
        Some(LeapSpec { leaps, captures: section.captures })
    }

    fn turns(&mut self, size: BoardSize) -> Option<TurnsSpec> {
        let section = self.file.turns.as_ref()?;
        if section.home_ranks > size.ranks() {
            let reason = format!("found `{}`, expected 1 to {}", section.home_ranks, size.ranks());
            self.mistakes.add("turns.home_ranks", reason);
        }
        let (turns, units, home_ranks) = (section.turns, section.units, section.home_ranks);
        Some(TurnsSpec { turns, units, home_ranks })
    }

    fn exchange(&mut self) -> Option<ExchangeSpec> {
        let section = self.file.exchange.as_ref()?;
        let first = self.kind("exchange.first", &section.first);
        let second = self.kind("exchange.second", &section.second);
        for (key, kind) in [("exchange.first", first), ("exchange.second", second)] {
            if let Some(kind) = kind.filter(|&kind| self.is_royal(kind)) {
                let letter = self.letter(kind);
                self.mistakes.add(key, format!("the royal kind {letter} cannot be exchanged"));
            }
        }
        let (first, second) = (first?, second?);
        if first == second {
            let reason = format!("found {} again, expected another kind", self.letter(first));
            self.mistakes.add("exchange.second", reason);
        }
        Some(ExchangeSpec { first, second })
    }

    fn dice(&mut self) -> Option<Vec<PieceKind>> {
        let section = self.file.dice.as_ref()?;
        let faces = self.kinds("dice.faces", &section.faces);
        let missing: Vec<String> = self
            .pieces
            .iter()
            .map(|piece| piece.letter)
            .filter(|&letter| !section.faces.contains(letter))
            .map(String::from)
            .collect();
        if !missing.is_empty() {
            let reason =
                format!("expected every piece's letter once: {} is missing", missing.join(" "));
            self.mistakes.add_once("dice.faces", reason);
        }
        for (other, is_there) in
            [("turns", self.file.turns.is_some()), ("exchange", self.file.exchange.is_some())]
        {
            if is_there {
                self.mistakes.add("dice", format!("does not go with `{other}`"));
            }
        }
        Some(faces)
    }

    fn endings(&mut self, section: &EndingsSection) -> EndingsSpec {
        let mut kinds = |key: &str, letters: &Option<String>| {
            // No letters are how a file turns off what it extends.
            let letters = letters.as_deref().filter(|letters| !letters.is_empty());
            letters.map(|letters| self.kinds(key, letters)).unwrap_or_default()
        };
        EndingsSpec {
            stalemate_loses: section.stalemate == Some(Stalemate::Loss),
            bare_king_loses: section.bare_king == Some(BareKing::Loss),
            alone_draws: kinds("endings.alone_draws", &section.alone_draws),
            one_shade_draws: kinds("endings.one_shade_draws", &section.one_shade_draws),
            ..EndingsSpec::new(section.clock)
        }
    }
}

/// Longer lists of letters are not read to the end.
const MAX_LETTERS: usize = super::spec::MAX_KINDS;

/// The size of the board that a FEN draws, as far as its first rank tells.
fn start_size(fen: &str) -> Option<BoardSize> {
    let board = fen.split(' ').next()?;
    let n_ranks = u8::try_from(board.split('/').count()).ok()?;
    let (mut n_files, mut run) = (0_usize, 0_usize);
    for letter in board.split('/').next()?.chars() {
        match letter.to_digit(10) {
            Some(digit) => run = (10 * run + digit as usize).min(1000),
            None => {
                n_files += run + 1;
                run = 0;
            }
        }
    }
    BoardSize::new(u8::try_from(n_files + run).ok()?, n_ranks)
}
