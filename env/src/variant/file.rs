//! Variant files: their keys, and how one extends another.

use std::collections::BTreeMap;

use serde::Serialize;

use super::mistakes::Mistakes;
use crate::Excerpt;

/// A variant file as written; every key may be left to the file it extends.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct VariantFile {
    /// A built-in variant whose keys hold where this file has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extends: Option<String>,
    /// Sections and pieces (`piece.Q`) of the extended variant that do not hold here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) without: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    /// Files and ranks, as in `8x8`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) board: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start: Option<String>,
    /// Plies after which training cuts a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_plies: Option<u32>,
    /// Whether left and right may be exchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mirror: Option<bool>,
    /// Kings go forward only until their side has captured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) king_restriction: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) piece: Vec<PieceSection>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) promotion: Vec<PromotionSection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) castling: Option<CastlingSection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) leap: Option<LeapSection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) turns: Option<TurnsSection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) exchange: Option<ExchangeSection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) dice: Option<DiceSection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) endings: Option<EndingsSection>,
}

/// A kind of piece.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct PieceSection {
    /// Where it stands in the file, as messages name it.
    #[serde(skip)]
    pub(crate) path: String,
    /// A capital; empty if the file has none that can be used.
    pub(crate) letter: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// Betza notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) moves: Option<String>,
    /// Check and mate are about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) royal: Option<bool>,
    /// Its moves reset the clock, and its long steps may be answered en passant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pawn: Option<bool>,
    /// Greatest number of straight forward steps without capture, by own rank.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) steps: BTreeMap<String, u8>,
    /// The kind it becomes whenever it moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) becomes: Option<String>,
    /// How many a side may have through moving.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) limit: Option<u8>,
}

/// Compulsory promotion.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PromotionSection {
    /// Where it stands in the file, as messages name it.
    #[serde(skip)]
    pub(crate) path: String,
    /// Letters of the kinds that promote.
    pub(crate) pieces: String,
    /// The own rank on which they do.
    pub(crate) rank: u8,
    /// Letters of the kinds to choose from, on every file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) to: Option<String>,
    /// One letter a file, from the a-file on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) by_file: Option<String>,
}

/// Castling of the only king with partners on its rank.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct CastlingSection {
    pub(crate) partner: String,
    /// Distances the king may go.
    pub(crate) steps: Vec<u8>,
}

/// A king's leap on its first move.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LeapSection {
    /// Betza leaps of two squares.
    pub(crate) moves: String,
    pub(crate) captures: bool,
}

/// Opening turns of several moves.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TurnsSection {
    /// How many turns of each side.
    pub(crate) turns: u16,
    /// Greatest number of units moved in one.
    pub(crate) units: u8,
    /// Own ranks within which moves may be combined.
    pub(crate) home_ranks: u8,
}

/// Exchange of units before the game.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ExchangeSection {
    /// The kind whose units may be exchanged.
    pub(crate) first: String,
    /// The kind they change places with.
    pub(crate) second: String,
}

/// A die that names the kind to move.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct DiceSection {
    /// One letter a face, from 1 on.
    pub(crate) faces: String,
}

/// How games end beside checkmate.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct EndingsSection {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stalemate: Option<Stalemate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bare_king: Option<BareKing>,
    /// Plies without capture or pawn move that make a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) clock: Option<u16>,
    /// Letters of kinds of which one alone, beside kings, cannot mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) alone_draws: Option<String>,
    /// Letters of kinds that cannot mate, however many, if all stand on squares of one shade.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) one_shade_draws: Option<String>,
}

/// What stalemate means for the side that suffers it.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stalemate {
    Draw,
    Loss,
}

/// What it means for a side to have nothing but kings.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum BareKing {
    Loss,
    /// Nothing: the game goes on.
    Ignored,
}

impl VariantFile {
    /// This file on top of `parent`, which extends nothing.
    pub(crate) fn over(self, mut parent: Self, mistakes: &mut Mistakes) -> Self {
        for what in &self.without {
            if let Err(reason) = parent.drop_key(what) {
                mistakes.add("without", reason);
            }
        }
        let mut piece = parent.piece;
        for own in self.piece {
            match piece.iter_mut().find(|old| old.letter == own.letter && !own.letter.is_empty()) {
                Some(old) => own.merge_into(old),
                None => piece.push(own),
            }
        }
        let promotion = if self.promotion.is_empty() { parent.promotion } else { self.promotion };
        Self {
            extends: None,
            without: Vec::new(),
            name: self.name.or(parent.name),
            title: self.title.or(parent.title),
            board: self.board.or(parent.board),
            start: self.start.or(parent.start),
            max_plies: self.max_plies.or(parent.max_plies),
            mirror: self.mirror.or(parent.mirror),
            king_restriction: self.king_restriction.or(parent.king_restriction),
            piece,
            promotion,
            castling: self.castling.or(parent.castling),
            leap: self.leap.or(parent.leap),
            turns: self.turns.or(parent.turns),
            exchange: self.exchange.or(parent.exchange),
            dice: self.dice.or(parent.dice),
            endings: match (self.endings, parent.endings) {
                (Some(own), Some(old)) => Some(own.over(old)),
                (own, old) => own.or(old),
            },
        }
    }

    fn drop_key(&mut self, what: &str) -> Result<(), String> {
        if let Some(letter) = what.strip_prefix("piece.") {
            let n = self.piece.len();
            self.piece.retain(|piece| piece.letter != letter);
            return if self.piece.len() < n {
                Ok(())
            } else {
                Err(format!("the extended variant has no piece `{}`", Excerpt(letter)))
            };
        }
        let had = match what {
            "promotion" => !std::mem::take(&mut self.promotion).is_empty(),
            "castling" => self.castling.take().is_some(),
            "leap" => self.leap.take().is_some(),
            "turns" => self.turns.take().is_some(),
            "exchange" => self.exchange.take().is_some(),
            "dice" => self.dice.take().is_some(),
            "endings" => self.endings.take().is_some(),
            _ => {
                return Err(format!(
                    "`{}` cannot be left out, expected `castling`, `dice`, `endings`, `exchange`, `leap`, `promotion`, `turns` or `piece.` and a letter",
                    Excerpt(what)
                ));
            }
        };
        if had { Ok(()) } else { Err(format!("the extended variant has no `{what}`")) }
    }
}

impl PieceSection {
    fn merge_into(self, old: &mut Self) {
        let Self { path: _, letter: _, name, moves, royal, pawn, steps, becomes, limit } = self;
        old.name = name.or(old.name.take());
        old.moves = moves.or(old.moves.take());
        old.royal = royal.or(old.royal);
        old.pawn = pawn.or(old.pawn);
        if !steps.is_empty() {
            old.steps = steps;
        }
        old.becomes = becomes.or(old.becomes.take());
        old.limit = limit.or(old.limit);
    }
}

impl EndingsSection {
    fn over(self, parent: Self) -> Self {
        Self {
            stalemate: self.stalemate.or(parent.stalemate),
            bare_king: self.bare_king.or(parent.bare_king),
            clock: self.clock.or(parent.clock),
            alone_draws: self.alone_draws.or(parent.alone_draws),
            one_shade_draws: self.one_shade_draws.or(parent.one_shade_draws),
        }
    }
}
