use super::*;

fn example() -> DoctorReport {
    DoctorReport {
        build: BuildFacts { gryphon: "0.1.0".to_owned(), compiler: "rustc 1.95.0".to_owned() },
        libtorch: LibtorchFacts {
            folder: Some("/home/ada/gryphon/.libtorch".into()),
            version: Some("2.13.0+cpu".to_owned()),
            loaded: ["libc10.so", "libtorch_cpu.so"]
                .map(|name| Path::new("/home/ada/gryphon/.libtorch/lib").join(name))
                .into(),
        },
        openvino: OpenVinoFacts::Ready("/home/ada/gryphon/.openvino/lib/libopenvino_c.so".into()),
        devices: DeviceFacts {
            auto: "cpu".to_owned(),
            gpus: Vec::new(),
            usable_gpus: 0,
            precision: Precision::Bf16,
        },
        cpu: CpuFacts {
            model: "Some Processor".to_owned(),
            threads: 2,
            libtorch_threads: 1,
            features: cpu_features("fpu avx2 avx512f avx512_bf16"),
        },
        memory: Some(MemoryFacts { total: 8 << 30, available: 6 << 30 }),
        disk: Some(DiskFacts { mount: "/home".into(), free: 100 << 30 }),
        hints: Vec::new(),
    }
}

#[test]
fn a_sound_machine_reads_well_and_needs_no_hint() {
    let report = example();
    assert_eq!(hints::hints(&report), Vec::<String>::new());
    insta::assert_snapshot!(report, @r"
    gryphon   0.1.0, made by rustc 1.95.0
    libtorch  2.13.0+cpu in /home/ada/gryphon/.libtorch
    loaded    libc10.so, libtorch_cpu.so
    OpenVINO  /home/ada/gryphon/.openvino/lib/libopenvino_c.so
    device    cpu (bf16)
    GPUs      none
    CPU       Some Processor, 2 threads (1 inside libtorch)
    has       avx2 avx512f avx512_bf16
    lacks     avx512_vnni amx_bf16 amx_int8
    memory    6.0 of 8.0 GiB available
    disk      100.0 GiB free on /home
    ");
}

#[track_caller]
fn check_hint(change: impl FnOnce(&mut DoctorReport), expected: &str) {
    let mut report = example();
    change(&mut report);
    let hints = hints::hints(&report);
    assert!(hints.len() == 1 && hints[0].contains(expected), "unexpected hints: {hints:?}");
}

#[test]
fn every_lack_has_its_hint() {
    check_hint(|r| r.libtorch.version = Some("2.12.0".to_owned()), "run `scripts/setup`");
    check_hint(|r| r.libtorch.version = None, "libtorch is of unknown version");
    check_hint(|r| r.devices.gpus = vec!["GPU".to_owned()], "run `scripts/setup --cuda`");
    let with_cuda = |r: &mut DoctorReport| {
        r.devices.gpus = vec!["GPU".to_owned()];
        r.libtorch.loaded.push("lib/libtorch_cuda.so".into());
    };
    check_hint(with_cuda, "update its driver");
    check_hint(|r| r.memory.as_mut().unwrap().available = 1 << 30, "1.0 GiB of memory");
    check_hint(|r| r.disk.as_mut().unwrap().free = 1 << 30, "1.0 GiB free on `/home`");
    let absent = || OpenVinoFacts::Absent("no libopenvino_c.so; run `scripts/openvino`".to_owned());
    check_hint(move |r| r.openvino = absent(), "run `scripts/openvino`; with it, self-play");
    check_hint(|r| r.devices.precision = Precision::F32, "no bf16 instructions");
    let old = |r: &mut DoctorReport| {
        r.devices.precision = Precision::F32;
        r.cpu.features = cpu_features("fpu sse2");
    };
    check_hint(old, "no AVX2");
}

#[test]
fn this_process_runs_on_the_libtorch_it_was_built_for() {
    let report = examine(Path::new("a/folder/that/does/not/exist"));
    let version = report.libtorch.version.as_deref().unwrap();
    assert_eq!(version.split('+').next(), Some(LIBTORCH_VERSION), "{report}");
    assert!(report.cpu.threads >= 1 && report.memory.is_some_and(|memory| memory.total > 0));
    assert!(report.build.compiler.starts_with("rustc 1."), "{report}");
    let json = serde_json::to_value(&report).unwrap();
    assert!(json["libtorch"]["loaded"].as_array().unwrap().len() >= 2, "{json}");
}

#[test]
fn the_system_files_are_read_as_they_are_written() {
    let maps = "7f00-7f01 r-xp 00000000 00:00 1  /opt/a b/lib/libtorch_cpu.so\n\
                7f01-7f02 r--p 00000000 00:00 1  /opt/a b/lib/libtorch_cpu.so\n\
                7f02-7f03 r-xp 00000000 00:00 2  /usr/lib/libm.so.6\n\
                7f03-7f04 rw-p 00000000 00:00 0  [heap]\n";
    assert_eq!(loaded_libraries(maps), [Path::new("/opt/a b/lib/libtorch_cpu.so")]);
    let cpuinfo = "processor\t: 0\nmodel name\t: A: B\nflags\t\t: fpu avx2\n";
    assert_eq!(cpu_entry(cpuinfo, "model name"), Some("A: B"));
    assert_eq!(cpu_entry(cpuinfo, "bugs"), None);
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(version_in(folder.path()), None);
    std::fs::write(folder.path().join("version.py"), "import x\n__version__ = '2.13.0+cu130'\n")
        .unwrap();
    assert_eq!(version_in(folder.path()).as_deref(), Some("2.13.0+cu130"));
    std::fs::write(folder.path().join("build-version"), "2.13.0+cpu\n").unwrap();
    assert_eq!(version_in(folder.path()).as_deref(), Some("2.13.0+cpu"));
    assert_eq!(driver_gpus(&folder.path().join("gpus")), Vec::<String>::new());
    let gpu = folder.path().join("gpus/0000:01:00.0");
    std::fs::create_dir_all(&gpu).unwrap();
    std::fs::write(gpu.join("information"), "Model: \t\t Some GPU\nIRQ: 1\n").unwrap();
    assert_eq!(driver_gpus(&folder.path().join("gpus")), ["Some GPU"]);
}
