use gryphon_env::{ActionParts, RunSeed, Square, Stream};

use super::*;
use crate::{InferenceNet, Precision};

/// Every pair of distinct squares, two swaps and `end`, on a board of `files` by `ranks`.
fn io(n_planes: usize, files: u8, ranks: u8) -> NetIo {
    let size = BoardSize::new(files, ranks).unwrap();
    let mut parts = Vec::new();
    for from in size.squares() {
        for to in size.squares().filter(|&to| to != from) {
            parts.push(ActionParts::Move { from, to, promotion: None });
        }
    }
    let square = |index| Square::new(index, size).unwrap();
    parts.push(ActionParts::Swap { first: square(0), second: square(1) });
    parts.push(ActionParts::Swap { first: square(0), second: square(2) });
    parts.push(ActionParts::End);
    NetIo { n_planes, size, policy: PolicyMap::from_parts(&parts) }
}

fn body(io: NetIo, shape: &str, seed: u64) -> Body {
    crate::set_single_threaded();
    let mut rng = RunSeed(seed).stream(Stream::Weights);
    let start = Start::Random(&mut rng);
    Body::new(io, shape.parse().unwrap(), start, Device::Cpu).unwrap()
}

/// Sparse planes, as positions give.
fn planes(io: &NetIo, batch: i64, seed: i64) -> Tensor {
    let [c, h, w] = io.dims();
    tch::manual_seed(seed);
    Tensor::rand([batch, c, h, w], (Kind::Float, Device::Cpu)).lt(0.1).to_kind(Kind::Float)
}

/// A few steps in training mode, so that running statistics are not the initial ones.
fn train_a_little(body: &Body) {
    let _guard = tch::no_grad_guard();
    for seed in 0..3 {
        body.forward(&planes(&body.io, 8, seed), Mode::Train).unwrap();
    }
    for named in &body.parameters {
        if named.name.ends_with(".bias") || named.name.contains("norm") {
            let mut tensor = named.tensor.shallow_clone();
            let noise = tensor.randn_like() * 0.2;
            let _ = tensor.g_add_(&noise);
        }
    }
}

fn largest_difference(a: &Tensor, b: &Tensor) -> f64 {
    (a - b).abs().max().double_value(&[])
}

#[test]
fn first_answers_are_nearly_equal_priors_and_a_balanced_value() {
    for (shape, files) in [("3x32", 8), ("6x64", 12), ("20x64", 8), ("1x8", 16)] {
        let body = body(io(40, files, files), shape, 1);
        for mode in [Mode::Eval, Mode::Train] {
            let _guard = tch::no_grad_guard();
            let output = body.forward(&planes(&body.io, 8, 2), mode).unwrap();
            let deviation = output.policy_logits.std_dim(1i64, true, false).max().double_value(&[]);
            assert!(deviation < 1.5, "{shape} {mode:?}: standard deviation {deviation}");
            let wdl = output.wdl_logits.softmax(1, Kind::Float);
            let value = (wdl.select(1, 0) - wdl.select(1, 2)).abs().max().double_value(&[]);
            assert!(value < 0.3, "{shape} {mode:?}: value {value}");
        }
    }
}

#[test]
fn the_same_stream_gives_the_same_weights() {
    let [a, b, c] = [1, 1, 2].map(|seed| body(io(12, 4, 5), "2x16", seed));
    let same = |a: &Body, b: &Body| {
        a.parameters
            .iter()
            .zip(&b.parameters)
            .all(|(a, b)| a.name == b.name && a.tensor == b.tensor)
    };
    assert!(same(&a, &b));
    assert!(!same(&a, &c));
}

#[test]
fn shapes_follow_the_board() {
    for (files, ranks) in [(3, 3), (8, 8), (16, 2), (12, 12)] {
        let body = body(io(7, files, ranks), "2x16", 3);
        let output = body.forward(&planes(&body.io, 3, 4), Mode::Eval).unwrap();
        assert_eq!(output.policy_logits.size(), [3, body.io.policy.len() as i64]);
        assert_eq!(output.wdl_logits.size(), [3, 3]);
    }
}

#[test]
fn a_wrong_batch_is_refused() {
    let body = body(io(7, 4, 5), "1x8", 3);
    let wrong = Tensor::zeros([2, 7, 4, 5], (Kind::Float, Device::Cpu));
    let error = body.forward(&wrong, Mode::Eval).unwrap_err().to_string();
    assert_eq!(error, "network input has fp32 [2, 7, 4, 5], expected fp32 [batch, 7, 5, 4]");
}

#[test]
fn the_frozen_form_answers_as_the_network_does() {
    for shape in ["1x8", "3x32", "4x48"] {
        let body = body(io(20, 8, 8), shape, 5);
        train_a_little(&body);
        let planes = planes(&body.io, 5, 6);
        let expected = body.forward(&planes, Mode::Eval).unwrap();
        for (precision, tolerance) in [(Precision::F32, 1e-4), (Precision::Bf16, 0.15)] {
            let frozen = InferenceNet::of_body(&body, Device::Cpu, precision).unwrap();
            let found = frozen.forward(&planes).unwrap();
            let policy = largest_difference(&found.policy_logits, &expected.policy_logits);
            let wdl = largest_difference(&found.wdl_logits, &expected.wdl_logits);
            assert!(policy < tolerance, "{shape} {precision}: policy differs by {policy}");
            assert!(wdl < tolerance, "{shape} {precision}: wdl differs by {wdl}");
        }
    }
}

#[test]
fn training_mode_changes_later_answers_in_evaluation_mode() {
    let body = body(io(20, 8, 8), "2x16", 7);
    let planes = planes(&body.io, 4, 8);
    let before = body.forward(&planes, Mode::Eval).unwrap();
    body.forward(&planes, Mode::Train).unwrap();
    let after = body.forward(&planes, Mode::Eval).unwrap();
    assert!(largest_difference(&before.policy_logits, &after.policy_logits) > 1e-4);
}
