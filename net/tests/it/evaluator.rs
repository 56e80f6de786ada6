use gryphon_env::{Actor, Color, Position, Variant};
use gryphon_mcts::{Evaluator, Query};
use gryphon_net::{InferenceNet, Mode, NetEvaluator, Precision};
use tch::{Device, Kind};

use crate::networks::{network, planes};
use crate::positions::samples;

fn evaluator(variant: &'static Variant) -> NetEvaluator {
    let net = InferenceNet::new(&network(variant, "2x16"), Device::Cpu, Precision::F32).unwrap();
    NetEvaluator::new(net, variant).unwrap()
}

#[test]
fn legal_actions_get_the_logits_of_their_indices() {
    let _guard = tch::no_grad_guard();
    for name in Variant::names() {
        let variant = Variant::named(name).unwrap();
        let n = 12;
        let expected = network(variant, "2x16").forward(&planes(variant, n), Mode::Eval).unwrap();
        let wdl = expected.wdl_logits.softmax(1, Kind::Float);
        let samples = samples(variant, n);
        let queries: Vec<Query<'_>> = samples.iter().map(|sample| sample.query()).collect();
        let answers = evaluator(variant).evaluate(&queries).unwrap();
        assert_eq!(answers.len(), samples.len());
        for (row, (sample, answer)) in (0i64..).zip(samples.iter().zip(&answers)) {
            let Actor::Player(mover) = sample.game().position().actor() else { unreachable!() };
            assert_eq!(answer.logits.len(), sample.legal().len());
            for (&action, &logit) in sample.legal().iter().zip(&answer.logits) {
                let index = variant.action_space().index(action, mover).unwrap();
                let wanted = expected.policy_logits.double_value(&[row, i64::from(index.0)]);
                assert!((f64::from(logit) - wanted).abs() < 1e-4, "{name}: {logit}, not {wanted}");
            }
            let found = [answer.wdl.win, answer.wdl.draw, answer.wdl.loss];
            for (column, probability) in (0i64..).zip(found) {
                let wanted = wdl.double_value(&[row, column]);
                assert!((f64::from(probability) - wanted).abs() < 1e-5, "{name}: {probability}");
            }
        }
    }
}

#[test]
fn a_batch_gives_what_its_positions_give_alone() {
    let variant = Variant::named("grant-acedrex").unwrap();
    let samples = samples(variant, 9);
    let queries: Vec<Query<'_>> = samples.iter().map(|sample| sample.query()).collect();
    let mut evaluator = evaluator(variant);
    let together = evaluator.evaluate(&queries).unwrap();
    for (query, expected) in queries.iter().zip(&together) {
        let alone = evaluator.evaluate(std::slice::from_ref(query)).unwrap();
        assert!((alone[0].wdl.win - expected.wdl.win).abs() < 1e-5);
        let pairs = alone[0].logits.iter().zip(&expected.logits);
        assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-4));
    }
    assert_eq!(evaluator.evaluate(&queries).unwrap(), together);
    assert_eq!(evaluator.evaluate(&[]).unwrap(), []);
}

#[test]
fn what_cannot_be_answered_is_an_error() {
    let chess = Variant::named("chess").unwrap();
    let dice = Variant::named("grant-acedrex-dice").unwrap();
    let mut evaluator = evaluator(dice);

    let samples = samples(chess, 1);
    let error = evaluator.evaluate(&[samples[0].query()]).unwrap_err().to_string();
    assert!(
        error.contains("position of `chess`, the network plays `grant-acedrex-dice`"),
        "{error}"
    );

    let start = dice.start();
    assert_eq!(start.actor(), Actor::Chance);
    let context = Default::default();
    let query = Query { position: &start, context, legal: &[] };
    let error = evaluator.evaluate(&[query]).unwrap_err().to_string();
    assert!(error.contains("the die is rolled"), "{error}");
}

#[test]
fn a_network_of_another_variant_is_refused() {
    let chess = Variant::named("chess").unwrap();
    let other = Variant::named("toulousain").unwrap();
    let net = InferenceNet::new(&network(chess, "1x8"), Device::Cpu, Precision::F32).unwrap();
    let error = NetEvaluator::new(net, other).unwrap_err().to_string();
    assert!(error.contains("`toulousain`") && error.contains("8x8"), "{error}");
}

#[test]
fn numbers_that_are_not_finite_are_an_error() {
    let variant = Variant::named("complicacious").unwrap();
    let network = network(variant, "1x8");
    for named in network.parameters() {
        if named.name == "policy.maps.bias" {
            let _guard = tch::no_grad_guard();
            let _ = named.tensor.shallow_clone().fill_(f64::NAN);
        }
    }
    let net = InferenceNet::new(&network, Device::Cpu, Precision::F32).unwrap();
    let mut evaluator = NetEvaluator::new(net, variant).unwrap();
    let samples = samples(variant, 1);
    let error = evaluator.evaluate(&[samples[0].query()]).unwrap_err().to_string();
    assert!(error.contains("is not finite"), "{error}");
}

/// Color-flipped positions look the same to the network, so they get the same answer.
#[test]
fn both_sides_see_the_board_alike() {
    let variant = Variant::named("chess").unwrap();
    let mut evaluator = evaluator(variant);
    let white = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    let black = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 2 3";
    let [white, black] = [white, black].map(|fen| Position::from_fen(variant, fen).unwrap());
    assert_eq!(white.side_to_move(), Color::White);
    let answers = [(&white, "f3e5"), (&black, "f6e4")].map(|(position, text)| {
        let legal = [position.parse_action(text).unwrap()];
        let query = Query { position, context: Default::default(), legal: &legal };
        evaluator.evaluate(&[query]).unwrap().remove(0)
    });
    assert!((answers[0].logits[0] - answers[1].logits[0]).abs() < 1e-5);
    assert!((answers[0].wdl.win - answers[1].wdl.win).abs() < 1e-5);
}
