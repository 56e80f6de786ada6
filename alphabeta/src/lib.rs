//! The alpha-beta baseline for every variant.
