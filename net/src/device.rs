//! Where the network runs, and with which numbers.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tch::Device;

use crate::NetError;

/// The device a user asks for.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeviceChoice {
    /// The first NVIDIA GPU that libtorch can use, else the CPU.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// The first NVIDIA GPU; an error without one.
    Cuda,
}

impl DeviceChoice {
    /// The device to use.
    ///
    /// # Errors
    /// If a GPU is asked for and libtorch sees none.
    pub fn resolve(self) -> Result<Device, NetError> {
        match self {
            Self::Cpu => Ok(Device::Cpu),
            Self::Auto => Ok(Device::cuda_if_available()),
            Self::Cuda if tch::Cuda::is_available() => Ok(Device::Cuda(0)),
            Self::Cuda => Err(NetError::Device {
                requested: self.to_string(),
                reason:
                    "libtorch sees no NVIDIA GPU; use `cpu` or `auto`, and see `gryphon doctor`"
                        .to_owned(),
            }),
        }
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Cpu => "cpu",
            Self::Cuda => "cuda",
        })
    }
}

impl FromStr for DeviceChoice {
    type Err = NetError;

    fn from_str(text: &str) -> Result<Self, NetError> {
        match text {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            "cuda" => Ok(Self::Cuda),
            _ => Err(NetError::Device {
                requested: text.to_owned(),
                reason: "expected `auto`, `cpu` or `cuda`".to_owned(),
            }),
        }
    }
}

/// The kind of numbers that inference computes with.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// 32-bit floats.
    F32,
    /// 16-bit floats with 8 bits of mantissa: twice as fast where the hardware has them.
    Bf16,
}

impl Precision {
    /// The fastest precision for `device` on this machine.
    #[must_use]
    pub fn fastest(device: Device) -> Self {
        match device {
            Device::Cuda(_) => Self::Bf16,
            _ if cpu_has_bf16() => Self::Bf16,
            _ => Self::F32,
        }
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::F32 => "fp32",
            Self::Bf16 => "bf16",
        })
    }
}

/// Whether the CPU multiplies bf16 numbers itself (AVX512-BF16 or AMX). Without that, bf16 is
/// emulated and slower than fp32.
#[must_use]
pub fn cpu_has_bf16() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("avx512bf16")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// Whether the CPU adds up products of 8-bit numbers itself, in 32 bits (VNNI).
#[must_use]
pub fn cpu_has_vnni() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("avx512vnni")
            || std::arch::is_x86_feature_detected!("avxvnni")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// Makes libtorch compute in the calling thread only: one worker a core beats threads inside
/// operations. Call it at program start, before the first tensor operation; evaluators and learners
/// see to the threads they run on. Cheap when called again.
pub fn set_single_threaded() {
    // libtorch allows one setting of the inter-op pool only. The other one is kept per thread.
    static INTEROP: std::sync::Once = std::sync::Once::new();
    thread_local! {
        static IS_SET: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
    }
    if !IS_SET.replace(true) {
        INTEROP.call_once(|| tch::set_num_interop_threads(1));
        tch::set_num_threads(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_names_survive_the_trip() {
        for choice in [DeviceChoice::Auto, DeviceChoice::Cpu, DeviceChoice::Cuda] {
            assert_eq!(choice.to_string().parse::<DeviceChoice>().unwrap(), choice);
        }
        let error = "gpu".parse::<DeviceChoice>().unwrap_err().to_string();
        assert_eq!(error, "device `gpu` is not available: expected `auto`, `cpu` or `cuda`");
    }

    /// As Linux lists them, by names of its own.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_cpus_numbers_are_those_that_the_system_lists() {
        let text = std::fs::read_to_string("/proc/cpuinfo").unwrap();
        let flags = text.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
        let has = |name: &str| flags.split_whitespace().any(|flag| flag == name);
        assert_eq!(cpu_has_bf16(), has("avx512_bf16"));
        assert_eq!(cpu_has_vnni(), has("avx512_vnni") || has("avx_vnni"));
        let expected = if has("avx512_bf16") { Precision::Bf16 } else { Precision::F32 };
        assert_eq!(Precision::fastest(Device::Cpu), expected);
    }

    #[test]
    fn the_cpu_can_always_be_had() {
        assert_eq!(DeviceChoice::Cpu.resolve().unwrap(), Device::Cpu);
        assert!(DeviceChoice::Auto.resolve().is_ok());
    }
}
