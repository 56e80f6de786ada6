//! Lets the program and its tests find libtorch at run time without exported variables, and tells
//! the program which compiler made it.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-env=GRYPHON_COMPILER={}", compiler());
    link_libtorch();
}

fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().ok();
    let text = version.and_then(|output| String::from_utf8(output.stdout).ok());
    text.map_or_else(|| "rustc of unknown version".to_owned(), |text| text.trim().to_owned())
}

fn link_libtorch() {
    println!("cargo:rerun-if-env-changed=DEP_TCH_LIBTORCH_LIB");
    let Ok(lib) = std::env::var("DEP_TCH_LIBTORCH_LIB") else { return };
    println!("cargo:rustc-link-arg=-Wl,-rpath,{lib}");
    // The linker drops libraries no symbol of which is used, and then libtorch sees no GPU.
    if Path::new(&lib).join("libtorch_cuda.so").exists() {
        println!("cargo:rustc-link-arg=-Wl,--no-as-needed");
        println!("cargo:rustc-link-arg=-ltorch_cuda");
        println!("cargo:rustc-link-arg=-Wl,--as-needed");
    }
}
