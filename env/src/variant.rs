//! Variants: the rules of a game, compiled once from a text file.

use crate::{Action, ActionSpace, BoardSize, Color, ObservationLayout, PieceKind, Position};

/// Hash of everything in a variant's text that can change play.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub struct VariantHash(pub [u8; 32]);

/// What is wrong with a variant file.
#[derive(Debug, thiserror::Error)]
pub enum VariantError {
    /// No built-in variant has this name.
    #[error("unknown variant `{name}`, expected one of: {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The names that exist.
        known: String,
    },
}

/// A compiled rule set. Lives as long as the process: obtained as `&'static Variant`.
#[derive(Debug)]
pub struct Variant {}

impl Variant {
    /// The built-in variant called `name`.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(name: &str) -> Result<&'static Self, VariantError> {
        let _ = name;
        todo!()
    }

    /// Compiles the text of a variant file; `source` (a path or name) is for messages.
    /// The same text always gives the same reference.
    ///
    /// # Errors
    /// If the text is not a valid variant; the error names source, key and reason.
    pub fn from_text(source: &str, text: &str) -> Result<&'static Self, VariantError> {
        let _ = (source, text);
        todo!()
    }

    /// Names of the built-in variants, sorted.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        todo!()
    }

    /// The variant's identifier, as on the command line.
    #[must_use]
    pub fn name(&self) -> &str {
        todo!()
    }

    /// A self-contained text (extended files resolved) that compiles to this variant.
    #[must_use]
    pub fn text(&self) -> &str {
        todo!()
    }

    /// Hash of [`Variant::text`].
    #[must_use]
    pub fn hash(&self) -> VariantHash {
        todo!()
    }

    /// Size of the board.
    #[must_use]
    pub fn size(&self) -> BoardSize {
        todo!()
    }

    /// All piece kinds, in the file's order.
    pub fn kinds(&self) -> impl ExactSizeIterator<Item = PieceKind> + use<> {
        (0..0u8).map(PieceKind)
    }

    /// The upper-case letter of `kind` in FEN and promotions.
    #[must_use]
    pub fn letter(&self, kind: PieceKind) -> char {
        let _ = kind;
        todo!()
    }

    /// The full name of `kind`, as in `royal aide`.
    #[must_use]
    pub fn kind_name(&self, kind: PieceKind) -> &str {
        let _ = kind;
        todo!()
    }

    /// Whether check and mate are about this kind.
    #[must_use]
    pub fn is_royal(&self, kind: PieceKind) -> bool {
        let _ = kind;
        todo!()
    }

    /// What a unit of `kind` becomes whenever it moves (itself, in most games).
    #[must_use]
    pub fn changes_to(&self, kind: PieceKind) -> PieceKind {
        let _ = kind;
        todo!()
    }

    /// The start position.
    #[must_use]
    pub fn start(&'static self) -> Position {
        todo!()
    }

    /// Whether mirroring files left to right maps games to games, as the file claims and tests prove.
    #[must_use]
    pub fn is_mirror_symmetric(&self) -> bool {
        todo!()
    }

    /// The dense action indices of this variant.
    #[must_use]
    pub fn action_space(&self) -> &ActionSpace {
        todo!()
    }

    /// The observation planes of this variant.
    #[must_use]
    pub fn observation(&self) -> &ObservationLayout {
        todo!()
    }

    /// The text form of `action`: `a2a4`, `a11a12r`, `e1d2`, `end`, or `roll:3`.
    #[must_use]
    pub fn action_text(&self, action: Action) -> String {
        let _ = action;
        todo!()
    }

    /// Number of squares a unit of `kind` and `color` reaches from each square of an empty board,
    /// averaged: a first guess of its worth.
    #[must_use]
    pub fn empty_board_mobility(&self, kind: PieceKind, color: Color) -> f32 {
        let _ = (kind, color);
        todo!()
    }
}
