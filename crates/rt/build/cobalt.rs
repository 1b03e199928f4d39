//! Finds the library of an installed Xenomai 3.

use std::env;
use std::process::Command;

/// The options that `xeno-config` is called with. Its linker wraps are left out: this crate calls
/// the library's own symbols, so that the rest of the program keeps calling Linux.
const ASKED: [&str; 4] = ["--skin=posix", "--no-auto-init", "--no-mode-check", "--ldflags"];

/// Passes the linker flags of Cobalt's POSIX interface, as `xeno-config` prints them, to cargo.
pub(crate) fn find() -> Result<(), String> {
    if env::var("CARGO_CFG_TARGET_ENV").as_deref() != Ok("gnu") {
        return Err("libcobalt needs glibc: build for a `-gnu` target".to_owned());
    }
    let tool = env::var("XENO_CONFIG").unwrap_or_else(|_| "xeno-config".to_owned());
    let fix = "install Xenomai 3, and name its xeno-config in XENO_CONFIG or put it on PATH";
    let answer = Command::new(&tool)
        .args(ASKED)
        .output()
        .map_err(|error| format!("`{tool}` cannot be run ({error}): {fix}"))?;
    let flags = String::from_utf8_lossy(&answer.stdout).into_owned();
    if !answer.status.success() || !flags.contains("-lcobalt") {
        return Err(format!("`{tool}` names no libcobalt: {fix}"));
    }
    flags.split_whitespace().for_each(tell_cargo);
    Ok(())
}

fn tell_cargo(flag: &str) {
    if let Some(directory) = flag.strip_prefix("-L") {
        println!("cargo::rustc-link-search=native={directory}");
    } else if let Some(library) = flag.strip_prefix("-l") {
        println!("cargo::rustc-link-lib={library}");
    }
}
