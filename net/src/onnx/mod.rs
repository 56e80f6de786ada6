//! Networks as ONNX files, for engines other than libtorch.
//!
//! A file has one input, `planes` `[B, C, H, W]`, and three outputs: `maps` `[B, H, W, D + D + P]`
//! (query, key and promotion values of every square, queries scaled), `special` `[B, 2]` (logits of
//! swap and end) and `wdl` `[B, 3]` (logits of win, draw and loss), all fp32. `B` is any number.
//!
//! Shapes: `B` batch, `C` planes, `H` ranks, `W` files, `D` length of a key, `P` promotion kinds.

mod graph;
mod proto;
mod quantized;

use prost::Message as _;
use tch::Tensor;

use self::graph::{GraphBuilder, Value, int, ints};
use self::proto::{Model, OperatorSet};
pub use self::quantized::Quantization;
use crate::folded::{Affine, FoldedConv, FoldedLinear};
use crate::inference::{FoldedBlock, FoldedHeads, FoldedPool};
use crate::{InferenceNet, NetError};

/// Version of the intermediate representation, and of the operators: what tools read since 2022.
const IR_VERSION: i64 = 8;
const OPERATORS: i64 = 17;

pub(crate) const INPUT: &str = "planes";
pub(crate) const MAPS: &str = "maps";
pub(crate) const SPECIAL: &str = "special";
pub(crate) const WDL: &str = "wdl";

/// The bytes of an ONNX file that computes what `net`, in fp32, computes. With a quantization, the
/// 3×3 convolutions of the blocks, nearly all of the work, are done with 8-bit numbers.
///
/// # Errors
/// If libtorch fails.
pub(crate) fn to_onnx(
    net: &InferenceNet,
    quantization: Option<&Quantization>,
) -> Result<Vec<u8>, NetError> {
    Ok(model(net, quantization)?.encode_to_vec())
}

fn model(net: &InferenceNet, quantization: Option<&Quantization>) -> Result<Model, NetError> {
    let mut writer = Writer { graph: GraphBuilder::default(), quantization, n_quantized: 0 };
    writer.network(net)?;
    Ok(file(writer.graph))
}

/// The bytes of the smallest useful ONNX file, to try an engine with.
pub(crate) fn probe() -> Vec<u8> {
    let mut graph = GraphBuilder::default();
    let input = graph.input(INPUT, &[1]);
    let active = graph.node("active", "Relu", &[&input], Vec::new());
    graph.output(MAPS, &[1], &active);
    file(graph).encode_to_vec()
}

fn file(graph: GraphBuilder) -> Model {
    let operators = OperatorSet { domain: String::new(), version: OPERATORS };
    Model {
        ir_version: IR_VERSION,
        producer_name: "gryphon".to_owned(),
        producer_version: env!("CARGO_PKG_VERSION").to_owned(),
        graph: Some(graph.finish("gryphon")),
        opset_import: vec![operators],
    }
}

struct Writer<'a> {
    graph: GraphBuilder,
    quantization: Option<&'a Quantization>,
    /// Convolutions quantized so far: their order is that of [`Quantization`]'s inputs.
    n_quantized: usize,
}

impl Writer<'_> {
    fn network(&mut self, net: &InferenceNet) -> Result<(), NetError> {
        let dims = net.io().dims();
        let planes = self.graph.input(INPUT, &dims);
        let mut x = self.conv("stem", &planes, &net.stem)?;
        for (index, block) in net.blocks.iter().enumerate() {
            x = self.block(&format!("trunk.{index}"), &x, block)?;
        }
        let features = self.affine("trunk.norm", &x, &net.last)?;
        let features = self.relu("trunk.features", &features);
        self.heads(&features, dims, &net.heads)
    }

    fn block(&mut self, name: &str, x: &Value, block: &FoldedBlock) -> Result<Value, NetError> {
        let part = |part: &str| format!("{name}.{part}");
        let before = self.affine(&part("norm1"), x, &block.before)?;
        let active = self.relu(&part("active"), &before);
        let mut inner = self.block_conv(&part("conv1"), &active, &block.conv1)?;
        if let Some(pool) = &block.pool {
            let bias = self.pool(&part("pool"), &active, pool)?;
            inner = self.graph.node(&part("pooled"), "Add", &[&inner, &bias], Vec::new());
        }
        let inner = self.relu(&part("inner"), &inner);
        let change = self.block_conv(&part("conv2"), &inner, &block.conv2)?;
        Ok(self.graph.node(&part("sum"), "Add", &[&change, x], Vec::new()))
    }

    /// The bias that the whole board gives every channel: `[B, C, 1, 1]`.
    fn pool(&mut self, name: &str, active: &Value, pool: &FoldedPool) -> Result<Value, NetError> {
        let inner = self.conv(&format!("{name}.conv"), active, &pool.conv)?;
        let inner = self.relu(&format!("{name}.active"), &inner);
        let pooled = self.pooled(name, &inner);
        self.square_linear(&format!("{name}.linear"), &pooled, pool.linear.numbers())
    }

    fn heads(
        &mut self,
        features: &Value,
        [_, h, w]: [i64; 3],
        heads: &FoldedHeads,
    ) -> Result<(), NetError> {
        let (p, v) = (heads.policy_channels, heads.value_channels);
        let part = |start, length| -> Result<[Tensor; 2], NetError> {
            let [weight, bias] = heads.both.numbers();
            Ok([weight.f_narrow(0, start, length)?, bias.f_narrow(0, start, length)?])
        };
        let [weight, bias] = part(0, p)?;
        let policy = self.square_linear("policy.conv", features, [&weight, &bias])?;
        let policy = self.relu("policy.active", &policy);
        let maps = self.square_linear("policy.maps", &policy, heads.maps.numbers())?;
        let by_square = vec![ints("perm", &[0, 2, 3, 1])];
        let maps = self.graph.node("policy.by_square", "Transpose", &[&maps], by_square);
        let width = |layer: &FoldedLinear| layer.numbers()[0].size()[0];
        self.graph.output(MAPS, &[h, w, width(&heads.maps)], &maps);

        let pooled = self.flat_pooled("policy", &policy);
        let special = self.linear("policy.special", &pooled, &heads.special)?;
        self.graph.output(SPECIAL, &[width(&heads.special)], &special);

        let [weight, bias] = part(p, v)?;
        let value = self.square_linear("value.conv", features, [&weight, &bias])?;
        let value = self.relu("value.active", &value);
        let pooled = self.flat_pooled("value", &value);
        let hidden = self.linear("value.hidden", &pooled, &heads.hidden)?;
        let hidden = self.relu("value.hidden.active", &hidden);
        let wdl = self.linear("value.wdl", &hidden, &heads.wdl)?;
        self.graph.output(WDL, &[width(&heads.wdl)], &wdl);
        Ok(())
    }

    /// A convolution of a block, with 8-bit numbers if there is a quantization.
    fn block_conv(&mut self, name: &str, x: &Value, conv: &FoldedConv) -> Result<Value, NetError> {
        let Some(quantization) = self.quantization else { return self.conv(name, x, conv) };
        let range = quantization.range(self.n_quantized);
        self.n_quantized += 1;
        let x = quantized::input(&mut self.graph, name, x, range)?;
        let weight = quantized::weight(&mut self.graph, name, conv.weight(), quantization)?;
        self.convolve(name, &x, weight, conv)
    }

    fn conv(&mut self, name: &str, x: &Value, conv: &FoldedConv) -> Result<Value, NetError> {
        let weight = self.graph.floats(&format!("{name}.weight"), conv.weight())?;
        self.convolve(name, x, weight, conv)
    }

    fn convolve(
        &mut self,
        name: &str,
        x: &Value,
        weight: Value,
        conv: &FoldedConv,
    ) -> Result<Value, NetError> {
        let bias = conv.bias().map(|bias| self.graph.floats(&format!("{name}.bias"), bias));
        let inputs: Vec<Value> = [Ok(weight)].into_iter().chain(bias).collect::<Result<_, _>>()?;
        let inputs: Vec<&Value> = [x].into_iter().chain(&inputs).collect();
        let size = conv.weight().size();
        let kernel = ints("kernel_shape", &size[2..]);
        let padding = ints("pads", &[conv.padding(); 4]);
        Ok(self.graph.node(name, "Conv", &inputs, vec![kernel, padding]))
    }

    /// A fully connected layer over the channels of every square: `[B, C, H, W]` to
    /// `[B, outputs, H, W]`.
    fn square_linear(
        &mut self,
        name: &str,
        x: &Value,
        [weight, bias]: [&Tensor; 2],
    ) -> Result<Value, NetError> {
        let weight = weight.f_unsqueeze(-1)?.f_unsqueeze(-1)?;
        let weight = self.graph.floats(&format!("{name}.weight"), &weight)?;
        let bias = self.graph.floats(&format!("{name}.bias"), bias)?;
        let kernel = vec![ints("kernel_shape", &[1, 1])];
        Ok(self.graph.node(name, "Conv", &[x, &weight, &bias], kernel))
    }

    /// A fully connected layer: `[B, inputs]` to `[B, outputs]`.
    fn linear(&mut self, name: &str, x: &Value, layer: &FoldedLinear) -> Result<Value, NetError> {
        let [weight, bias] = layer.numbers();
        let weight = self.graph.floats(&format!("{name}.weight"), weight)?;
        let bias = self.graph.floats(&format!("{name}.bias"), bias)?;
        Ok(self.graph.node(name, "Gemm", &[x, &weight, &bias], vec![int("transB", 1)]))
    }

    fn affine(&mut self, name: &str, x: &Value, affine: &Affine) -> Result<Value, NetError> {
        let scale = self.graph.floats(&format!("{name}.scale"), affine.scale())?;
        let shift = self.graph.floats(&format!("{name}.shift"), affine.shift())?;
        let scaled = self.graph.node(&format!("{name}.scaled"), "Mul", &[x, &scale], Vec::new());
        Ok(self.graph.node(name, "Add", &[&scaled, &shift], Vec::new()))
    }

    fn relu(&mut self, name: &str, x: &Value) -> Value {
        self.graph.node(name, "Relu", &[x], Vec::new())
    }

    /// Mean and maximum of every channel over the squares: `[B, C, H, W]` to `[B, 2C, 1, 1]`.
    fn pooled(&mut self, name: &str, x: &Value) -> Value {
        let mean = self.graph.node(&format!("{name}.mean"), "GlobalAveragePool", &[x], Vec::new());
        let max = self.graph.node(&format!("{name}.max"), "GlobalMaxPool", &[x], Vec::new());
        self.graph.node(&format!("{name}.both"), "Concat", &[&mean, &max], vec![int("axis", 1)])
    }

    /// The same as `[B, 2C]`.
    fn flat_pooled(&mut self, name: &str, x: &Value) -> Value {
        let pooled = self.pooled(name, x);
        self.graph.node(&format!("{name}.flat"), "Flatten", &[&pooled], vec![int("axis", 1)])
    }
}

#[cfg(test)]
mod tests;
