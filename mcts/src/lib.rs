//! Tree search guided by an evaluator, for many games at once.
//!
//! A [`Search`] walks one game's tree: [`Search::gather`] finds leaves, [`Search::queries`] asks for
//! their evaluation, [`Search::apply`] takes the answers. Between them the caller is free to fill a
//! batch from many searches; [`run_batch`] does just that, and [`run_until`] stops in time. No network
//! library is known here, and no clock.
//!
//! Values in the tree are White's and turn into the mover's where a side chooses; who acts in a node
//! is what its position says. Nothing assumes that the sides alternate.

mod config;
mod value;

mod cache;
mod evaluator;

mod bounds;
mod tree;

mod backup;
mod chance;
mod gumbel;
mod history;
mod improved;
mod probe;
mod puct;
mod reuse;

mod batch;
mod lines;
mod result;
mod search;

pub use batch::{run_batch, run_until};
pub use cache::{CacheStatistics, EvaluationCache, EvaluationKey};
pub use config::{FirstPlayUrgency, GumbelConfig, PuctConfig, RootNoise, RootPolicy, SearchConfig};
pub use evaluator::{Evaluation, Evaluator, EvaluatorError, Query, UniformEvaluator};
pub use lines::Line;
pub use result::{RootAction, SearchResult};
pub use search::{Search, Step};
pub use value::{ValueMover, ValueWhite, Wdl};
