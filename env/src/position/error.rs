//! What is wrong with texts of positions and actions.

/// What is wrong with a FEN.
#[derive(Debug, thiserror::Error)]
pub enum FenError {
    /// A field that breaks the rules.
    #[error("FEN field `{field}`: found `{found}`, expected {expected}")]
    Field {
        /// Which field: `board`, `side`, `rights`, `ep`, `halfmove`, `fullmove` or `extra`.
        field: &'static str,
        /// What stands there, or the beginning of it.
        found: String,
        /// What should.
        expected: String,
    },
    /// Too many fields, or too few.
    #[error(
        "FEN `{fen}`: found {found} fields, expected {expected} with one space between: {names}"
    )]
    FieldCount {
        /// The text, or the beginning of it.
        fen: String,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
        /// Their names, in order.
        names: &'static str,
    },
}

/// What is wrong with an action's text.
#[derive(Debug, thiserror::Error)]
pub enum ActionError {
    /// Not a legal action here.
    #[error("`{found}` is not a legal action in `{fen}`; legal: {legal}")]
    Illegal {
        /// The text, or the beginning of it.
        found: String,
        /// The position.
        fen: String,
        /// The legal actions, shortened.
        legal: String,
    },
}
