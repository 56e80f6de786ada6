//! Tree search guided by an evaluator, for many games at once.
//!
//! A [`Search`] walks one game's tree: [`Search::gather`] asks for the evaluation of a leaf,
//! [`Search::apply`] takes the answer. Between the two the caller is free to fill a batch from many
//! searches; [`run_batch`] does just that. No network library is known here.

mod batch;
mod config;
mod evaluator;
mod search;
mod value;

pub use batch::run_batch;
pub use config::{GumbelConfig, PuctConfig, RootNoise, RootPolicy, SearchConfig};
pub use evaluator::{Evaluation, Evaluator, EvaluatorError, Query, UniformEvaluator};
pub use search::{Leaf, RootAction, Search, SearchResult, Step};
pub use value::{ValueMover, ValueWhite, Wdl};
