//! What to do about what is missing.

use gryphon_net::Precision;

use super::{DoctorReport, LIBTORCH_VERSION, OpenVinoFacts};

const GIB: u64 = 1 << 30;
/// What a training run on a large board takes at most.
const ENOUGH_MEMORY: u64 = 2 * GIB;
/// Room for a few days of games and checkpoints.
const ENOUGH_DISK: u64 = 5 * GIB;

/// Advice on `report`, the most important first; empty if all is well.
pub(super) fn hints(report: &DoctorReport) -> Vec<String> {
    [
        version(report),
        gpu(report),
        memory(report),
        disk(report),
        openvino(report),
        instructions(report),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn version(report: &DoctorReport) -> Option<String> {
    let found = report.libtorch.version.as_deref();
    let number = found.map(|version| version.split('+').next().unwrap_or(version));
    (number != Some(LIBTORCH_VERSION)).then(|| {
        let found = found.unwrap_or("of unknown version");
        format!(
            "libtorch is {found}, this build is made for {LIBTORCH_VERSION}: run `scripts/setup`, \
             then build again"
        )
    })
}

fn gpu(report: &DoctorReport) -> Option<String> {
    let devices = &report.devices;
    if devices.gpus.is_empty() || devices.usable_gpus > 0 {
        return None;
    }
    let cuda = report.libtorch.loaded.iter().any(|path| path.ends_with("libtorch_cuda.so"));
    let advice = if cuda {
        "libtorch cannot use the NVIDIA GPU: update its driver to one for CUDA 13"
    } else {
        "libtorch is the CPU build, but there is an NVIDIA GPU: run `scripts/setup --cuda`, then \
         build again"
    };
    Some(advice.to_owned())
}

fn memory(report: &DoctorReport) -> Option<String> {
    let available = report.memory?.available;
    (available < ENOUGH_MEMORY).then(|| {
        format!("{:.1} GiB of memory available: train small networks only", gib(available))
    })
}

fn disk(report: &DoctorReport) -> Option<String> {
    let disk = report.disk.as_ref()?;
    (disk.free < ENOUGH_DISK).then(|| {
        let mount = disk.mount.display();
        format!("{:.1} GiB free on `{mount}`: a long run may fill it", gib(disk.free))
    })
}

/// Networks on a GPU have no use for it.
fn openvino(report: &DoctorReport) -> Option<String> {
    let OpenVinoFacts::Absent(reason) = &report.openvino else { return None };
    (report.devices.usable_gpus == 0).then(|| {
        format!("{reason}; with it, self-play on this CPU has two to four times as many positions computed")
    })
}

fn instructions(report: &DoctorReport) -> Option<String> {
    let has =
        |name| report.cpu.features.iter().any(|feature| feature.name == name && feature.present);
    if report.devices.usable_gpus > 0 || report.devices.precision == Precision::Bf16 {
        None
    } else if !has("avx2") {
        Some("the processor has no AVX2: networks run many times slower than usual".to_owned())
    } else {
        let text = "the processor has no bf16 instructions (AVX512-BF16, AMX): networks run in \
                    fp32, about half as fast as with them";
        Some(text.to_owned())
    }
}

/// Bytes as GiB.
pub(super) fn gib(bytes: u64) -> f64 {
    bytes as f64 / GIB as f64
}
