//! Finds an installed libevl, and compiles what knows its structures.

use std::env;
use std::path::Path;

const STRUCTURES: &str = "src/posix/evl.c";
/// Where libevl goes unless its build is told otherwise (config.mk, `DESTDIR`).
const USUAL: &str = "/usr/evl";
const HEADER: &str = "include/evl/evl.h";

/// Compiles against the headers of libevl, and tells cargo where the library is.
pub(crate) fn find() -> Result<(), String> {
    println!("cargo::rerun-if-changed={STRUCTURES}");
    if env::var("CARGO_CFG_TARGET_ENV").as_deref() != Ok("gnu") {
        return Err("libevl needs glibc: build for a `-gnu` target".to_owned());
    }
    let root = env::var("EVL_ROOT").unwrap_or_else(|_| USUAL.to_owned());
    if !Path::new(&root).join(HEADER).is_file() {
        return Err(format!(
            "there is no {root}/{HEADER}: install libevl, and name its folder in EVL_ROOT"
        ));
    }
    let mut compiler = cc::Build::new();
    compiler
        .file(STRUCTURES)
        .include(format!("{root}/include"))
        .warnings(false)
        .try_compile("steadfast_evl")
        .map_err(|error| format!("against the headers in {root}: {error}"))?;
    println!("cargo::rustc-link-search=native={root}/lib");
    println!("cargo::rustc-link-lib=evl");
    Ok(())
}
