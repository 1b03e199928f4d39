//! Finds the headers of an installed RTAI, whose calls are inline functions of C, and compiles the
//! C file that gives them symbols.

use std::env;
use std::process::Command;

const SYMBOLS: &str = "src/posix/rtai.c";
const FIX: &str = "install RTAI, and set RTAI_CONFIG to its rtai-config or put it on PATH";

/// Compiles against the headers that `rtai-config` names, and passes their version to the crate.
pub(crate) fn find() -> Result<(), String> {
    println!("cargo::rerun-if-changed={SYMBOLS}");
    if env::var("CARGO_CFG_TARGET_ARCH").as_deref() != Ok("x86_64") {
        return Err("RTAI is for x86-64: build for such a target".to_owned());
    }
    let tool = env::var("RTAI_CONFIG").unwrap_or_else(|_| "rtai-config".to_owned());
    let version = output_of(&tool, "--version")?;
    let flags = output_of(&tool, "--lxrt-cflags")?;
    let mut compiler = cc::Build::new();
    compiler.file(SYMBOLS).warnings(false);
    for flag in flags.split_whitespace() {
        compiler.flag(flag);
    }
    compiler
        .try_compile("steadfast_rtai")
        .map_err(|error| format!("compiling against the headers that `{tool}` names: {error}"))?;
    println!("cargo::rustc-env=RTAI_VERSION={version}");
    Ok(())
}

fn output_of(tool: &str, option: &str) -> Result<String, String> {
    let answer = Command::new(tool)
        .arg(option)
        .output()
        .map_err(|error| format!("`{tool}` cannot be run ({error}): {FIX}"))?;
    let output = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
    match answer.status.success() && !output.is_empty() {
        true => Ok(output),
        false => Err(format!("`{tool} {option}` printed nothing or failed: {FIX}")),
    }
}
