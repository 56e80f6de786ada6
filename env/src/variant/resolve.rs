//! From the keys of a variant file to what they mean, with all mistakes collected.

use std::num::NonZeroU32;

use super::betza::{self, Offset};
use super::file::{EndingsSection, PieceSection, PromotionSection, VariantFile, Verdict};
use super::spec::{
    CastlingSpec, EndingsSpec, ExchangeSpec, LeapSpec, PieceSpec, PromotionSpec, Spec, TurnsSpec,
};
use crate::{BoardSize, PieceKind, VariantError};

impl Spec {
    /// Checks a file that extends nothing any more; the errors are in the order of the keys.
    pub(crate) fn new(source: &str, file: &VariantFile) -> Result<Self, Vec<VariantError>> {
        Resolver { source, file, mistakes: Vec::new() }.resolve()
    }
}

struct Resolver<'a> {
    source: &'a str,
    file: &'a VariantFile,
    mistakes: Vec<VariantError>,
}

type Checked<T> = Result<T, VariantError>;

impl Resolver<'_> {
    fn error(&self, key: impl Into<String>, reason: impl Into<String>) -> VariantError {
        VariantError::Key { file: self.source.into(), key: key.into(), reason: reason.into() }
    }

    /// Notes a mistake and goes on without the value.
    fn keep<T>(&mut self, checked: Checked<T>) -> Option<T> {
        checked.map_err(|mistake| self.mistakes.push(mistake)).ok()
    }

    fn resolve(mut self) -> Result<Spec, Vec<VariantError>> {
        let file = self.file;
        let name = self.keep(self.name()).unwrap_or_default();
        let size = self.keep(self.size());
        // With a wrong size, ranks are checked against the largest board.
        let size = size.or(BoardSize::new(BoardSize::MAX_SIDE, BoardSize::MAX_SIDE));
        let start = file.start.clone().ok_or_else(|| self.error("start", "missing: a FEN"));
        let start = self.keep(start).unwrap_or_default();
        let max_plies = NonZeroU32::new(file.max_plies.unwrap_or(1000))
            .ok_or_else(|| self.error("max_plies", "found 0, expected at least 1"));
        let max_plies = self.keep(max_plies).unwrap_or(NonZeroU32::MIN);
        let Some(size) = size else { return Err(self.mistakes) };
        let pieces = self.pieces(size);
        let mut promotions: Vec<PromotionSpec> = Vec::new();
        for section in &file.promotion {
            let promotion = self.promotion(section, &pieces, &promotions, size);
            promotions.extend(self.keep(promotion));
        }
        let endings = file.endings.clone().unwrap_or_default();
        let endings = self.endings(&endings, &pieces);
        let spec = Spec {
            title: file.title.clone().unwrap_or_else(|| name.clone()),
            name,
            size,
            start,
            max_plies,
            mirror: file.mirror.unwrap_or(false),
            king_restriction: file.king_restriction.unwrap_or(false),
            promotions,
            castling: self.keep(self.castling(&pieces)).flatten(),
            leap: self.keep(self.leap()).flatten(),
            turns: self.keep(self.turns(size)).flatten(),
            exchange: self.keep(self.exchange(&pieces)).flatten(),
            dice: self.keep(self.dice(&pieces)).flatten(),
            endings: self.keep(endings).unwrap_or_default(),
            pieces,
        };
        if self.mistakes.is_empty() { Ok(spec) } else { Err(self.mistakes) }
    }

    fn name(&self) -> Checked<String> {
        let name = self.file.name.clone().ok_or_else(|| self.error("name", "missing"))?;
        let fits =
            |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        if name.is_empty() || name.len() > 64 || !name.chars().all(fits) {
            let reason =
                format!("found `{name}`, expected up to 64 lower-case letters, digits and `-`");
            return Err(self.error("name", reason));
        }
        Ok(name)
    }

    fn size(&self) -> Checked<BoardSize> {
        let text = self.file.board.as_deref().unwrap_or_default();
        let sides = text
            .split_once('x')
            .and_then(|(files, ranks)| BoardSize::new(files.parse().ok()?, ranks.parse().ok()?));
        sides.ok_or_else(|| {
            let reason =
                format!("found `{text}`, expected files and ranks from 1x1 to 16x16, as in `8x8`");
            self.error("board", reason)
        })
    }

    /// All pieces; one with a mistake keeps its letter, so that other keys can name it.
    fn pieces(&mut self, size: BoardSize) -> Vec<PieceSpec> {
        let sections = &self.file.piece;
        if sections.is_empty() {
            self.mistakes.push(self.error("piece", "missing: at least one `[[piece]]`"));
        }
        let mut pieces: Vec<PieceSpec> = Vec::new();
        for section in sections {
            let Some(letter) = self.keep(self.letter(section)) else { continue };
            if pieces.iter().any(|other| other.letter == letter) {
                self.mistakes.push(self.error(format!("piece.{letter}"), "defined twice"));
                continue;
            }
            let mut piece = PieceSpec::new(letter);
            if let Some(name) = &section.name {
                piece.name.clone_from(name);
            }
            piece.becomes = PieceKind(pieces.len() as u8);
            piece.royal = section.royal.unwrap_or(false);
            piece.pawn = section.pawn.unwrap_or(false);
            piece.limit = section.limit;
            let moves = self.moves(section, &mut piece, size);
            self.keep(moves);
            pieces.push(piece);
        }
        for section in sections {
            let becomes = self.becomes(section, &pieces);
            if let Some(Some((index, becomes))) = self.keep(becomes) {
                pieces[index].becomes = becomes;
            }
        }
        pieces
    }

    fn letter(&self, section: &PieceSection) -> Checked<char> {
        let mut letters = section.letter.chars();
        match (letters.next(), letters.next()) {
            (Some(letter @ 'A'..='Z'), None) => Ok(letter),
            _ => {
                let found = &section.letter;
                let reason = format!("found `{found}`, expected one letter from A to Z");
                Err(self.error("piece.letter", reason))
            }
        }
    }

    fn moves(&self, section: &PieceSection, piece: &mut PieceSpec, size: BoardSize) -> Checked<()> {
        let letter = piece.letter;
        let moves = section.moves.as_deref().ok_or_else(|| {
            self.error(format!("piece.{letter}.moves"), "missing: Betza notation, as in `K`")
        })?;
        moves.clone_into(&mut piece.betza);
        piece.parts = betza::parse(moves).map_err(|error| {
            self.error(format!("piece.{letter}.moves"), format!("`{moves}` {error}"))
        })?;
        for (rank, &n) in &section.steps {
            let index = rank.parse::<u8>().ok().filter(|rank| (1..=size.ranks()).contains(rank));
            let index = index.ok_or_else(|| {
                let reason = format!("found rank `{rank}`, expected 1 to {}", size.ranks());
                self.error(format!("piece.{letter}.steps"), reason)
            })?;
            if !(1..=3).contains(&n) {
                let reason = format!("found {n} steps, expected 1 to 3");
                return Err(self.error(format!("piece.{letter}.steps"), reason));
            }
            piece.steps[usize::from(index) - 1] = n;
        }
        Ok(())
    }

    fn becomes(
        &self,
        section: &PieceSection,
        pieces: &[PieceSpec],
    ) -> Checked<Option<(usize, PieceKind)>> {
        let index = pieces.iter().position(|piece| section.letter.chars().eq([piece.letter]));
        let (Some(letter), Some(index)) = (&section.becomes, index) else { return Ok(None) };
        let key = format!("piece.{}.becomes", section.letter);
        let becomes = self.kind(pieces, &key, letter)?;
        if pieces[index].royal && becomes.index() != index {
            return Err(self.error(key, "a royal kind cannot change"));
        }
        Ok(Some((index, becomes)))
    }

    fn kind(&self, pieces: &[PieceSpec], key: &str, letter: &str) -> Checked<PieceKind> {
        let index = pieces.iter().position(|piece| letter.chars().eq([piece.letter]));
        index.map(|index| PieceKind(index as u8)).ok_or_else(|| {
            let known: Vec<String> = pieces.iter().map(|piece| piece.letter.to_string()).collect();
            let known = known.join(" ");
            self.error(key, format!("found `{letter}`, expected one of the pieces {known}"))
        })
    }

    fn kinds(&self, pieces: &[PieceSpec], key: &str, letters: &str) -> Checked<Vec<PieceKind>> {
        letters.chars().map(|letter| self.kind(pieces, key, &letter.to_string())).collect()
    }

    fn promotion(
        &self,
        section: &PromotionSection,
        pieces: &[PieceSpec],
        others: &[PromotionSpec],
        size: BoardSize,
    ) -> Checked<PromotionSpec> {
        if !(1..=size.ranks()).contains(&section.rank) {
            let reason = format!("found {}, expected 1 to {}", section.rank, size.ranks());
            return Err(self.error("promotion.rank", reason));
        }
        let n_files = usize::from(size.files());
        let choices = match (&section.to, &section.by_file) {
            (Some(to), None) => vec![self.kinds(pieces, "promotion.to", to)?; n_files],
            (None, Some(letters)) => {
                let kinds = self.kinds(pieces, "promotion.by_file", letters)?;
                if kinds.len() != n_files {
                    let reason = format!("{} letters, expected one a file: {n_files}", kinds.len());
                    return Err(self.error("promotion.by_file", reason));
                }
                kinds.into_iter().map(|kind| vec![kind]).collect()
            }
            _ => return Err(self.error("promotion", "expected either `to` or `by_file`")),
        };
        let promoting = self.kinds(pieces, "promotion.pieces", &section.pieces)?;
        if choices.iter().any(|choices| choices.is_empty() || n_distinct(choices) != choices.len())
        {
            let reason = "expected at least one letter and none twice";
            return Err(self.error("promotion.to", reason));
        }
        if choices.iter().flatten().any(|kind| promoting.contains(kind)) {
            return Err(self.error("promotion.to", "a kind that promotes cannot be a choice"));
        }
        let is_taken = |kind| others.iter().any(|other| other.pieces.contains(kind));
        if promoting.iter().any(is_taken) || n_distinct(&promoting) != promoting.len() {
            return Err(self.error("promotion.pieces", "a kind promotes twice"));
        }
        if promoting.iter().any(|kind| pieces[kind.index()].royal) {
            return Err(self.error("promotion.pieces", "a royal kind cannot promote"));
        }
        Ok(PromotionSpec { pieces: promoting, rank: section.rank - 1, choices })
    }

    fn castling(&self, pieces: &[PieceSpec]) -> Checked<Option<CastlingSpec>> {
        let Some(section) = &self.file.castling else { return Ok(None) };
        let partner = self.kind(pieces, "castling.partner", &section.partner)?;
        if pieces[partner.index()].royal {
            return Err(self.error("castling.partner", "a king cannot castle with a king"));
        }
        if section.steps.is_empty() || section.steps.iter().any(|n| !(1..16).contains(n)) {
            return Err(self.error("castling.steps", "expected distances from 1 to 15"));
        }
        Ok(Some(CastlingSpec { partner, steps: section.steps.clone() }))
    }

    fn leap(&self) -> Checked<Option<LeapSpec>> {
        let Some(section) = &self.file.leap else { return Ok(None) };
        if self.file.castling.is_some() {
            return Err(self.error("leap", "does not go with `castling`"));
        }
        let parts = betza::parse(&section.moves)
            .map_err(|error| self.error("leap.moves", format!("`{}` {error}", section.moves)))?;
        let leaps: Vec<Offset> = parts.iter().flat_map(|part| part.leaps.clone()).collect();
        let fits = |&(x, y): &Offset| x.abs().max(y.abs()) == 2;
        let is_single = parts.iter().all(|part| part.range == 1 && part.then.is_none());
        if leaps.is_empty() || !leaps.iter().all(fits) || !is_single {
            let reason = "expected leaps of two squares: `D`, `A`, `N`";
            return Err(self.error("leap.moves", reason));
        }
        Ok(Some(LeapSpec { leaps, captures: section.captures }))
    }

    fn turns(&self, size: BoardSize) -> Checked<Option<TurnsSpec>> {
        let Some(section) = &self.file.turns else { return Ok(None) };
        if !(1..=100).contains(&section.turns) || !(2..=16).contains(&section.units) {
            return Err(self.error("turns", "expected 1 to 100 turns and 2 to 16 units"));
        }
        if !(1..=size.ranks()).contains(&section.home_ranks) {
            let reason = format!("found {}, expected 1 to {}", section.home_ranks, size.ranks());
            return Err(self.error("turns.home_ranks", reason));
        }
        let (turns, units, home_ranks) = (section.turns, section.units, section.home_ranks);
        Ok(Some(TurnsSpec { turns, units, home_ranks }))
    }

    fn exchange(&self, pieces: &[PieceSpec]) -> Checked<Option<ExchangeSpec>> {
        let Some(section) = &self.file.exchange else { return Ok(None) };
        let first = self.kind(pieces, "exchange.first", &section.first)?;
        let second = self.kind(pieces, "exchange.second", &section.second)?;
        if first == second || pieces[first.index()].royal || pieces[second.index()].royal {
            return Err(self.error("exchange", "expected two different kinds, none royal"));
        }
        Ok(Some(ExchangeSpec { first, second }))
    }

    fn dice(&self, pieces: &[PieceSpec]) -> Checked<Option<Vec<PieceKind>>> {
        let Some(section) = &self.file.dice else { return Ok(None) };
        let faces = self.kinds(pieces, "dice.faces", &section.faces)?;
        if faces.len() != pieces.len() || n_distinct(&faces) != pieces.len() {
            return Err(self.error("dice.faces", "expected every piece's letter once"));
        }
        if self.file.turns.is_some() || self.file.exchange.is_some() {
            return Err(self.error("dice", "does not go with `turns` or `exchange`"));
        }
        Ok(Some(faces))
    }

    fn endings(&self, section: &EndingsSection, pieces: &[PieceSpec]) -> Checked<EndingsSpec> {
        if section.stalemate == Some(Verdict::Ignored) {
            return Err(self.error("endings.stalemate", "expected `draw` or `loss`"));
        }
        if section.bare_king == Some(Verdict::Draw) {
            return Err(self.error("endings.bare_king", "expected `loss` or `ignored`"));
        }
        let kinds = |key: &str, letters: &Option<String>| {
            self.kinds(pieces, key, letters.as_deref().unwrap_or_default())
        };
        Ok(EndingsSpec {
            stalemate_loses: section.stalemate == Some(Verdict::Loss),
            bare_king_loses: section.bare_king == Some(Verdict::Loss),
            clock: match section.clock {
                None => Some(100),
                Some(0) => None,
                Some(plies) => Some(plies),
            },
            alone_draws: kinds("endings.alone_draws", &section.alone_draws)?,
            one_shade_draws: kinds("endings.one_shade_draws", &section.one_shade_draws)?,
        })
    }
}

fn n_distinct(kinds: &[PieceKind]) -> usize {
    (0..kinds.len()).filter(|&at| !kinds[..at].contains(&kinds[at])).count()
}
