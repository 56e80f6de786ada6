//! Tests of the network on real variants, through the public interface.

#![expect(clippy::unwrap_used, reason = "a failing test panics")]

mod agents;
mod evaluator;
mod networks;
mod openvino;
mod positions;
