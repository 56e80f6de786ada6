//! What a variant file means: every key checked, every letter resolved.

use std::num::NonZeroU32;

use super::betza::{self, Offset, Part, Path};
use super::file::{PieceSection, VariantFile, Verdict};
use crate::{BoardSize, PieceKind, VariantError};

/// The largest number of piece kinds: one a letter.
pub(crate) const MAX_KINDS: usize = 26;

/// A kind of piece.
#[derive(Clone, Debug)]
pub(crate) struct PieceSpec {
    pub(crate) letter: char,
    pub(crate) name: String,
    pub(crate) betza: String,
    pub(crate) parts: Vec<Part>,
    pub(crate) royal: bool,
    pub(crate) pawn: bool,
    /// Greatest number of straight forward steps, by own rank counted from 0; 0 where the notation
    /// alone decides.
    pub(crate) steps: [u8; BoardSize::MAX_SIDE as usize],
    pub(crate) becomes: PieceKind,
    pub(crate) limit: Option<u8>,
}

/// Compulsory promotion of some kinds on one rank.
#[derive(Clone, Debug)]
pub(crate) struct PromotionSpec {
    pub(crate) pieces: Vec<PieceKind>,
    /// The own rank, counted from 0.
    pub(crate) rank: u8,
    /// The choices on every file.
    pub(crate) choices: Vec<Vec<PieceKind>>,
}

#[derive(Clone, Debug)]
pub(crate) struct CastlingSpec {
    pub(crate) partner: PieceKind,
    pub(crate) steps: Vec<u8>,
}

#[derive(Clone, Debug)]
pub(crate) struct LeapSpec {
    pub(crate) leaps: Vec<Offset>,
    pub(crate) captures: bool,
}

/// Opening turns of several moves.
#[derive(Copy, Clone, Debug)]
pub(crate) struct TurnsSpec {
    pub(crate) turns: u16,
    pub(crate) units: u8,
    pub(crate) home_ranks: u8,
}

#[derive(Copy, Clone, Debug)]
pub(crate) struct ExchangeSpec {
    pub(crate) first: PieceKind,
    pub(crate) second: PieceKind,
}

/// How games end beside checkmate.
#[derive(Clone, Debug)]
pub(crate) struct EndingsSpec {
    pub(crate) stalemate_loses: bool,
    pub(crate) bare_king_loses: bool,
    /// `None` turns the clock off.
    pub(crate) clock: Option<u16>,
    pub(crate) alone_draws: Vec<PieceKind>,
    pub(crate) one_shade_draws: Vec<PieceKind>,
}

/// A checked variant file. Squares and the start position wait for the compiled tables.
#[derive(Clone, Debug)]
pub(crate) struct Spec {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) size: BoardSize,
    pub(crate) pieces: Vec<PieceSpec>,
    pub(crate) start: String,
    pub(crate) max_plies: NonZeroU32,
    pub(crate) mirror: bool,
    pub(crate) king_restriction: bool,
    pub(crate) promotions: Vec<PromotionSpec>,
    pub(crate) castling: Option<CastlingSpec>,
    pub(crate) leap: Option<LeapSpec>,
    pub(crate) turns: Option<TurnsSpec>,
    pub(crate) exchange: Option<ExchangeSpec>,
    pub(crate) dice: Option<Vec<PieceKind>>,
    pub(crate) endings: EndingsSpec,
}

impl Spec {
    /// Checks a file that extends nothing any more.
    pub(crate) fn new(source: &str, file: &VariantFile) -> Result<Self, VariantError> {
        Resolver { source, file }.resolve()
    }

    pub(crate) fn kind_of(&self, letter: char) -> Option<PieceKind> {
        let index = self.pieces.iter().position(|piece| piece.letter == letter)?;
        Some(PieceKind(index as u8))
    }

    pub(crate) fn piece(&self, kind: PieceKind) -> &PieceSpec {
        &self.pieces[kind.index()]
    }

    /// Whether the kind with this index promotes.
    pub(crate) fn promotes(&self, kind: usize) -> bool {
        let kind = PieceKind(kind as u8);
        self.promotions.iter().any(|promotion| promotion.pieces.contains(&kind))
    }

    /// Whether some kind moves over units.
    pub(crate) fn has_hops(&self) -> bool {
        self.pieces.iter().flat_map(|piece| &piece.parts).any(|part| part.path == Path::Hop)
    }

    /// Whether some kind captures en passant.
    pub(crate) fn has_en_passant(&self) -> bool {
        self.pieces.iter().flat_map(|piece| &piece.parts).any(|part| part.modes.en_passant)
    }
}

struct Resolver<'a> {
    source: &'a str,
    file: &'a VariantFile,
}

impl Resolver<'_> {
    fn error(&self, key: impl Into<String>, reason: impl Into<String>) -> VariantError {
        VariantError::Key { file: self.source.into(), key: key.into(), reason: reason.into() }
    }

    fn resolve(&self) -> Result<Spec, VariantError> {
        let size = self.size()?;
        let pieces = self.pieces(size)?;
        let file = self.file;
        let max_plies = NonZeroU32::new(file.max_plies.unwrap_or(1000))
            .ok_or_else(|| self.error("max_plies", "found 0, expected at least 1"))?;
        let mut spec = Spec {
            name: self.name()?,
            title: String::new(),
            size,
            pieces,
            start: file.start.clone().ok_or_else(|| self.error("start", "missing: a FEN"))?,
            max_plies,
            mirror: file.mirror.unwrap_or(false),
            king_restriction: file.king_restriction.unwrap_or(false),
            promotions: Vec::new(),
            castling: None,
            leap: None,
            turns: None,
            exchange: None,
            dice: None,
            endings: EndingsSpec {
                stalemate_loses: false,
                bare_king_loses: false,
                clock: None,
                alone_draws: Vec::new(),
                one_shade_draws: Vec::new(),
            },
        };
        spec.title = file.title.clone().unwrap_or_else(|| spec.name.clone());
        self.promotions(&mut spec)?;
        self.kings(&mut spec)?;
        self.phases(&mut spec)?;
        self.endings(&mut spec)?;
        Ok(spec)
    }

    fn name(&self) -> Result<String, VariantError> {
        let name = self.file.name.clone().ok_or_else(|| self.error("name", "missing"))?;
        let fits =
            |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        if name.is_empty() || name.len() > 64 || !name.chars().all(fits) {
            return Err(self.error(
                "name",
                format!("found `{name}`, expected up to 64 lower-case letters, digits and `-`"),
            ));
        }
        Ok(name)
    }

    fn size(&self) -> Result<BoardSize, VariantError> {
        let text = self.file.board.as_deref().unwrap_or_default();
        let sides = text
            .split_once('x')
            .and_then(|(files, ranks)| BoardSize::new(files.parse().ok()?, ranks.parse().ok()?));
        sides.ok_or_else(|| {
            self.error(
                "board",
                format!("found `{text}`, expected files and ranks from 1x1 to 16x16, as in `8x8`"),
            )
        })
    }

    fn pieces(&self, size: BoardSize) -> Result<Vec<PieceSpec>, VariantError> {
        let sections = &self.file.piece;
        if sections.is_empty() {
            return Err(self.error("piece", "missing: at least one `[[piece]]`"));
        }
        let mut pieces = Vec::new();
        for (index, section) in sections.iter().enumerate() {
            let piece = self.piece(section, size)?;
            if sections[..index].iter().any(|other| other.letter == section.letter) {
                return Err(self.error(format!("piece.{}", section.letter), "defined twice"));
            }
            pieces.push(piece);
        }
        for (index, section) in sections.iter().enumerate() {
            let key = || format!("piece.{}.becomes", section.letter);
            pieces[index].becomes = match &section.becomes {
                Some(letter) => self.kind(&pieces, &key(), letter)?,
                None => PieceKind(index as u8),
            };
            if pieces[index].royal && pieces[index].becomes.index() != index {
                return Err(self.error(key(), "a royal kind cannot change"));
            }
        }
        Ok(pieces)
    }

    fn piece(&self, section: &PieceSection, size: BoardSize) -> Result<PieceSpec, VariantError> {
        let mut letters = section.letter.chars();
        let letter = match (letters.next(), letters.next()) {
            (Some(letter @ 'A'..='Z'), None) => letter,
            _ => {
                let found = &section.letter;
                return Err(self.error(
                    "piece.letter",
                    format!("found `{found}`, expected one letter from A to Z"),
                ));
            }
        };
        let moves = section.moves.as_deref().ok_or_else(|| {
            self.error(format!("piece.{letter}.moves"), "missing: Betza notation, as in `K`")
        })?;
        let parts = betza::parse(moves).map_err(|error| {
            self.error(format!("piece.{letter}.moves"), format!("`{moves}` {error}"))
        })?;
        let mut steps = [0; BoardSize::MAX_SIDE as usize];
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
            steps[usize::from(index) - 1] = n;
        }
        Ok(PieceSpec {
            letter,
            name: section.name.clone().unwrap_or_else(|| letter.to_string()),
            betza: moves.to_owned(),
            parts,
            royal: section.royal.unwrap_or(false),
            pawn: section.pawn.unwrap_or(false),
            steps,
            becomes: PieceKind(0),
            limit: section.limit,
        })
    }

    fn kind(
        &self,
        pieces: &[PieceSpec],
        key: &str,
        letter: &str,
    ) -> Result<PieceKind, VariantError> {
        let index = pieces.iter().position(|piece| letter.chars().eq([piece.letter]));
        index.map(|index| PieceKind(index as u8)).ok_or_else(|| {
            let known: Vec<String> = pieces.iter().map(|piece| piece.letter.to_string()).collect();
            self.error(
                key,
                format!("found `{letter}`, expected one of the pieces {}", known.join(" ")),
            )
        })
    }

    fn kinds(
        &self,
        pieces: &[PieceSpec],
        key: &str,
        letters: &str,
    ) -> Result<Vec<PieceKind>, VariantError> {
        letters.chars().map(|letter| self.kind(pieces, key, &letter.to_string())).collect()
    }

    fn promotions(&self, spec: &mut Spec) -> Result<(), VariantError> {
        for section in &self.file.promotion {
            if !(1..=spec.size.ranks()).contains(&section.rank) {
                let reason = format!("found {}, expected 1 to {}", section.rank, spec.size.ranks());
                return Err(self.error("promotion.rank", reason));
            }
            let n_files = usize::from(spec.size.files());
            let choices = match (&section.to, &section.by_file) {
                (Some(to), None) => {
                    let to = self.kinds(&spec.pieces, "promotion.to", to)?;
                    vec![to; n_files]
                }
                (None, Some(letters)) => {
                    let kinds = self.kinds(&spec.pieces, "promotion.by_file", letters)?;
                    if kinds.len() != n_files {
                        let reason = format!(
                            "found {} letters, expected one a file: {n_files}",
                            kinds.len()
                        );
                        return Err(self.error("promotion.by_file", reason));
                    }
                    kinds.into_iter().map(|kind| vec![kind]).collect()
                }
                _ => return Err(self.error("promotion", "expected either `to` or `by_file`")),
            };
            let pieces = self.kinds(&spec.pieces, "promotion.pieces", &section.pieces)?;
            for choices in &choices {
                let n_distinct =
                    (0..choices.len()).filter(|&at| !choices[..at].contains(&choices[at])).count();
                if choices.is_empty() || n_distinct != choices.len() {
                    return Err(
                        self.error("promotion.to", "expected at least one letter and none twice")
                    );
                }
                if choices.iter().any(|kind| pieces.contains(kind)) {
                    return Err(
                        self.error("promotion.to", "a kind that promotes cannot be a choice")
                    );
                }
            }
            let is_taken =
                |kind: &PieceKind| spec.promotions.iter().any(|other| other.pieces.contains(kind));
            if pieces.iter().any(is_taken) {
                return Err(self.error("promotion.pieces", "a kind promotes in two sections"));
            }
            spec.promotions.push(PromotionSpec { pieces, rank: section.rank - 1, choices });
        }
        Ok(())
    }

    fn kings(&self, spec: &mut Spec) -> Result<(), VariantError> {
        if let Some(section) = &self.file.castling {
            let partner = self.kind(&spec.pieces, "castling.partner", &section.partner)?;
            if spec.piece(partner).royal {
                return Err(self.error("castling.partner", "a king cannot castle with a king"));
            }
            if section.steps.is_empty() || section.steps.iter().any(|n| !(1..16).contains(n)) {
                return Err(self.error("castling.steps", "expected distances from 1 to 15"));
            }
            spec.castling = Some(CastlingSpec { partner, steps: section.steps.clone() });
        }
        if let Some(section) = &self.file.leap {
            if spec.castling.is_some() {
                return Err(self.error("leap", "does not go with `castling`: list it in `without`"));
            }
            let parts = betza::parse(&section.moves).map_err(|error| {
                self.error("leap.moves", format!("`{}` {error}", section.moves))
            })?;
            let leaps: Vec<Offset> = parts.iter().flat_map(|part| part.leaps.clone()).collect();
            let fits = |&(x, y): &Offset| x.abs().max(y.abs()) == 2;
            if leaps.is_empty()
                || !leaps.iter().all(fits)
                || parts.iter().any(|part| part.range != 1)
            {
                return Err(
                    self.error("leap.moves", "expected leaps of two squares: `D`, `A`, `N`")
                );
            }
            spec.leap = Some(LeapSpec { leaps, captures: section.captures });
        }
        Ok(())
    }

    fn phases(&self, spec: &mut Spec) -> Result<(), VariantError> {
        if let Some(section) = &self.file.turns {
            if section.turns == 0 || !(2..=16).contains(&section.units) {
                return Err(self.error("turns", "expected at least 1 turn and 2 to 16 units"));
            }
            if !(1..=spec.size.ranks()).contains(&section.home_ranks) {
                return Err(
                    self.error("turns.home_ranks", "expected a number of ranks of the board")
                );
            }
            spec.turns = Some(TurnsSpec {
                turns: section.turns,
                units: section.units,
                home_ranks: section.home_ranks,
            });
        }
        if let Some(section) = &self.file.exchange {
            let first = self.kind(&spec.pieces, "exchange.first", &section.first)?;
            let second = self.kind(&spec.pieces, "exchange.second", &section.second)?;
            if first == second || spec.piece(first).royal || spec.piece(second).royal {
                return Err(self.error("exchange", "expected two different kinds, none royal"));
            }
            spec.exchange = Some(ExchangeSpec { first, second });
        }
        if let Some(section) = &self.file.dice {
            let faces = self.kinds(&spec.pieces, "dice.faces", &section.faces)?;
            if faces.len() != spec.pieces.len() || spec.pieces.len() != distinct(&faces) {
                return Err(self.error("dice.faces", "expected every piece's letter once"));
            }
            if spec.turns.is_some() || spec.exchange.is_some() {
                return Err(self.error("dice", "does not go with `turns` or `exchange`"));
            }
            spec.dice = Some(faces);
        }
        Ok(())
    }

    fn endings(&self, spec: &mut Spec) -> Result<(), VariantError> {
        let section = self.file.endings.clone().unwrap_or_default();
        spec.endings.stalemate_loses = match section.stalemate {
            None | Some(Verdict::Draw) => false,
            Some(Verdict::Loss) => true,
            Some(Verdict::Ignored) => {
                return Err(self.error("endings.stalemate", "expected `draw` or `loss`"));
            }
        };
        spec.endings.bare_king_loses = match section.bare_king {
            None | Some(Verdict::Ignored) => false,
            Some(Verdict::Loss) => true,
            Some(Verdict::Draw) => {
                return Err(self.error("endings.bare_king", "expected `loss` or `ignored`"));
            }
        };
        spec.endings.clock = match section.clock {
            None => Some(100),
            Some(0) => None,
            Some(plies) => Some(plies),
        };
        let kinds = |key: &str, letters: Option<String>| {
            self.kinds(&spec.pieces, key, &letters.unwrap_or_default())
        };
        let alone = kinds("endings.alone_draws", section.alone_draws)?;
        let one_shade = kinds("endings.one_shade_draws", section.one_shade_draws)?;
        spec.endings.alone_draws = alone;
        spec.endings.one_shade_draws = one_shade;
        Ok(())
    }
}

fn distinct(kinds: &[PieceKind]) -> usize {
    (0..kinds.len()).filter(|&at| !kinds[..at].contains(&kinds[at])).count()
}
