//! The kinds of pieces: letters, moves, changes.

use super::Resolver;
use crate::variant::betza::{self, Part};
use crate::variant::file::PieceSection;
use crate::variant::spec::{PieceSpec, PromotionSpec};
use crate::{BoardSize, Excerpt, PieceKind};

impl Resolver<'_> {
    /// Reads all pieces. One with a mistake keeps its letter, so that other keys can name it.
    pub(super) fn read_pieces(&mut self, size: BoardSize) {
        let sections = &self.file.piece;
        if sections.is_empty() {
            self.mistakes.add_once("piece", "missing, expected at least one `[[piece]]`");
            return;
        }
        for section in sections {
            let letter = section.letter.chars().next();
            let mut piece = PieceSpec::new(letter.unwrap_or_default());
            if let Some(name) = &section.name {
                self.check_label(&format!("{}.name", section.path), name);
                piece.name.clone_from(name);
            }
            piece.becomes = PieceKind(self.pieces.len() as u8);
            piece.royal = section.royal.unwrap_or(false);
            piece.pawn = section.pawn.unwrap_or(false);
            piece.limit = section.limit;
            self.read_moves(section, &mut piece, size);
            if letter.is_some() {
                self.pieces.push(piece);
            }
        }
        for section in sections {
            self.read_becomes(section);
        }
        for section in sections {
            self.check_limit(section);
        }
        let may_be_royal = |section: &PieceSection| {
            section.royal == Some(true) || self.mistakes.concern(&format!("{}.royal", section.path))
        };
        if !sections.iter().any(may_be_royal) {
            let reason = "no piece is royal, expected `royal = true` for at least one: check and mate are about it";
            self.mistakes.add("piece", reason);
        }
    }

    /// The parts of a text of moves; none if there are mistakes.
    pub(super) fn betza(&mut self, key: &str, moves: &str) -> Vec<Part> {
        betza::parse(moves).unwrap_or_else(|errors| {
            for error in errors {
                self.mistakes.add(key, format!("`{}` {error}", Excerpt(moves)));
            }
            Vec::new()
        })
    }

    fn read_moves(&mut self, section: &PieceSection, piece: &mut PieceSpec, size: BoardSize) {
        let key = |name: &str| format!("{}.{name}", section.path);
        match &section.moves {
            Some(moves) => {
                piece.betza.clone_from(moves);
                piece.parts = self.betza(&key("moves"), moves);
            }
            None => {
                self.mistakes
                    .add_once(&key("moves"), "missing, expected Betza notation, as in `K`");
            }
        }
        for (rank, &n) in &section.steps {
            let number = rank.parse::<u8>().ok().filter(|rank| (1..=size.ranks()).contains(rank));
            match number.filter(|number| number.to_string() == *rank) {
                Some(number) => piece.steps[usize::from(number) - 1] = n,
                None => {
                    let (found, n_ranks) = (Excerpt(rank), size.ranks());
                    let reason = format!("found rank `{found}`, expected 1 to {n_ranks}");
                    self.mistakes.add(&key(&format!("steps.{found}")), reason);
                }
            }
        }
    }

    fn index_of(&self, section: &PieceSection) -> Option<usize> {
        self.pieces.iter().position(|piece| section.letter.chars().eq([piece.letter]))
    }

    fn read_becomes(&mut self, section: &PieceSection) {
        let Some(letter) = &section.becomes else { return };
        let key = format!("{}.becomes", section.path);
        let becomes = self.kind(&key, letter);
        let (Some(becomes), Some(index)) = (becomes, self.index_of(section)) else { return };
        if becomes.index() == index {
            let reason = format!(
                "found the piece's own letter {letter}, expected another, or no such key for a piece that stays what it is"
            );
            self.mistakes.add(&key, reason);
        } else if self.pieces[index].royal {
            self.mistakes.add(&key, "a royal kind cannot change");
        }
        self.pieces[index].becomes = becomes;
    }

    fn check_limit(&mut self, section: &PieceSection) {
        let Some(index) = self.index_of(section).filter(|_| section.limit.is_some()) else {
            return;
        };
        let letter = &section.letter;
        let is_target = self
            .pieces
            .iter()
            .enumerate()
            .any(|(other, piece)| other != index && piece.becomes.index() == index);
        if !is_target && !self.mistakes.concern("piece") {
            let reason = format!(
                "limits how many pieces change to {letter}, but none does; expected some piece with `becomes = \"{letter}\"`"
            );
            self.mistakes.add(&format!("{}.limit", section.path), reason);
        }
    }

    /// A pawn that can only go forward must become something at the end of the board.
    pub(super) fn check_pawns(&mut self, promotions: &[PromotionSpec]) {
        let sections = self.file.piece.iter();
        let kinds: Vec<_> =
            sections.filter_map(|it| Some((self.index_of(it)?, &it.path))).collect();
        for (index, path) in kinds {
            let (piece, kind) = (&self.pieces[index], PieceKind(index as u8));
            let is_forward = |part: &Part| part.leaps.iter().all(|&(_, y)| y > 0);
            let is_stuck = piece.pawn
                && !piece.parts.is_empty()
                && piece.parts.iter().all(is_forward)
                && piece.becomes == kind
                && !promotions.iter().any(|promotion| promotion.pieces.contains(&kind));
            if is_stuck && !self.mistakes.concern("promotion") {
                let letter = piece.letter;
                let reason = format!(
                    "a pawn that only goes forward is stuck on the last rank, expected {letter} in a `[[promotion]]`, or `becomes`"
                );
                self.mistakes.add(path, reason);
            }
        }
    }
}
