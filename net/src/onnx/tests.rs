use std::collections::HashSet;

use gryphon_env::{RunSeed, Stream, Variant};
use prost::Message as _;
use tch::Device;

use super::proto::{DimensionValue, NumberKind, ValueInfo};
use super::*;
use crate::{Network, Precision};

fn net(variant: &str, shape: &str) -> InferenceNet {
    let variant = Variant::named(variant).unwrap();
    let mut rng = RunSeed(7).stream(Stream::Weights);
    let network = Network::new(variant, shape.parse().unwrap(), &mut rng, Device::Cpu).unwrap();
    InferenceNet::new(&network, Device::Cpu, Precision::F32).unwrap()
}

fn quantization(net: &InferenceNet) -> Quantization {
    let variant = Variant::named("complicacious").unwrap();
    let position = variant.start();
    let mut legal = Vec::new();
    position.legal_actions(&mut legal);
    let query =
        gryphon_mcts::Query { position: &position, context: Default::default(), legal: &legal };
    Quantization::calibrate(net, variant, &[query]).unwrap()
}

/// Every name that is used was made before, and no name is made twice.
fn check_order(model: &Model) {
    let graph = model.graph.as_ref().unwrap();
    let mut known: HashSet<&str> = graph.input.iter().map(|input| input.name.as_str()).collect();
    for constant in &graph.initializer {
        assert!(known.insert(&constant.name), "`{}` twice", constant.name);
        let size = match constant.data_type() {
            NumberKind::Float => 4,
            NumberKind::Uint8 | NumberKind::Int8 => 1,
            NumberKind::Undefined => panic!("`{}` has no kind", constant.name),
        };
        let n = constant.dims.iter().product::<i64>() as usize;
        assert_eq!(constant.raw_data.len(), n * size, "`{}`", constant.name);
    }
    for node in &graph.node {
        for input in &node.input {
            assert!(known.contains(input.as_str()), "`{}` uses unknown `{input}`", node.name);
        }
        for output in &node.output {
            assert!(known.insert(output), "`{output}` twice");
        }
    }
    for output in &graph.output {
        assert!(known.contains(output.name.as_str()), "no `{}`", output.name);
    }
}

fn described(value: &ValueInfo) -> String {
    let tensor = value.kind.as_ref().unwrap().tensor_type.as_ref().unwrap();
    assert_eq!(tensor.elem_type(), NumberKind::Float);
    let dims = tensor.shape.as_ref().unwrap().dim.iter().map(|dim| match &dim.value {
        Some(DimensionValue::Fixed(length)) => length.to_string(),
        Some(DimensionValue::Named(name)) => name.clone(),
        None => panic!("`{}` has a dimension without a value", value.name),
    });
    format!("{} [{}]", value.name, dims.collect::<Vec<_>>().join(", "))
}

#[test]
fn files_survive_the_trip_and_are_in_order() {
    for (variant, shape) in [("complicacious", "1x8"), ("gryphon-aanca", "3x16")] {
        let net = net(variant, shape);
        let model = model(&net, None).unwrap();
        check_order(&model);
        let bytes = to_onnx(&net, None).unwrap();
        assert_eq!(Model::decode(bytes.as_slice()).unwrap(), model);
    }
}

#[test]
fn inputs_and_outputs_are_as_documented() {
    let net = net("gryphon-aanca", "2x16");
    let graph = model(&net, None).unwrap().graph.unwrap();
    let [c, h, w] = net.io().dims();
    let width = 2 * net.key_size() + net.io().policy.n_promotions();
    assert_eq!(
        graph.input.iter().map(described).collect::<Vec<_>>(),
        [format!("planes [batch, {c}, {h}, {w}]")]
    );
    assert_eq!(
        graph.output.iter().map(described).collect::<Vec<_>>(),
        [
            format!("maps [batch, {h}, {w}, {width}]"),
            "special [batch, 2]".to_owned(),
            "wdl [batch, 3]".to_owned(),
        ]
    );
}

#[test]
fn the_operations_of_a_small_network() {
    let graph = model(&net("complicacious", "1x8"), None).unwrap().graph.unwrap();
    let lines = graph.node.iter().map(|node| {
        format!("{} = {}({})", node.output.join(", "), node.op_type, node.input.join(", "))
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"));
}

#[test]
fn weights_are_written_as_they_are() {
    let net = net("complicacious", "1x8");
    let graph = model(&net, None).unwrap().graph.unwrap();
    let stem = graph.initializer.iter().find(|data| data.name == "stem.weight").unwrap();
    assert_eq!(stem.dims, net.stem.weight().size());
    let last = f32::from_le_bytes(*stem.raw_data.last_chunk().unwrap());
    let weight = net.stem.weight();
    assert_eq!(f64::from(last), weight.double_value(&[7, weight.size()[1] - 1, 2, 2]));
}

#[test]
fn only_the_3x3_convolutions_of_blocks_are_quantized() {
    let net = net("complicacious", "3x16");
    let quantization = quantization(&net);
    let quantized = model(&net, Some(&quantization)).unwrap();
    check_order(&quantized);
    let graph = quantized.graph.as_ref().unwrap();
    let count = |op_type: &str| graph.node.iter().filter(|node| node.op_type == op_type).count();
    // Two in each block; of each the input and the weight.
    assert_eq!(count("QuantizeLinear"), 6);
    assert_eq!(count("DequantizeLinear"), 12);
    for node in graph.node.iter().filter(|node| node.op_type == "Conv") {
        let kernel = &node.attribute.iter().find(|a| a.name == "kernel_shape").unwrap().ints;
        let is_quantized = node.input.iter().take(2).all(|name| name.ends_with(".large"));
        let is_counted = kernel == &[3, 3] && node.name != "stem";
        assert_eq!(is_quantized, is_counted, "`{}`", node.name);
    }
    let bytes = to_onnx(&net, Some(&quantization)).unwrap();
    assert_eq!(Model::decode(bytes.as_slice()).unwrap(), quantized);
    assert!(bytes.len() < to_onnx(&net, None).unwrap().len());
}
