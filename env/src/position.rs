//! Positions: board, side, rights and clocks, and the rules that act on them.

use crate::{Action, Actor, Color, Outcome, Piece, PieceKind, Square, Variant};

/// Hash of a position.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct ZobristKey(pub u64);

/// One result of a chance event.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ChanceOutcome {
    /// The roll.
    pub action: Action,
    /// Its probability; those of a position sum to 1.
    pub probability: f32,
}

/// What is wrong with a FEN.
#[derive(Debug, thiserror::Error)]
pub enum FenError {
    /// A field that breaks the rules.
    #[error("FEN field `{field}`: found `{found}`, expected {expected}")]
    Field {
        /// Which field: `board`, `side`, `rights`, `ep`, `halfmove`, `fullmove` or `extra`.
        field: &'static str,
        /// What stands there.
        found: String,
        /// What should.
        expected: String,
    },
}

/// What is wrong with an action's text.
#[derive(Debug, thiserror::Error)]
pub enum ActionError {
    /// Not a legal action here.
    #[error("`{found}` is not a legal action in `{fen}`; legal: {legal}")]
    Illegal {
        /// The text.
        found: String,
        /// The position.
        fen: String,
        /// The legal actions, shortened.
        legal: String,
    },
}

/// A position of some variant. Cheap to clone; holds no history.
#[derive(Clone, Debug)]
pub struct Position {
    variant: &'static Variant,
}

impl Position {
    /// Reads a FEN.
    ///
    /// # Errors
    /// If a field is malformed or the position breaks the variant's rules.
    pub fn from_fen(variant: &'static Variant, fen: &str) -> Result<Self, FenError> {
        let _ = (variant, fen);
        todo!()
    }

    /// The FEN, byte for byte what [`Position::from_fen`] read.
    #[must_use]
    pub fn fen(&self) -> String {
        todo!()
    }

    /// The rules it is played by.
    #[must_use]
    pub const fn variant(&self) -> &'static Variant {
        self.variant
    }

    /// Who acts next.
    #[must_use]
    pub fn actor(&self) -> Actor {
        todo!()
    }

    /// Whose turn it is, also while the die is about to be rolled.
    #[must_use]
    pub fn side_to_move(&self) -> Color {
        todo!()
    }

    /// The unit on `square`.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let _ = square;
        todo!()
    }

    /// Number of units of `color` and `kind`.
    #[must_use]
    pub fn count(&self, color: Color, kind: PieceKind) -> u32 {
        let _ = (color, kind);
        todo!()
    }

    /// Plies since the last capture or pawn move.
    #[must_use]
    pub fn halfmove_clock(&self) -> u16 {
        todo!()
    }

    /// Number of the turn, from 1, raised after Black's.
    #[must_use]
    pub fn fullmove_number(&self) -> u16 {
        todo!()
    }

    /// Replaces the content of `actions` with the legal actions of the side to move. Their order is
    /// fixed for a given position. Empty if the game is over by mate, stalemate or bare king, or if
    /// the die must be rolled first.
    pub fn legal_actions(&self, actions: &mut Vec<Action>) {
        let _ = actions;
        todo!()
    }

    /// Replaces the content of `outcomes` with the results of the chance event that comes next;
    /// empty unless [`Position::actor`] is [`Actor::Chance`].
    pub fn chance_outcomes(&self, outcomes: &mut Vec<ChanceOutcome>) {
        let _ = outcomes;
        todo!()
    }

    /// Plays a legal action or a roll.
    ///
    /// # Panics
    /// May panic, or leave a position that no rule covers, if `action` is not legal here.
    pub fn play(&mut self, action: Action) {
        let _ = action;
        todo!()
    }

    /// Passes the turn, for null-move search. `None` where passing makes no sense: in check, in an
    /// unfinished turn, or before a roll.
    #[must_use]
    pub fn after_null_move(&self) -> Option<Self> {
        todo!()
    }

    /// Whether any king of the side to move is attacked.
    #[must_use]
    pub fn is_check(&self) -> bool {
        todo!()
    }

    /// Whether any unit of `by` attacks `square`.
    #[must_use]
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        let _ = (square, by);
        todo!()
    }

    /// What `action` captures, en passant included.
    #[must_use]
    pub fn captured(&self, action: Action) -> Option<Piece> {
        let _ = action;
        todo!()
    }

    /// The result by mate, stalemate, bare king, clock or material; repetition needs a
    /// [`Game`](crate::Game).
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        todo!()
    }

    /// Hash of everything that decides the future of the game but the clocks.
    #[must_use]
    pub fn key(&self) -> ZobristKey {
        todo!()
    }

    /// Hash of what counts for repetition: units, side, rights, en passant, extra field without die.
    #[must_use]
    pub fn repetition_key(&self) -> ZobristKey {
        todo!()
    }

    /// Whether the last action was such that no earlier position can come back.
    #[must_use]
    pub fn is_irreversible(&self) -> bool {
        self.halfmove_clock() == 0
    }

    /// Reads a legal action.
    ///
    /// # Errors
    /// If `text` is not the text of a legal action here.
    pub fn parse_action(&self, text: &str) -> Result<Action, ActionError> {
        let _ = text;
        todo!()
    }

    /// Number of action sequences of length `depth`; draws by rule do not shorten them.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        let _ = depth;
        todo!()
    }

    /// The board as drawn text, rank 1 at the bottom, with files and ranks named.
    #[must_use]
    pub fn board_text(&self) -> String {
        todo!()
    }
}
