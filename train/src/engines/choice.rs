//! The choice of an engine for a network.

use std::fmt;

use gryphon_mcts::EvaluatorError;
use gryphon_net::{
    Agreement, InferenceNet, NetError, NetEvaluator, Network, OpenVinoNet, PlayingNet, Precision,
    Quantization, openvino_library,
};
use tch::Device;

use super::Positions;
use crate::config::Backend;

/// A network ready to play, with what was found on the way.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The network.
    pub net: PlayingNet,
    /// Whether 8-bit numbers may stand for it; `None` if that was not asked.
    pub int8: Option<Int8Verdict>,
}

/// How far 8-bit numbers are from fp32 for one network.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Int8Verdict {
    /// Close enough to play.
    Accepted(Agreement),
    /// Too far.
    Refused(Agreement),
}

impl Int8Verdict {
    /// How far they are.
    #[must_use]
    pub const fn agreement(self) -> Agreement {
        match self {
            Self::Accepted(agreement) | Self::Refused(agreement) => agreement,
        }
    }
}

impl fmt::Display for Int8Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (verdict, Agreement { policy_kl, value_error }) = match self {
            Self::Accepted(agreement) => ("accepted", agreement),
            Self::Refused(agreement) => ("refused", agreement),
        };
        write!(f, "int8 {verdict}, policy KL {policy_kl:.4}, value error {value_error:.4}")
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.net.kind())?;
        self.int8.map_or(Ok(()), |verdict| write!(f, " ({verdict})"))
    }
}

/// The fastest form of `network` that `backend` allows on `device`, for `threads` threads. `positions`
/// are such as it will see; they are asked for only if 8-bit numbers come into question.
///
/// # Errors
/// If the backend is not there or fails, or `positions` does.
pub fn playing_net<E: From<NetError>>(
    network: &Network,
    device: Device,
    backend: Backend,
    threads: usize,
    positions: impl FnOnce() -> Result<Positions, E>,
) -> Result<Choice, E> {
    let uses_openvino = match backend {
        Backend::Libtorch => false,
        Backend::Auto => device == Device::Cpu && openvino_library().is_ok(),
        Backend::OpenVino if device == Device::Cpu => true,
        Backend::OpenVino => {
            return Err(E::from(NetError::Device {
                requested: "openvino".to_owned(),
                reason: "it computes on the CPU; use `--device cpu`, or another `selfplay.backend`"
                    .to_owned(),
            }));
        }
    };
    if !uses_openvino {
        let net = InferenceNet::new(network, device, Precision::fastest(device))?;
        return Ok(Choice { net: net.into(), int8: None });
    }
    let (net, verdict) = quantized_net(network, threads, &positions()?)?;
    let net = match verdict {
        Int8Verdict::Accepted(_) => net,
        Int8Verdict::Refused(_) => OpenVinoNet::new(network, Precision::fastest(device), threads)?,
    };
    Ok(Choice { net: net.into(), int8: Some(verdict) })
}

/// `network` with 8-bit numbers, their ranges found on the first half of `positions`, and how it does on
/// the second.
///
/// # Errors
/// If an engine fails.
pub fn quantized_net(
    network: &Network,
    threads: usize,
    positions: &Positions,
) -> Result<(OpenVinoNet, Int8Verdict), NetError> {
    let queries = positions.queries();
    let (for_ranges, held_out) = queries.split_at(queries.len() / 2);
    let variant = network.variant();
    let exact = InferenceNet::new(network, Device::Cpu, Precision::F32)?;
    let quantization = Quantization::calibrate(&exact, variant, for_ranges)?;
    let net = OpenVinoNet::quantized(network, &quantization, threads)?;
    let mut tested = NetEvaluator::new(net.clone(), variant)?;
    let mut exact = NetEvaluator::new(exact, variant)?;
    let failed = |EvaluatorError(reason)| NetError::Comparison { reason };
    let agreement = Agreement::measure(&mut exact, &mut tested, held_out).map_err(failed)?;
    let verdict = if agreement.is_close() {
        Int8Verdict::Accepted(agreement)
    } else {
        Int8Verdict::Refused(agreement)
    };
    Ok((net, verdict))
}
