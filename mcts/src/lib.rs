//! Tree search guided by an evaluator, for many games at once.
//!
//! A [`Search`] walks one game's tree: [`Search::gather`] asks for the evaluation of a leaf,
//! [`Search::apply`] takes the answer. Between the two the caller is free to fill a batch from many
//! searches; [`run_batch`] does just that. No network library is known here.
//!
//! Values in the tree are White's and turn into the mover's where a side chooses; who acts in a node
//! is what its position says. Nothing assumes that the sides alternate.

mod config;
mod value;

mod evaluator;

mod bounds;
mod tree;

mod backup;
mod chance;
mod gumbel;
mod history;
mod improved;
mod puct;
mod reuse;

mod batch;
mod result;
mod search;

pub use batch::run_batch;
pub use config::{GumbelConfig, PuctConfig, RootNoise, RootPolicy, SearchConfig};
pub use evaluator::{Evaluation, Evaluator, EvaluatorError, Query, UniformEvaluator};
pub use result::{RootAction, SearchResult};
pub use search::{Leaf, Search, Step};
pub use value::{ValueMover, ValueWhite, Wdl};
