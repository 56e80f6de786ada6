//! The alpha-beta baseline for every variant.
//!
//! One principal variation search knows the rules only through
//! [`Position`](gryphon_env::Position): it asks whose turn it is after every action instead of
//! assuming that sides alternate, and takes the expectation where the die acts. Piece values are
//! measured from the variant's own moves, so a variant file is all it needs. The same game, limit
//! and configuration always give the same answer.
//!
//! ```
//! use gryphon_alphabeta::{AlphaBeta, Config, Limit};
//! use gryphon_env::{Game, Variant};
//!
//! let variant = Variant::named("complicacious-simplified-limited")?;
//! let mut engine = AlphaBeta::new(variant, Config::default());
//! let report = engine.search(&Game::new(variant.start()), Limit::depth(2)).expect("not over");
//! assert_eq!(report.depth, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod driver;
mod evaluation;
mod limit;
mod node;
mod ordering;
mod past;
mod quiescence;
mod score;
mod table;
mod worth;

pub use driver::{AlphaBeta, SearchReport};
pub use evaluation::Evaluation;
pub use limit::{Config, Limit, Selectivity};
pub use score::Score;
pub use worth::PieceWorth;
