//! What `scripts/setup` says when something is wrong, in copies of it that fetch nothing.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A checkout that consists of the script alone.
struct Checkout {
    folder: tempfile::TempDir,
}

impl Checkout {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/setup");
        fs::create_dir(folder.path().join("scripts")).unwrap();
        fs::copy(script, folder.path().join("scripts/setup")).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.path("scripts/setup"));
        command.env_remove("LIBTORCH");
        command
    }

    /// A folder that looks like libtorch of `version`.
    fn libtorch(&self, name: &str, version: &str) -> PathBuf {
        let folder = self.path(name);
        let headers = folder.join("include/torch/csrc/api/include/torch");
        fs::create_dir_all(folder.join("lib")).unwrap();
        fs::create_dir_all(&headers).unwrap();
        fs::write(headers.join("torch.h"), "").unwrap();
        for library in ["libtorch_cpu.so", "libtorch.so", "libc10.so"] {
            fs::write(folder.join("lib").join(library), "").unwrap();
        }
        fs::write(folder.join("build-version"), version).unwrap();
        folder
    }

    /// A folder for `PATH` with the programs the script uses, but for `missing`.
    fn programs_without(&self, missing: &str) -> PathBuf {
        const PROGRAMS: [&str; 14] = [
            "awk", "bash", "c++", "cargo", "cc", "df", "dirname", "env", "head", "mkdir", "rm",
            "sed", "sort", "uname",
        ];
        let folder = self.path("programs");
        fs::create_dir(&folder).unwrap();
        let path = std::env::var_os("PATH").unwrap();
        for program in PROGRAMS.into_iter().filter(|&program| program != missing) {
            let found = std::env::split_paths(&path).map(|folder| folder.join(program));
            if let Some(found) = found.into_iter().find(|candidate| candidate.is_file()) {
                symlink(found, folder.join(program)).unwrap();
            }
        }
        folder
    }
}

/// Fails, in one line that says `message`, and leaves nothing behind.
#[track_caller]
fn check_fails(checkout: &Checkout, command: &mut Command, message: &str) {
    let output = command.output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.starts_with("setup: ") && errors.lines().count() == 1, "{errors}");
    assert!(errors.contains(message), "unexpected message: {errors}");
    assert!(!checkout.path(".libtorch").exists() && !checkout.path(".libtorch.new").exists());
}

#[test]
fn an_exported_libtorch_of_the_right_version_is_taken_and_kept() {
    let checkout = Checkout::new();
    let libtorch = checkout.libtorch("mine", "2.13.0+cpu\n");
    let output = checkout.command().env("LIBTORCH", &libtorch).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(
        fs::read_link(checkout.path(".libtorch")).unwrap(),
        libtorch.canonicalize().unwrap()
    );
    let again = checkout.command().output().unwrap();
    assert!(again.status.success(), "{again:?}");
    assert_eq!(String::from_utf8(again.stdout).unwrap(), "setup: libtorch 2.13.0+cpu is ready\n");
}

#[test]
fn an_exported_libtorch_that_cannot_be_used_is_named() {
    let checkout = Checkout::new();
    let check = |folder: &Path, message: &str| {
        check_fails(&checkout, checkout.command().env("LIBTORCH", folder), message);
    };
    check(Path::new("/no/such/folder"), "LIBTORCH is /no/such/folder, which is no folder");
    let old = checkout.libtorch("old", "2.12.1+cpu\n");
    check(&old, "version 2.12.1+cpu: expected 2.13.0");
    let unknown = checkout.libtorch("unknown", "");
    fs::remove_file(unknown.join("build-version")).unwrap();
    check(&unknown, "has neither build-version nor version.py: expected libtorch 2.13.0");
    let torn = checkout.libtorch("torn", "2.13.0\n");
    fs::remove_file(torn.join("lib/libc10.so")).unwrap();
    check(&torn, "lacks libraries or headers");
}

#[test]
fn missing_programs_and_wrong_options_are_named() {
    let checkout = Checkout::new();
    check_fails(&checkout, checkout.command().arg("--gpu"), "unknown option --gpu");
    for (missing, message) in [
        ("cargo", "cargo is missing: install Rust with rustup"),
        ("cc", "no C compiler (cc)"),
        ("c++", "no C++ compiler (c++)"),
        ("python3", "python3 is missing"),
    ] {
        let checkout = Checkout::new();
        let programs = checkout.programs_without(missing);
        let mut command = checkout.command();
        command.env("PATH", programs).env_remove("CXX").arg("--cpu");
        check_fails(&checkout, &mut command, message);
    }
}
