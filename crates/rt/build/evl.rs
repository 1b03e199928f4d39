//! Finds an installed libevl, and compiles the C file that uses its structures.

use std::env;
use std::path::Path;

const STRUCTURES: &str = "src/posix/evl.c";
/// The default folder of libevl, unless its build sets another one (config.mk, `DESTDIR`).
const USUAL: &str = "/usr/evl";
const HEADER: &str = "include/evl/evl.h";

/// Compiles the C file against libevl's headers, and passes the library's folder to cargo.
pub(crate) fn find() -> Result<(), String> {
    println!("cargo::rerun-if-changed={STRUCTURES}");
    if env::var("CARGO_CFG_TARGET_ENV").as_deref() != Ok("gnu") {
        return Err("libevl needs glibc: build for a `-gnu` target".to_owned());
    }
    let root = env::var("EVL_ROOT").unwrap_or_else(|_| USUAL.to_owned());
    if !Path::new(&root).join(HEADER).is_file() {
        return Err(format!(
            "{root}/{HEADER} does not exist: install libevl, and set EVL_ROOT to its folder"
        ));
    }
    let mut compiler = cc::Build::new();
    compiler
        .file(STRUCTURES)
        .include(format!("{root}/include"))
        .warnings(false)
        .try_compile("steadfast_evl")
        .map_err(|error| format!("compiling against the headers in {root}: {error}"))?;
    println!("cargo::rustc-link-search=native={root}/lib");
    println!("cargo::rustc-link-lib=evl");
    Ok(())
}
