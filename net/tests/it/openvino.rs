//! Networks on OpenVINO. Without its library these tests say that they are skipped; with
//! `GRYPHON_REQUIRE_OPENVINO` set they fail.

use gryphon_env::Variant;
use gryphon_mcts::{Evaluation, Evaluator, Query};
use gryphon_net::{
    Agreement, EngineKind, InferenceNet, NetEvaluator, Network, OpenVinoNet, PlayingNet, Precision,
    Quantization, openvino_library,
};
use tch::Device;

use crate::networks::opinionated;
use crate::positions::{Sample, samples};

fn is_there() -> bool {
    let Err(error) = openvino_library() else { return true };
    let is_required = std::env::var_os("GRYPHON_REQUIRE_OPENVINO").is_some();
    assert!(!is_required, "{error}");
    eprintln!("SKIPPED: {error}");
    false
}

fn queries(samples: &[Sample]) -> Vec<Query<'_>> {
    samples.iter().map(Sample::query).collect()
}

fn libtorch(network: &Network) -> NetEvaluator {
    let net = InferenceNet::new(network, Device::Cpu, Precision::F32).unwrap();
    NetEvaluator::new(net, network.variant()).unwrap()
}

fn evaluator(net: &OpenVinoNet, variant: &'static Variant) -> NetEvaluator {
    NetEvaluator::new(net.clone(), variant).unwrap()
}

#[track_caller]
fn check_equal(found: &[Evaluation], expected: &[Evaluation], what: &str) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        for (a, b) in found.logits.iter().zip(&expected.logits) {
            assert!((a - b).abs() < 1e-3 * b.abs().max(1.0), "{what}: logit {a}, not {b}");
        }
        let (a, b) = (found.wdl, expected.wdl);
        let pairs = [(a.win, b.win), (a.draw, b.draw), (a.loss, b.loss)];
        assert!(pairs.iter().all(|(a, b)| (a - b).abs() < 1e-3), "{what}: {a:?}, not {b:?}");
    }
}

#[test]
fn openvino_answers_as_libtorch_does_in_every_variant() {
    if !is_there() {
        return;
    }
    for name in Variant::names() {
        let variant = Variant::named(name).unwrap();
        let network = opinionated(variant, "2x16");
        let net = OpenVinoNet::new(&network, Precision::F32, 1).unwrap();
        assert_eq!(
            PlayingNet::from(net.clone()).kind(),
            EngineKind::OpenVino(Precision::F32),
            "{name}"
        );
        let samples = samples(variant, 9);
        let queries = queries(&samples);
        let expected = libtorch(&network).evaluate(&queries).unwrap();
        // One engine for several batch sizes in turn.
        let mut evaluator = evaluator(&net, variant);
        for size in [9, 1, 4, 9] {
            let found = evaluator.evaluate(&queries[..size]).unwrap();
            check_equal(&found, &expected[..size], name);
        }
    }
}

#[test]
fn all_engines_of_a_network_give_the_same_bits_on_any_thread() {
    if !is_there() {
        return;
    }
    let variant = Variant::named("toulousain").unwrap();
    let network = opinionated(variant, "3x32");
    let samples = samples(variant, 24);
    let queries = queries(&samples);
    let calibrated = InferenceNet::new(&network, Device::Cpu, Precision::F32).unwrap();
    let quantization = Quantization::calibrate(&calibrated, variant, &queries).unwrap();
    let nets = |threads| {
        [
            OpenVinoNet::new(&network, Precision::F32, threads).unwrap(),
            OpenVinoNet::quantized(&network, &quantization, threads).unwrap(),
        ]
    };
    for (alone, shared) in nets(1).iter().zip(&nets(2)) {
        let expected = evaluator(alone, variant).evaluate(&queries).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut evaluator = evaluator(shared, variant);
                    for size in [24, 7, 24, 24] {
                        let found = evaluator.evaluate(&queries[..size]).unwrap();
                        assert!(size < 24 || found == expected);
                    }
                });
            }
        });
    }
}

fn agreement(network: &Network, change: impl FnOnce(Quantization) -> Quantization) -> Agreement {
    let variant = network.variant();
    let samples = samples(variant, 128);
    let queries = queries(&samples);
    let (for_ranges, held_out) = queries.split_at(64);
    let exact = InferenceNet::new(network, Device::Cpu, Precision::F32).unwrap();
    let quantization = Quantization::calibrate(&exact, variant, for_ranges).unwrap();
    let net = OpenVinoNet::quantized(network, &change(quantization), 1).unwrap();
    assert_eq!(PlayingNet::from(net.clone()).kind(), EngineKind::OpenVinoInt8);
    Agreement::measure(&mut libtorch(network), &mut evaluator(&net, variant), held_out).unwrap()
}

#[test]
fn calibrated_8_bit_numbers_are_accepted_and_cut_ones_refused() {
    if !is_there() {
        return;
    }
    for name in ["chess", "gryphon-aanca"] {
        let network = opinionated(Variant::named(name).unwrap(), "3x32");
        let calibrated = agreement(&network, |quantization| quantization);
        assert!(calibrated.is_close(), "{name}: {calibrated:?}");
        // They are not the same as fp32, or nothing was quantized.
        assert!(calibrated.policy_kl > 1e-9, "{name}: {calibrated:?}");
        let cut = agreement(&network, |quantization| quantization.scaled(0.05));
        assert!(!cut.is_close(), "{name}: {cut:?}");
    }
}
