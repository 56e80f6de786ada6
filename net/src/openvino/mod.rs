//! Networks computed by OpenVINO, if its library is there when the program runs.
//!
//! The network goes there as an ONNX file in memory. Each thread has a request of its own, which
//! computes in the calling thread.

mod library;

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use openvino::{
    CompiledModel, DeviceType, ElementType, InferRequest, InferenceError, RwPropertyKey, Shape,
    Tensor,
};
use tch::Device;

use self::library::Library;
use crate::body::NetIo;
use crate::engine::{Engine, RawAnswers};
use crate::onnx::{self, Quantization};
use crate::{EngineKind, InferenceNet, NetError, Network, Precision};

/// A network compiled by OpenVINO. Clones share it and may go to other threads.
#[derive(Clone)]
pub struct OpenVinoNet(Arc<Compiled>);

struct Compiled {
    io: NetIo,
    key_size: usize,
    kind: EngineKind,
    model: Mutex<CompiledModel>,
}

/// The library's file, if it is there and can be loaded.
///
/// # Errors
/// If not; the error says where it was looked for.
pub fn openvino_library() -> Result<PathBuf, NetError> {
    Ok(Library::get()?.path().to_owned())
}

impl OpenVinoNet {
    /// The frozen form of `network` as it is now, for `threads` threads at once.
    ///
    /// # Errors
    /// If the library is not there, or refuses the network.
    pub fn new(network: &Network, precision: Precision, threads: usize) -> Result<Self, NetError> {
        Self::compile(network, precision, None, threads)
    }

    /// The same with 8-bit convolutions.
    ///
    /// # Errors
    /// If the library is not there, or refuses the network.
    pub fn quantized(
        network: &Network,
        quantization: &Quantization,
        threads: usize,
    ) -> Result<Self, NetError> {
        Self::compile(network, Precision::fastest(Device::Cpu), Some(quantization), threads)
    }

    /// `precision` is for all that is not quantized.
    fn compile(
        network: &Network,
        precision: Precision,
        quantization: Option<&Quantization>,
        threads: usize,
    ) -> Result<Self, NetError> {
        let library = Library::get()?;
        let net = InferenceNet::new(network, Device::Cpu, Precision::F32)?;
        let file = onnx::to_onnx(&net, quantization)?;
        let hint = match precision {
            Precision::F32 => "f32",
            Precision::Bf16 => "bf16",
        };
        let threads = threads.to_string();
        let properties = [
            (RwPropertyKey::NumStreams, threads.as_str()),
            (RwPropertyKey::InferenceNumThreads, &threads),
            (RwPropertyKey::HintInferencePrecision, hint),
            (RwPropertyKey::HintEnableCpuPinning, "NO"),
        ];
        let mut core = library.core();
        core.set_properties(&DeviceType::CPU, properties)?;
        let model = core.read_model_from_buffer(&file, None)?;
        let model = core.compile_model(&model, DeviceType::CPU)?;
        Ok(Self(Arc::new(Compiled {
            io: net.io().clone(),
            key_size: net.key_size(),
            kind: quantization
                .map_or(EngineKind::OpenVino(precision), |_| EngineKind::OpenVinoInt8),
            model: Mutex::new(model),
        })))
    }

    pub(crate) fn kind(&self) -> EngineKind {
        self.0.kind
    }

    /// An engine for one thread.
    pub(crate) fn engine(&self) -> Result<OpenVinoEngine, NetError> {
        let mut model = self.0.model.lock().unwrap_or_else(PoisonError::into_inner);
        let request = model.create_infer_request()?;
        Ok(OpenVinoEngine { net: self.clone(), request, input: None })
    }
}

/// A thread's way to compute an [`OpenVinoNet`].
pub(crate) struct OpenVinoEngine {
    net: OpenVinoNet,
    request: InferRequest,
    /// The newest batch's planes, with its size.
    input: Option<(usize, Tensor)>,
}

impl Engine for OpenVinoEngine {
    fn io(&self) -> &NetIo {
        &self.net.0.io
    }

    fn key_size(&self) -> usize {
        self.net.0.key_size
    }

    fn run(
        &mut self,
        planes: &[f32],
        batch: usize,
        answers: &mut RawAnswers,
    ) -> Result<(), NetError> {
        if self.input.as_ref().is_none_or(|(size, _)| *size != batch) {
            let [c, h, w] = self.io().dims();
            let tensor = Tensor::new(ElementType::F32, &Shape::new(&[batch as i64, c, h, w])?)?;
            self.request.set_input_tensor(&tensor)?;
            self.input = Some((batch, tensor));
        }
        if let Some((_, tensor)) = &mut self.input {
            tensor.get_data_mut::<f32>()?.copy_from_slice(planes);
        }
        self.request.infer()?;
        // In the order of the file's outputs.
        let outputs = [&mut answers.maps, &mut answers.special, &mut answers.wdl];
        for (index, output) in outputs.into_iter().enumerate() {
            let tensor = self.request.get_output_tensor_by_index(index)?;
            output.clear();
            output.extend_from_slice(tensor.get_data()?);
        }
        Ok(())
    }
}

impl fmt::Debug for OpenVinoNet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenVinoNet").field("kind", &self.0.kind).finish_non_exhaustive()
    }
}

impl fmt::Debug for OpenVinoEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenVinoEngine").field("net", &self.net).finish_non_exhaustive()
    }
}

impl From<InferenceError> for NetError {
    fn from(error: InferenceError) -> Self {
        Self::OpenVino(error.to_string().lines().next().unwrap_or_default().to_owned())
    }
}
