//! Variants: the rules of a game, compiled once from a text file.

mod betza;
mod compile;
mod file;
mod first_moves;
mod mirror;
mod mistakes;
mod rays;
mod read;
mod registry;
mod resolve;
mod rules;
mod set_moves;
mod show;
mod spec;
mod tables;
mod zobrist;

use std::fmt;
use std::sync::OnceLock;

pub(crate) use self::compile::Tables;
pub(crate) use self::mistakes::nearest;
pub(crate) use self::rules::{Castling, Right, Role, Rules, kinds_of};
pub(crate) use self::set_moves::SetMoves;
pub use self::show::check_report;
pub(crate) use self::spec::Spec;
pub(crate) use self::tables::{BothWays, KindMoves, Obstacles};
use crate::position::core::Core;
use crate::{
    Action, ActionKind, ActionSpace, BoardSize, Color, FirstMoveRight, ObservationLayout,
    PieceKind, PlyCap, Position, Square,
};

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
    /// The text is not TOML.
    #[error("variant file `{file}`, line {line}, column {column}: {reason}")]
    Syntax {
        /// Path or name of the file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The character in the line, from 1.
        column: usize,
        /// What is wrong there.
        reason: String,
    },
    /// A key is unknown, is missing, or has a value that makes no sense.
    #[error("variant file `{file}`{}, key `{key}`: {reason}", OnLine(*.line))]
    Key {
        /// Path or name of the file.
        file: String,
        /// The key, as in `piece.Q.moves`.
        key: String,
        /// The line of the key, or of the section where it is missing, from 1.
        line: Option<usize>,
        /// What was found and what was expected.
        reason: String,
    },
}

/// A line in a message, if it is known.
struct OnLine(Option<usize>);

impl fmt::Display for OnLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |line| write!(f, ", line {line}"))
    }
}

impl VariantError {
    /// The line of the file that is wrong, from 1, if it is known.
    #[must_use]
    pub const fn line(&self) -> Option<usize> {
        match self {
            Self::Unknown { .. } => None,
            Self::Syntax { line, .. } => Some(*line),
            Self::Key { line, .. } => *line,
        }
    }

    /// The key that is wrong, as in `piece.Q.moves`.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Key { key, .. } => Some(key),
            Self::Unknown { .. } | Self::Syntax { .. } => None,
        }
    }
}

/// Which features positions of a variant can have.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub struct Features {
    /// Castling or a king's leap: [`Position::rights`] can hold something.
    pub first_move_rights: bool,
    /// [`Position::en_passant_squares`] can hold something.
    pub en_passant: bool,
    /// A set-up with exchanges before the game.
    pub exchange: bool,
    /// Opening turns of each side in which several units may move; 0 if none.
    pub n_multi_move_turns: u16,
    /// Units that may move in such a turn; 1 if there are none.
    pub n_multi_move_units: u8,
    /// Faces of the die; 0 without dice.
    pub n_faces: u8,
}

/// One move that some unit could make, whatever stands on the board.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct PossibleMove {
    /// Where the unit stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
    /// What it becomes by the player's choice.
    pub promotion: Option<PieceKind>,
}

/// A compiled rule set. Lives as long as the process: obtained as `&'static Variant`.
#[derive(Debug)]
pub struct Variant {
    spec: Spec,
    text: String,
    hash: VariantHash,
    tables: Tables,
    /// The position games begin at, once it was asked for.
    start: OnceLock<Core>,
    rights: Vec<FirstMoveRight>,
    action_space: ActionSpace,
    observation: ObservationLayout,
}

impl Variant {
    /// The built-in variant called `name`.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(name: &str) -> Result<&'static Self, VariantError> {
        registry::named(name)
    }

    /// Compiles the text of a variant file; `source` (a path or name) is for messages.
    /// The same text always gives the same reference.
    ///
    /// # Errors
    /// If the text is not a valid variant; the error names source, key and reason.
    pub fn from_text(source: &str, text: &str) -> Result<&'static Self, VariantError> {
        registry::from_text(source, text)
    }

    /// Every mistake of a variant file's text, found without keeping anything; none if
    /// [`Variant::from_text`] accepts it.
    #[must_use]
    pub fn mistakes(source: &str, text: &str) -> Vec<VariantError> {
        compile::compile(source, text).err().unwrap_or_default()
    }

    /// Names of the built-in variants, sorted.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        registry::names()
    }

    /// The variant's identifier, as on the command line.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// The name for people.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.spec.title
    }

    /// A self-contained text (extended files resolved) that compiles to this variant.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Hash of [`Variant::text`].
    #[must_use]
    pub fn hash(&self) -> VariantHash {
        self.hash
    }

    /// Size of the board.
    #[must_use]
    pub fn size(&self) -> BoardSize {
        self.spec.size
    }

    /// All piece kinds, in the file's order.
    pub fn kinds(&self) -> impl ExactSizeIterator<Item = PieceKind> + use<> {
        (0..self.spec.pieces.len() as u8).map(PieceKind)
    }

    /// The upper-case letter of `kind` in FEN and promotions.
    #[must_use]
    pub fn letter(&self, kind: PieceKind) -> char {
        self.spec.piece(kind).letter
    }

    /// The kind with an upper-case `letter`, if there is one.
    #[must_use]
    pub fn kind_of_letter(&self, letter: char) -> Option<PieceKind> {
        self.spec.kind_of(letter)
    }

    /// The full name of `kind`, as in `royal aide`.
    #[must_use]
    pub fn kind_name(&self, kind: PieceKind) -> &str {
        &self.spec.piece(kind).name
    }

    /// How `kind` moves, in Betza notation.
    #[must_use]
    pub fn betza(&self, kind: PieceKind) -> &str {
        &self.spec.piece(kind).betza
    }

    /// Whether check and mate are about this kind.
    #[must_use]
    pub fn is_royal(&self, kind: PieceKind) -> bool {
        self.spec.piece(kind).royal
    }

    /// Whether moves of this kind reset the clock and can be answered en passant.
    #[must_use]
    pub fn is_pawn(&self, kind: PieceKind) -> bool {
        self.spec.piece(kind).pawn
    }

    /// What a unit of `kind` becomes whenever it moves (itself, in most games).
    #[must_use]
    pub fn changes_to(&self, kind: PieceKind) -> PieceKind {
        self.spec.piece(kind).becomes
    }

    /// How many units of `kind` a side may have through moving, if that is limited.
    #[must_use]
    pub fn limit(&self, kind: PieceKind) -> Option<u8> {
        self.spec.piece(kind).limit
    }

    /// The kinds that faces of the die name, from face 1 on; empty without dice.
    #[must_use]
    pub fn faces(&self) -> &[PieceKind] {
        self.spec.dice.as_deref().unwrap_or_default()
    }

    /// What positions of this variant can have beside units, side and clocks.
    #[must_use]
    pub fn features(&self) -> Features {
        Features {
            first_move_rights: !self.rights.is_empty(),
            en_passant: self.spec.has_en_passant(),
            exchange: self.spec.exchange.is_some(),
            n_multi_move_turns: self.spec.turns.map_or(0, |turns| turns.turns),
            n_multi_move_units: self.spec.turns.map_or(1, |turns| turns.units),
            n_faces: self.faces().len() as u8,
        }
    }

    /// All first-move rights a position can hold.
    #[must_use]
    pub fn first_move_rights(&self) -> &[FirstMoveRight] {
        &self.rights
    }

    /// Plies without capture or pawn move that draw the game, if any number does.
    #[must_use]
    pub fn clock(&self) -> Option<u16> {
        self.spec.endings.clock
    }

    /// Plies after which training cuts a game, unless a config says otherwise.
    #[must_use]
    pub fn max_plies(&self) -> PlyCap {
        PlyCap(self.spec.max_plies)
    }

    /// The start position.
    #[must_use]
    pub fn start(&'static self) -> Position {
        let core = self.start.get_or_init(|| self.tables.start(&self.spec.start));
        Position::from_core(self, core.clone())
    }

    /// Whether mirroring files left to right maps games to games, as the file claims and tests prove.
    #[must_use]
    pub fn is_mirror_symmetric(&self) -> bool {
        self.spec.mirror
    }

    /// Every move that some unit of `color` could make on some board: leaps, slides, long pawn
    /// steps, captures, promotions, castling and the king's leap. Sorted, each once.
    #[must_use]
    pub fn possible_moves(&self, color: Color) -> Vec<PossibleMove> {
        self.tables.possible_moves(color)
    }

    /// Every pair of squares whose units `color` could exchange before the game, as an action names
    /// them.
    #[must_use]
    pub fn possible_swaps(&self, color: Color) -> Vec<(Square, Square)> {
        self.tables.possible_swaps(color)
    }

    /// The dense action indices of this variant.
    #[must_use]
    pub fn action_space(&self) -> &ActionSpace {
        &self.action_space
    }

    /// The observation planes of this variant.
    #[must_use]
    pub fn observation(&self) -> &ObservationLayout {
        &self.observation
    }

    /// The text form of `action`: `a2a4`, `a11a12r`, `e1d2`, `end`, or `roll:3`.
    #[must_use]
    pub fn action_text(&self, action: Action) -> String {
        let name = |square| self.size().square_name(square);
        match action.kind() {
            ActionKind::Move { from, to, promotion: None } => name(from) + &name(to),
            ActionKind::Move { from, to, promotion: Some(kind) } => {
                format!("{}{}{}", name(from), name(to), self.letter(kind).to_ascii_lowercase())
            }
            ActionKind::Swap { first, second } => name(first) + &name(second),
            ActionKind::End => "end".into(),
            ActionKind::Roll(face) => format!("roll:{}", face.0),
        }
    }

    /// Number of squares a unit of `kind` and `color` reaches from each square of an empty board,
    /// averaged: a first guess of its worth.
    #[must_use]
    pub fn empty_board_mobility(&self, kind: PieceKind, color: Color) -> f32 {
        self.tables.mobility(kind, color)
    }

    pub(crate) const fn tables(&self) -> &Tables {
        &self.tables
    }
}
