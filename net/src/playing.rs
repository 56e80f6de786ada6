//! A frozen network with what computes it.

use std::fmt;
use std::str::FromStr;

use crate::engine::Engine;
use crate::{InferenceNet, NetError, OpenVinoNet, Precision};

/// A library and the kind of numbers that it computes with.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum EngineKind {
    /// libtorch: the reference, and the only one on a GPU.
    Libtorch(Precision),
    /// OpenVINO, on the CPU.
    OpenVino(Precision),
    /// OpenVINO with 8-bit convolutions, on the CPU.
    OpenVinoInt8,
}

impl EngineKind {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Libtorch(Precision::F32),
        Self::Libtorch(Precision::Bf16),
        Self::OpenVino(Precision::F32),
        Self::OpenVino(Precision::Bf16),
        Self::OpenVinoInt8,
    ];
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Libtorch(precision) => write!(f, "libtorch-{precision}"),
            Self::OpenVino(precision) => write!(f, "openvino-{precision}"),
            Self::OpenVinoInt8 => f.write_str("openvino-int8"),
        }
    }
}

impl FromStr for EngineKind {
    type Err = NetError;

    fn from_str(text: &str) -> Result<Self, NetError> {
        let found = Self::ALL.into_iter().find(|kind| kind.to_string() == text);
        found.ok_or_else(|| NetError::Engine {
            found: text.to_owned(),
            expected: Self::ALL.map(|kind| kind.to_string()).join(", "),
        })
    }
}

/// A frozen network and the library that computes it. Clones share the weights.
#[derive(Clone, Debug)]
pub enum PlayingNet {
    /// Computed by libtorch.
    Libtorch(Box<InferenceNet>),
    /// Computed by OpenVINO.
    OpenVino(OpenVinoNet),
}

impl PlayingNet {
    /// What computes it.
    #[must_use]
    pub fn kind(&self) -> EngineKind {
        match self {
            Self::Libtorch(net) => EngineKind::Libtorch(net.precision()),
            Self::OpenVino(net) => net.kind(),
        }
    }

    pub(crate) fn engine(&self) -> Result<Box<dyn Engine>, NetError> {
        Ok(match self {
            Self::Libtorch(net) => net.clone(),
            Self::OpenVino(net) => Box::new(net.engine()?),
        })
    }
}

impl From<InferenceNet> for PlayingNet {
    fn from(net: InferenceNet) -> Self {
        Self::Libtorch(Box::new(net))
    }
}

impl From<OpenVinoNet> for PlayingNet {
    fn from(net: OpenVinoNet) -> Self {
        Self::OpenVino(net)
    }
}
