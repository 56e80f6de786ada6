//! The report for people: one fact a line, names on the left.

use std::fmt;

use super::hints::gib;
use super::{CpuFacts, DeviceFacts, DoctorReport, LibtorchFacts, MemoryFacts, OpenVinoFacts};

impl fmt::Display for DoctorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        row(f, "gryphon", format_args!("{}, made by {}", self.build.gryphon, self.build.compiler))?;
        libtorch(f, &self.libtorch)?;
        match &self.openvino {
            OpenVinoFacts::Ready(path) => row(f, "OpenVINO", format_args!("{}", path.display()))?,
            OpenVinoFacts::Absent(_) => row(f, "OpenVINO", format_args!("none"))?,
        }
        devices(f, &self.devices)?;
        cpu(f, &self.cpu)?;
        match self.memory {
            Some(MemoryFacts { total, available }) => {
                let (total, available) = (gib(total), gib(available));
                row(f, "memory", format_args!("{available:.1} of {total:.1} GiB available"))?;
            }
            None => row(f, "memory", format_args!("unknown"))?,
        }
        match &self.disk {
            Some(disk) => {
                let mount = disk.mount.display();
                row(f, "disk", format_args!("{:.1} GiB free on {mount}", gib(disk.free)))?;
            }
            None => row(f, "disk", format_args!("unknown"))?,
        }
        for hint in &self.hints {
            row(f, "hint", format_args!("{hint}"))?;
        }
        Ok(())
    }
}

fn row(f: &mut fmt::Formatter<'_>, name: &str, value: fmt::Arguments<'_>) -> fmt::Result {
    writeln!(f, "{name:<10}{value}")
}

fn libtorch(f: &mut fmt::Formatter<'_>, libtorch: &LibtorchFacts) -> fmt::Result {
    let version = libtorch.version.as_deref().unwrap_or("of unknown version");
    match &libtorch.folder {
        Some(folder) => row(f, "libtorch", format_args!("{version} in {}", folder.display()))?,
        None => row(f, "libtorch", format_args!("{version}, folder unknown"))?,
    }
    let names = libtorch.loaded.iter().filter_map(|path| path.file_name()?.to_str());
    row(f, "loaded", format_args!("{}", names.collect::<Vec<_>>().join(", ")))
}

fn devices(f: &mut fmt::Formatter<'_>, devices: &DeviceFacts) -> fmt::Result {
    let DeviceFacts { auto, gpus, usable_gpus, precision } = devices;
    row(f, "device", format_args!("{auto} ({precision})"))?;
    if gpus.is_empty() && *usable_gpus == 0 {
        return row(f, "GPUs", format_args!("none"));
    }
    row(f, "GPUs", format_args!("{}; libtorch can use {usable_gpus}", gpus.join(", ")))
}

fn cpu(f: &mut fmt::Formatter<'_>, cpu: &CpuFacts) -> fmt::Result {
    let model = if cpu.model.is_empty() { "unknown model" } else { &cpu.model };
    let (threads, inside) = (cpu.threads, cpu.libtorch_threads);
    row(f, "CPU", format_args!("{model}, {threads} threads ({inside} inside libtorch)"))?;
    let listed = |present: bool| {
        let chosen = cpu.features.iter().filter(|feature| feature.present == present);
        let names: Vec<&str> = chosen.map(|feature| feature.name).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(" ") }
    };
    row(f, "has", format_args!("{}", listed(true)))?;
    row(f, "lacks", format_args!("{}", listed(false)))
}
