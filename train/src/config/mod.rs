//! Settings of a run: one TOML file, read once into checked types.
//!
//! [`RunConfig`] holds one struct for each section of the file. A key is one field in `keys.rs`: its
//! doc comment is its reference text, its type says what is accepted, and the word before it says
//! whether a run may change it when it goes on. Everything else (reading, printing, comparing, the
//! reference page, the test of the shipped files) follows from that line.
//!
//! Every key must be present: what a run does is what its file says. `--set section.key=value`
//! replaces single values on the way in.

mod difference;
mod error;
mod keys;
mod layers;
mod print;
mod value;

pub use difference::{ConfigHash, Difference};
pub use error::ConfigError;
pub use keys::{
    CheckpointsSection, EvaluationSection, KEYS, LearnerSection, NetworkSection, ReplaySection,
    RunConfig, RunSection, SearchSection, SelfplaySection,
};
pub use layers::{Key, OnResume};
pub use print::reference_page;
pub use value::{
    Backend, CapValue, ConfigValue, Fraction, NonNegative, Opponents, Positive, TreeUse,
    VariantChoice, Workers,
};

#[cfg(test)]
mod tests;
