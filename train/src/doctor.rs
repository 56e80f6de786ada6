//! What this machine offers and what is missing: the report behind `gryphon doctor`.

use std::path::{Path, PathBuf};

use gryphon_net::{Precision, openvino_library};
use serde::Serialize;
use sysinfo::{Disks, System};
use tch::Device;

mod hints;
mod text;

/// The release of libtorch that this build is made for.
pub const LIBTORCH_VERSION: &str = "2.13.0";

/// Everything that was found. Its [`Display`](std::fmt::Display) form is for people.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DoctorReport {
    /// How the program was made.
    pub build: BuildFacts,
    /// The libtorch that the program runs on.
    pub libtorch: LibtorchFacts,
    /// The OpenVINO that self-play can use.
    pub openvino: OpenVinoFacts,
    /// Where networks can run.
    pub devices: DeviceFacts,
    /// The processor.
    pub cpu: CpuFacts,
    /// Memory of the machine, or of the container it stands for; `None` if the system does not say.
    pub memory: Option<MemoryFacts>,
    /// The disk of the folder asked about; `None` if the system does not say.
    pub disk: Option<DiskFacts>,
    /// What to do about what is missing, the most important first.
    pub hints: Vec<String>,
}

/// How the program was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BuildFacts {
    /// Version of gryphon.
    pub gryphon: String,
    /// Version of the compiler, as it calls itself.
    pub compiler: String,
}

/// The libtorch that the program runs on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LibtorchFacts {
    /// The folder with `lib` and `include`; `None` if it cannot be told.
    pub folder: Option<PathBuf>,
    /// Its version with flavor, as in `2.13.0+cpu`; `None` if the folder does not say.
    pub version: Option<String>,
    /// Its libraries that are loaded in this process.
    pub loaded: Vec<PathBuf>,
}

/// The OpenVINO that self-play can use.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OpenVinoFacts {
    /// Its library, which can be loaded.
    Ready(PathBuf),
    /// Why there is none.
    Absent(String),
}

/// Where networks can run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DeviceFacts {
    /// What `device = "auto"` means here: `cpu` or `cuda`.
    pub auto: String,
    /// NVIDIA GPUs that the driver shows.
    pub gpus: Vec<String>,
    /// Number of GPUs that libtorch can use.
    pub usable_gpus: usize,
    /// The kind of numbers that inference uses on the `auto` device.
    pub precision: Precision,
}

/// The processor.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CpuFacts {
    /// What it calls itself; empty if the system does not say.
    pub model: String,
    /// Threads this process may run at once.
    pub threads: usize,
    /// Threads that libtorch uses inside one operation.
    pub libtorch_threads: i32,
    /// Instruction sets that matter for networks, and whether it has them.
    pub features: Vec<CpuFeature>,
}

/// One instruction set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CpuFeature {
    /// Its name, as the system writes it.
    pub name: &'static str,
    /// Whether the processor has it.
    pub present: bool,
}

/// Memory, in bytes.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct MemoryFacts {
    /// All of it.
    pub total: u64,
    /// What programs can still take.
    pub available: u64,
}

/// A disk, in bytes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DiskFacts {
    /// Where it is mounted.
    pub mount: PathBuf,
    /// What can still be written.
    pub free: u64,
}

/// Looks at the machine, and at the disk that holds `folder`.
#[must_use]
pub fn examine(folder: &Path) -> DoctorReport {
    let mut report = DoctorReport {
        build: BuildFacts {
            gryphon: env!("CARGO_PKG_VERSION").to_owned(),
            compiler: env!("GRYPHON_COMPILER").to_owned(),
        },
        libtorch: libtorch(),
        openvino: openvino(),
        devices: devices(),
        cpu: cpu(),
        memory: memory(),
        disk: disk(folder),
        hints: Vec::new(),
    };
    report.hints = hints::hints(&report);
    report
}

fn libtorch() -> LibtorchFacts {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let loaded = loaded_libraries(&maps);
    let is_core = |path: &&PathBuf| path.file_name().is_some_and(|name| name == "libtorch_cpu.so");
    let core = loaded.iter().find(is_core);
    let folder = core.and_then(|path| Some(path.parent()?.parent()?.to_owned()));
    let version = folder.as_deref().and_then(version_in);
    LibtorchFacts { folder, version, loaded }
}

fn openvino() -> OpenVinoFacts {
    match openvino_library() {
        Ok(path) => OpenVinoFacts::Ready(path.canonicalize().unwrap_or(path)),
        Err(error) => OpenVinoFacts::Absent(error.to_string()),
    }
}

/// The libraries of libtorch and CUDA among the files that a process has mapped, in the form of
/// Linux's `/proc/self/maps`.
fn loaded_libraries(maps: &str) -> Vec<PathBuf> {
    const PREFIXES: [&str; 6] =
        ["libtorch", "libc10", "libgomp", "libcudart", "libcudnn", "libcublas"];
    let mut libraries: Vec<PathBuf> = maps
        .lines()
        .filter_map(|line| line.find('/').map(|start| Path::new(&line[start..])))
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        })
        .map(Path::to_owned)
        .collect();
    libraries.sort_unstable();
    libraries.dedup();
    libraries
}

/// The version that a libtorch folder (`build-version`) or a Python package (`version.py`) states.
fn version_in(folder: &Path) -> Option<String> {
    if let Ok(text) = std::fs::read_to_string(folder.join("build-version")) {
        return text.lines().next().map(|line| line.trim().to_owned());
    }
    let text = std::fs::read_to_string(folder.join("version.py")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("__version__ = "))?;
    Some(line.trim_matches(['\'', '"', ' ']).to_owned())
}

fn devices() -> DeviceFacts {
    let usable_gpus = usize::try_from(tch::Cuda::device_count()).unwrap_or(0);
    let device = Device::cuda_if_available();
    DeviceFacts {
        auto: if device.is_cuda() { "cuda" } else { "cpu" }.to_owned(),
        gpus: driver_gpus(Path::new("/proc/driver/nvidia/gpus")),
        usable_gpus,
        precision: Precision::fastest(device),
    }
}

/// Models of the GPUs that the NVIDIA driver lists under `folder`, one folder each.
fn driver_gpus(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut gpus: Vec<String> = entries
        .map(|entry| {
            let text = std::fs::read_to_string(entry.path().join("information"));
            let text = text.unwrap_or_default();
            let model = text.lines().find_map(|line| line.strip_prefix("Model:"));
            model.map_or_else(|| "NVIDIA GPU".to_owned(), |model| model.trim().to_owned())
        })
        .collect();
    gpus.sort_unstable();
    gpus
}

fn cpu() -> CpuFacts {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    CpuFacts {
        model: cpu_entry(&text, "model name").unwrap_or_default().to_owned(),
        threads: std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get),
        libtorch_threads: tch::get_num_threads(),
        features: cpu_features(cpu_entry(&text, "flags").unwrap_or_default()),
    }
}

/// The value of the first line `key : value` of Linux's `/proc/cpuinfo`.
fn cpu_entry<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let mut entries = text.lines().filter_map(|line| line.split_once(':'));
    entries.find(|(found, _)| found.trim() == key).map(|(_, value)| value.trim())
}

fn cpu_features(flags: &str) -> Vec<CpuFeature> {
    const NAMES: [&str; 6] =
        ["avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_bf16", "amx_int8"];
    let has = |name: &str| flags.split_whitespace().any(|flag| flag == name);
    NAMES.into_iter().map(|name| CpuFeature { name, present: has(name) }).collect()
}

fn memory() -> Option<MemoryFacts> {
    let mut system = System::new().ok()?;
    system.refresh_memory();
    let whole = MemoryFacts { total: system.total_memory(), available: system.available_memory() };
    Some(match system.cgroup_limits() {
        Some(limits) if limits.total_memory < whole.total => MemoryFacts {
            total: limits.total_memory,
            available: limits.free_memory.min(whole.available),
        },
        _ => whole,
    })
}

fn disk(folder: &Path) -> Option<DiskFacts> {
    // A folder that is still to be made lies on the disk of the nearest one that exists.
    let folder = std::path::absolute(folder).ok()?;
    let existing = folder.ancestors().find_map(|ancestor| ancestor.canonicalize().ok())?;
    let disks = Disks::new_with_refreshed_list().ok()?;
    disks
        .iter()
        .filter(|disk| existing.starts_with(disk.mount_point()))
        .max_by_key(|disk| disk.mount_point().components().count())
        .map(|disk| DiskFacts {
            mount: disk.mount_point().to_owned(),
            free: disk.available_space(),
        })
}

#[cfg(test)]
mod tests;
