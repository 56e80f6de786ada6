use tch::nn::{self, OptimizerConfig};
use tch::{Device, Kind};

use super::*;

const CONFIG: AdamWConfig =
    AdamWConfig { beta1: 0.9, beta2: 0.98, epsilon: 1e-6, weight_decay: 0.1 };

/// A weight matrix, a convolution's weight and a bias, with numbers that depend on `seed`.
fn parameters(seed: i64) -> Vec<NamedTensor> {
    tch::manual_seed(seed);
    [("linear.weight", &[3, 5][..]), ("conv.weight", &[2, 3, 3, 3]), ("linear.bias", &[3])]
        .into_iter()
        .map(|(name, shape)| {
            let tensor = Tensor::randn(shape, (Kind::Float, Device::Cpu)).set_requires_grad(true);
            NamedTensor::new(name, tensor)
        })
        .collect()
}

/// A loss with gradients of different sizes, other ones at every step.
fn backward(parameters: &[NamedTensor], step: i64) {
    zero_gradients(parameters);
    let mut loss = Tensor::zeros([], (Kind::Float, Device::Cpu));
    for (index, named) in (1i64..).zip(parameters) {
        loss += ((&named.tensor * index - 0.1 * step as f64).sin() * index).sum(Kind::Float);
    }
    loss.backward();
}

fn assert_close(a: &Tensor, b: &Tensor, name: &str) {
    let difference = (a - b).abs().max().double_value(&[]);
    assert!(difference < 1e-6, "{name} differs by {difference}");
}

/// libtorch's own optimizer decays every tensor, so weights and biases are compared apart.
fn check_against_libtorch(ours: &[NamedTensor], weight_decay: f64) {
    let store = nn::VarStore::new(Device::Cpu);
    let theirs: Vec<NamedTensor> = ours
        .iter()
        .map(|named| {
            let name = named.name.replace('.', "_");
            NamedTensor::new(named.name.clone(), store.root().var_copy(&name, &named.tensor))
        })
        .collect();
    let AdamWConfig { beta1, beta2, epsilon: eps, .. } = CONFIG;
    let libtorch = nn::AdamW { beta1, beta2, wd: weight_decay, eps, amsgrad: false };
    let mut libtorch = libtorch.build(&store, 0.0).unwrap();
    let mut adamw = AdamW::new(ours, CONFIG);
    for step in 0..50 {
        let rate = crate::warmup(0.01, step, 10);
        backward(ours, step as i64);
        adamw.step(ours, rate).unwrap();
        backward(&theirs, step as i64);
        libtorch.set_lr(rate);
        libtorch.step();
    }
    for (mine, their) in ours.iter().zip(&theirs) {
        assert_close(&mine.tensor, &their.tensor, &mine.name);
    }
}

#[test]
fn fifty_steps_end_where_libtorch_ends() {
    let mut weights = parameters(1);
    let biases = weights.split_off(2);
    check_against_libtorch(&weights, CONFIG.weight_decay);
    check_against_libtorch(&biases, 0.0);
}

#[test]
fn a_saved_state_goes_on_bit_for_bit() {
    let straight = parameters(2);
    let mut optimizer = AdamW::new(&straight, CONFIG);
    let resumed = parameters(2);
    let mut first = AdamW::new(&resumed, CONFIG);
    for step in 0..10 {
        backward(&straight, step);
        optimizer.step(&straight, 0.01).unwrap();
        backward(&resumed, step);
        first.step(&resumed, 0.01).unwrap();
    }
    let mut second = AdamW::new(&resumed, CONFIG);
    second.restore(&first.state()).unwrap();
    assert_eq!(second.steps(), 10);
    for step in 10..20 {
        backward(&straight, step);
        optimizer.step(&straight, 0.01).unwrap();
        backward(&resumed, step);
        second.step(&resumed, 0.01).unwrap();
    }
    assert!(straight.iter().zip(&resumed).all(|(a, b)| a.tensor == b.tensor));
}

#[test]
fn a_foreign_or_broken_state_is_refused_and_changes_nothing() {
    let parameters = parameters(3);
    let mut optimizer = AdamW::new(&parameters, CONFIG);
    backward(&parameters, 0);
    optimizer.step(&parameters, 0.01).unwrap();
    let before = optimizer.state();

    let mut short = optimizer.state();
    short.tensors.pop();
    let error = optimizer.restore(&short).unwrap_err().to_string();
    assert_eq!(error, "weights: tensor `square.linear.bias` is missing, expected fp32 [3]");

    let broken = optimizer.state();
    let _ = broken.tensors[0].tensor.shallow_clone().fill_(f64::NAN);
    let error = optimizer.restore(&broken).unwrap_err().to_string();
    assert!(error.starts_with("tensor `mean.linear.weight` is not finite"), "{error}");

    let after = optimizer.state();
    assert!(before.tensors.iter().zip(&after.tensors).all(|(a, b)| a.tensor == b.tensor));
}

#[test]
fn a_step_needs_gradients() {
    let parameters = parameters(4);
    let error = AdamW::new(&parameters, CONFIG).step(&parameters, 0.01).unwrap_err().to_string();
    assert!(error.contains("`linear.weight` has no gradient"), "{error}");
}

#[test]
fn clipping_bounds_the_global_norm_and_keeps_the_direction() {
    let norm_of = |parameters: &[NamedTensor]| {
        let squares = parameters.iter().map(|named| named.tensor.grad().square().sum(Kind::Float));
        squares.map(|square| square.double_value(&[])).sum::<f64>().sqrt()
    };
    let parameters = parameters(5);
    backward(&parameters, 0);
    let norm = norm_of(&parameters);
    let before = parameters[1].tensor.grad().copy();
    assert!((clip_gradients(&parameters, 2.0 * norm).unwrap() - norm).abs() < 1e-4);
    assert_eq!(parameters[1].tensor.grad(), before);
    assert!((clip_gradients(&parameters, 0.5).unwrap() - norm).abs() < 1e-4);
    assert!((norm_of(&parameters) - 0.5).abs() < 1e-5);
    assert_close(&(parameters[1].tensor.grad() * (norm / 0.5)), &before, "direction");
    let _ = parameters[0].tensor.grad().fill_(f64::INFINITY);
    assert!(clip_gradients(&parameters, 0.5).is_err());
}
