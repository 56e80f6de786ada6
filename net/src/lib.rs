//! The policy and value network on libtorch: evaluation, training step, agent files.
