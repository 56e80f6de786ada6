//! A graph, built operation by operation.

use tch::{Kind, Tensor};

use super::proto::{
    Attribute, AttributeKind, Dimension, DimensionValue, Graph, Node, NumberKind, TensorData,
    TensorShape, TensorType, ValueInfo, ValueType,
};
use crate::NetError;

/// The name of a value in a graph.
#[derive(Clone, Debug)]
pub(super) struct Value(String);

/// Collects operations and constants. A value's name is that of the operation that makes it.
#[derive(Debug, Default)]
pub(super) struct GraphBuilder {
    graph: Graph,
}

impl GraphBuilder {
    /// An input of fp32 with any batch size: `[B, dims]`.
    pub(super) fn input(&mut self, name: &str, dims: &[i64]) -> Value {
        self.graph.input.push(described(name, dims));
        Value(name.to_owned())
    }

    /// Makes `value` an output of fp32 called `name`: `[B, dims]`.
    pub(super) fn output(&mut self, name: &str, dims: &[i64], value: &Value) {
        self.node(name, "Identity", &[value], Vec::new());
        self.graph.output.push(described(name, dims));
    }

    /// A constant of fp32, of the tensor's shape.
    pub(super) fn floats(&mut self, name: &str, tensor: &Tensor) -> Result<Value, NetError> {
        let numbers = numbers(tensor)?;
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        Ok(self.constant(name, NumberKind::Float, tensor.size(), bytes))
    }

    /// A constant of 8-bit numbers.
    pub(super) fn bytes(
        &mut self,
        name: &str,
        kind: NumberKind,
        dims: Vec<i64>,
        bytes: Vec<u8>,
    ) -> Value {
        self.constant(name, kind, dims, bytes)
    }

    fn constant(
        &mut self,
        name: &str,
        kind: NumberKind,
        dims: Vec<i64>,
        raw_data: Vec<u8>,
    ) -> Value {
        let name = name.to_owned();
        let data = TensorData { dims, data_type: kind.into(), name: name.clone(), raw_data };
        self.graph.initializer.push(data);
        Value(name)
    }

    /// The operation `op_type` on `inputs`, whose value is called `name`.
    pub(super) fn node(
        &mut self,
        name: &str,
        op_type: &str,
        inputs: &[&Value],
        attribute: Vec<Attribute>,
    ) -> Value {
        self.graph.node.push(Node {
            input: inputs.iter().map(|value| value.0.clone()).collect(),
            output: vec![name.to_owned()],
            name: name.to_owned(),
            op_type: op_type.to_owned(),
            attribute,
        });
        Value(name.to_owned())
    }

    pub(super) fn finish(self, name: &str) -> Graph {
        Graph { name: name.to_owned(), ..self.graph }
    }
}

/// The attribute `name` with one number.
pub(super) fn int(name: &str, i: i64) -> Attribute {
    let kind = AttributeKind::Int.into();
    Attribute { name: name.to_owned(), i, ints: Vec::new(), kind }
}

/// The attribute `name` with a list of numbers.
pub(super) fn ints(name: &str, ints: &[i64]) -> Attribute {
    let kind = AttributeKind::Ints.into();
    Attribute { name: name.to_owned(), i: 0, ints: ints.to_vec(), kind }
}

/// The numbers of an fp32 tensor, in row-major order.
pub(super) fn numbers(tensor: &Tensor) -> Result<Vec<f32>, NetError> {
    let mut out = vec![0.0; tensor.numel()];
    let plain = tensor.f_to_kind(Kind::Float)?.f_contiguous()?;
    plain.f_copy_data(&mut out, tensor.numel())?;
    Ok(out)
}

fn described(name: &str, dims: &[i64]) -> ValueInfo {
    let batch = DimensionValue::Named("batch".to_owned());
    let fixed = dims.iter().map(|&length| DimensionValue::Fixed(length));
    let dim = [batch].into_iter().chain(fixed).map(|value| Dimension { value: Some(value) });
    let shape = Some(TensorShape { dim: dim.collect() });
    let tensor_type = Some(TensorType { elem_type: NumberKind::Float.into(), shape });
    ValueInfo { name: name.to_owned(), kind: Some(ValueType { tensor_type }) }
}
