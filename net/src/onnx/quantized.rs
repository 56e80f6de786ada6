//! Convolutions with 8-bit numbers: quantize–dequantize operations around them, from which an engine
//! makes 8-bit convolutions.
//!
//! Those of the blocks only. The stem is little work, and OpenVINO 2026.4.1 computes it wrongly with 8-bit
//! numbers on processors with AVX2 alone: values of a trained network are off by 0.3, while ONNX Runtime
//! finds 0.01 for the same file. The heads, whose answers are seen, are little work too.

use gryphon_env::Variant;
use gryphon_mcts::Query;
use tch::Tensor;

use super::graph::{GraphBuilder, Value, int, numbers};
use super::proto::NumberKind;
use crate::evaluator::encode;
use crate::{InferenceNet, NetError, cpu_has_vnni, set_single_threaded};

/// Positions that a calibration looks at together.
const BATCH: usize = 64;

/// How the 3×3 convolutions of a network's blocks are quantized.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantization {
    /// The largest input of each convolution on the positions that it was calibrated with, in the
    /// network's order. Inputs are never negative.
    ranges: Vec<f32>,
    weights: WeightRange,
}

/// The numbers that quantized weights may be.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
enum WeightRange {
    /// -127 to 127.
    Full,
    /// -63 to 63: without VNNI, x86 processors add two products of 8-bit numbers in 16 bits, which
    /// larger weights can overflow.
    Reduced,
}

impl WeightRange {
    fn of_this_cpu() -> Self {
        if cpu_has_vnni() { Self::Full } else { Self::Reduced }
    }

    const fn limit(self) -> f32 {
        match self {
            Self::Full => 127.0,
            Self::Reduced => 63.0,
        }
    }
}

impl Quantization {
    /// Finds the ranges of the convolutions' inputs on `queries`, positions such as the network will
    /// see; a few hundred are enough. `net` is in fp32.
    ///
    /// # Errors
    /// If `net` was not made for `variant`, or libtorch fails.
    pub fn calibrate(
        net: &InferenceNet,
        variant: &'static Variant,
        queries: &[Query<'_>],
    ) -> Result<Self, NetError> {
        set_single_threaded();
        net.io().check_variant(variant)?;
        let [c, h, w] = net.io().dims();
        let (mut planes, mut ranges) = (Vec::new(), Vec::new());
        for batch in queries.chunks(BATCH) {
            encode(variant, batch, &mut planes);
            let planes = Tensor::f_from_slice(&planes)?.f_view([batch.len() as i64, c, h, w])?;
            let mut index = 0;
            net.run_observed(&planes, &mut |input| {
                let largest = input.f_max()?.f_double_value(&[])? as f32;
                match ranges.get_mut(index) {
                    Some(range) => *range = largest.max(*range),
                    None => ranges.push(largest),
                }
                index += 1;
                Ok(())
            })?;
        }
        Ok(Self { ranges, weights: WeightRange::of_this_cpu() })
    }

    /// The same with every range multiplied by `factor`. With a small one most inputs are cut off.
    #[must_use]
    pub fn scaled(self, factor: f32) -> Self {
        let ranges = self.ranges.into_iter().map(|range| range * factor).collect();
        Self { ranges, ..self }
    }

    const fn weights(&self) -> WeightRange {
        self.weights
    }

    /// The largest input of convolution number `index`; 1 for one that was never reached.
    pub(super) fn range(&self, index: usize) -> f32 {
        let found = self.ranges.get(index).copied().filter(|range| *range > 0.0);
        found.unwrap_or(1.0)
    }
}

/// Numbers of `x` from 0 to `range`, in 255 steps; larger ones become `range`.
pub(super) fn input(
    graph: &mut GraphBuilder,
    name: &str,
    x: &Value,
    range: f32,
) -> Result<Value, NetError> {
    let part = |part: &str| format!("{name}.input.{part}");
    let scale = graph.floats(&part("scale"), &Tensor::from(range / 255.0))?;
    let zero = graph.bytes(&part("zero"), NumberKind::Uint8, Vec::new(), vec![0]);
    let small = graph.node(&part("small"), "QuantizeLinear", &[x, &scale, &zero], Vec::new());
    Ok(graph.node(&part("large"), "DequantizeLinear", &[&small, &scale, &zero], Vec::new()))
}

/// A convolution's weight `[outputs, inputs, k, k]`, with one scale for each output.
pub(super) fn weight(
    graph: &mut GraphBuilder,
    name: &str,
    weight: &Tensor,
    quantization: &Quantization,
) -> Result<Value, NetError> {
    let part = |part: &str| format!("{name}.weight.{part}");
    let dims = weight.size();
    let n_outputs = dims[0] as usize;
    let (scales, small) = round(&numbers(weight)?, n_outputs, quantization.weights());
    let scale = graph.floats(&part("scale"), &Tensor::from_slice(&scales))?;
    let zeros = vec![0; n_outputs];
    let zero = graph.bytes(&part("zero"), NumberKind::Int8, vec![dims[0]], zeros);
    let bytes = small.iter().flat_map(|number| number.to_le_bytes()).collect();
    let small = graph.bytes(&part("small"), NumberKind::Int8, dims, bytes);
    let axis = vec![int("axis", 0)];
    Ok(graph.node(&part("large"), "DequantizeLinear", &[&small, &scale, &zero], axis))
}

/// Scales of the `n_outputs` rows of `weights`, and the rows divided by them and rounded.
fn round(weights: &[f32], n_outputs: usize, range: WeightRange) -> (Vec<f32>, Vec<i8>) {
    let rows = || weights.chunks_exact(weights.len() / n_outputs);
    let scale = |row: &[f32]| {
        let largest = row.iter().fold(0.0f32, |largest, weight| largest.max(weight.abs()));
        if largest > 0.0 { largest / range.limit() } else { 1.0 }
    };
    let scales: Vec<f32> = rows().map(scale).collect();
    let small = rows()
        .zip(&scales)
        .flat_map(|(row, scale)| row.iter().map(move |weight| (weight / scale).round() as i8));
    let small = small.collect();
    (scales, small)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_rounded_row_by_row_to_at_most_half_a_step() {
        let weights = [1.0, -2.0, 0.5, 0.0, 0.0, 0.0, 0.25, 0.1, -0.003];
        for (range, limit) in [(WeightRange::Full, 127), (WeightRange::Reduced, 63)] {
            let (scales, small) = round(&weights, 3, range);
            assert_eq!(small[1], -limit);
            assert_eq!(small[6], limit);
            assert_eq!(small[3..6], [0, 0, 0]);
            for (index, weight) in weights.iter().enumerate() {
                let scale = scales[index / 3];
                let back = f32::from(small[index]) * scale;
                assert!((back - weight).abs() <= 0.501 * scale, "{weight} became {back}");
            }
        }
    }

    #[test]
    fn a_convolution_that_was_never_reached_has_a_usable_range() {
        let quantization = Quantization { ranges: vec![0.0, 3.0], weights: WeightRange::Full };
        assert_eq!([0, 1, 2].map(|index| quantization.range(index)), [1.0, 3.0, 1.0]);
    }
}
