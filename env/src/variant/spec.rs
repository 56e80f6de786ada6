//! What a variant file means: every key checked, every letter resolved.

use std::num::NonZeroU32;

use super::betza::{Offset, Part, Path};
use crate::{BoardSize, PieceKind};

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

impl PieceSpec {
    /// A kind that never moves.
    pub(crate) fn new(letter: char) -> Self {
        Self {
            letter,
            name: letter.to_string(),
            betza: String::new(),
            parts: Vec::new(),
            royal: false,
            pawn: false,
            steps: [0; BoardSize::MAX_SIDE as usize],
            becomes: PieceKind(0),
            limit: None,
        }
    }
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
#[derive(Clone, Debug, Default)]
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

/// Plies without capture or pawn move that draw, unless a file says otherwise.
const CLOCK: u16 = 100;

impl EndingsSpec {
    /// What holds where a file says no more than its clock, of which 0 is none.
    pub(crate) fn new(clock: Option<u16>) -> Self {
        let clock = Some(clock.unwrap_or(CLOCK)).filter(|&plies| plies != 0);
        Self { clock, ..Self::default() }
    }
}

impl Spec {
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
