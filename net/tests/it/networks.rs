use gryphon_env::{RunSeed, Stream, Variant};
use gryphon_mcts::Query;
use gryphon_net::{
    Agreement, InferenceNet, Mode, NetEvaluator, NetShape, Network, Precision, Weights,
};
use tch::{Device, Kind, Tensor};

use crate::positions::{Sample, samples};

pub(crate) fn network(variant: &'static Variant, shape: &str) -> Network {
    gryphon_net::set_single_threaded();
    let mut rng = RunSeed(11).stream(Stream::Weights);
    let shape: NetShape = shape.parse().unwrap();
    Network::new(variant, shape, &mut rng, Device::Cpu).unwrap()
}

/// The observations of `n` positions of random games.
pub(crate) fn planes(variant: &'static Variant, n: u64) -> Tensor {
    let layout = variant.observation();
    let length = layout.n_planes() * variant.size().n_squares();
    let mut numbers = vec![0.0f32; n as usize * length];
    for (sample, out) in samples(variant, n).iter().zip(numbers.chunks_exact_mut(length)) {
        let query = sample.query();
        layout.encode(query.position, query.context, out);
    }
    let (ranks, files) = (variant.size().ranks(), variant.size().files());
    let shape = [n as i64, layout.n_planes() as i64, i64::from(ranks), i64::from(files)];
    Tensor::from_slice(&numbers).view(shape)
}

/// A network whose normalizations have seen positions, and whose opinions are strong.
pub(crate) fn opinionated(variant: &'static Variant, shape: &str) -> Network {
    let _guard = tch::no_grad_guard();
    let network = network(variant, shape);
    for _ in 0..50 {
        network.forward(&planes(variant, 16), Mode::Train).unwrap();
    }
    for (name, factor) in [("policy.maps.weight", 3.0), ("value.wdl.weight", 10.0)] {
        let tensor = network.parameters().iter().find(|named| named.name == name).unwrap();
        let _ = tensor.tensor.shallow_clone().g_mul_scalar_(factor);
    }
    network
}

#[test]
fn every_variant_starts_with_nearly_equal_priors_and_a_balanced_value() {
    let _guard = tch::no_grad_guard();
    for name in Variant::names() {
        let variant = Variant::named(name).unwrap();
        let network = network(variant, "3x32");
        let output = network.forward(&planes(variant, 6), Mode::Eval).unwrap();
        assert_eq!(output.policy_logits.size(), [6, variant.action_space().len() as i64]);
        let deviation = output.policy_logits.std_dim(1i64, true, false).max().double_value(&[]);
        assert!(0.0 < deviation && deviation < 1.5, "{name}: standard deviation {deviation}");
        let wdl = output.wdl_logits.softmax(1, Kind::Float);
        let value = (wdl.select(1, 0) - wdl.select(1, 2)).abs().max().double_value(&[]);
        assert!(value < 0.3, "{name}: value {value}");
    }
}

#[test]
fn the_frozen_form_agrees_in_every_variant() {
    let _guard = tch::no_grad_guard();
    for name in Variant::names() {
        let variant = Variant::named(name).unwrap();
        let network = network(variant, "2x16");
        let planes = planes(variant, 4);
        network.forward(&planes, Mode::Train).unwrap();
        let expected = network.forward(&planes, Mode::Eval).unwrap();
        let frozen = InferenceNet::new(&network, Device::Cpu, Precision::F32).unwrap();
        let found = frozen.forward(&planes).unwrap();
        for (found, expected) in
            [(found.policy_logits, expected.policy_logits), (found.wdl_logits, expected.wdl_logits)]
        {
            let difference = (found - expected).abs().max().double_value(&[]);
            assert!(difference < 1e-4, "{name}: differs by {difference}");
        }
    }
}

#[test]
fn weights_travel_between_networks() {
    let variant = Variant::named("complicacious-simplified").unwrap();
    let network = network(variant, "2x16");
    let planes = planes(variant, 4);
    network.forward(&planes, Mode::Train).unwrap();
    let weights = network.weights();
    let copy = Network::from_weights(variant, network.shape(), &weights, Device::Cpu).unwrap();
    let [a, b] = [&network, &copy].map(|n| n.forward(&planes, Mode::Eval).unwrap());
    assert_eq!(a.policy_logits, b.policy_logits);
    assert_eq!(a.wdl_logits, b.wdl_logits);
}

#[test]
fn foreign_weights_are_refused_by_name() {
    let variant = Variant::named("complicacious-simplified").unwrap();
    let mut narrow = network(variant, "2x16");
    let wide = network(variant, "2x24").weights();
    let error = narrow.load_weights(&wide).unwrap_err().to_string();
    assert!(error.starts_with("weights: tensor `stem.weight` is fp32 [24, "), "{error}");
    let deep = network(variant, "3x16").weights();
    let error = narrow.load_weights(&deep).unwrap_err().to_string();
    assert!(error.contains("is missing, expected fp32"), "{error}");
    let broken = narrow.weights();
    let _ = broken.tensors()[5].tensor.shallow_clone().fill_(f64::INFINITY);
    let error = narrow.load_weights(&broken).unwrap_err().to_string();
    assert!(error.contains(&broken.tensors()[5].name) && error.contains("not finite"), "{error}");
}

#[test]
fn averaged_weights_follow_slowly() {
    let variant = Variant::named("complicacious-simplified").unwrap();
    let network = network(variant, "1x8");
    let mut average = network.weights();
    let newer = Weights::new(
        average
            .copied()
            .tensors()
            .iter()
            .map(|named| gryphon_net::NamedTensor::new(named.name.clone(), &named.tensor + 1.0))
            .collect(),
    );
    average.average(&newer, 0.75).unwrap();
    for (found, start) in average.tensors().iter().zip(network.weights().tensors()) {
        let moved = (&found.tensor - &start.tensor - 0.25).abs().max().double_value(&[]);
        assert!(moved < 1e-5, "{}: off by {moved}", found.name);
    }
}

#[test]
fn training_makes_a_small_batch_likely() {
    use gryphon_net::{AdamW, AdamWConfig, clip_gradients, zero_gradients};

    let variant = Variant::named("gryphon-aanca").unwrap();
    let network = network(variant, "2x16");
    let planes = planes(variant, 8);
    let targets = Tensor::from_slice(&[0i64, 5, 10, 200, 300, 7, 8, 9]);
    let results = Tensor::from_slice(&[0i64, 1, 2, 0, 1, 2, 0, 1]);
    let config = AdamWConfig { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weight_decay: 1e-4 };
    let mut optimizer = AdamW::new(network.parameters(), config);
    let mut losses = Vec::new();
    for _ in 0..60 {
        let output = network.forward(&planes, Mode::Train).unwrap();
        let loss = output.policy_logits.cross_entropy_for_logits(&targets)
            + output.wdl_logits.cross_entropy_for_logits(&results);
        losses.push(loss.double_value(&[]));
        zero_gradients(network.parameters());
        loss.backward();
        clip_gradients(network.parameters(), 1.0).unwrap();
        optimizer.step(network.parameters(), 0.01).unwrap();
    }
    let (first, last) = (losses[0], losses[59]);
    assert!(last < 0.1 * first, "loss went from {first} to {last}");
}

#[test]
fn an_opinionated_network_is_not_all_alike() {
    let _guard = tch::no_grad_guard();
    let variant = Variant::named("chess").unwrap();
    let output = opinionated(variant, "3x32").forward(&planes(variant, 16), Mode::Eval).unwrap();
    let deviation = output.policy_logits.std_dim(1i64, true, false).min().double_value(&[]);
    assert!(deviation > 0.5, "standard deviation of logits {deviation}");
    let wdl = output.wdl_logits.softmax(1, Kind::Float);
    let spread = wdl.select(1, 0).std(true).double_value(&[]);
    assert!(spread > 0.05, "standard deviation of winning chances {spread}");
}

/// Processors without instructions for bf16 compute it too, slowly.
#[test]
fn bf16_stays_close_to_fp32() {
    for name in ["chess", "gryphon-aanca"] {
        let variant = Variant::named(name).unwrap();
        let network = opinionated(variant, "3x32");
        let samples = samples(variant, 64);
        let queries: Vec<Query<'_>> = samples.iter().map(Sample::query).collect();
        let [mut exact, mut tested] = [Precision::F32, Precision::Bf16].map(|precision| {
            let net = InferenceNet::new(&network, Device::Cpu, precision).unwrap();
            NetEvaluator::new(net, variant).unwrap()
        });
        let found = Agreement::measure(&mut exact, &mut tested, &queries).unwrap();
        assert!(found.is_close(), "{name}: {found:?}");
        // They are not the same, or both were fp32.
        assert!(found.policy_kl > 1e-9, "{name}: {found:?}");
    }
}
