//! Packs the program that `STEADFAST_HOST` names into a static build, which cannot load libraries
//! itself; `scripts/host-program` builds that program. If the variable is not set, nothing is
//! packed.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use lzma_rust2::{FilterType, XzOptions, XzWriter};

/// The preset with the smallest output.
const LEVEL: u32 = 9;
const HOST: &str = "STEADFAST_HOST";

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={HOST}");
    match pack() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            println!("cargo::error={HOST}: {why}");
            ExitCode::FAILURE
        }
    }
}

fn pack() -> io::Result<()> {
    // Programs for this target are static.
    let is_static = env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|library| library == "musl");
    let mut packed = Vec::new();
    if let Some(program) = env::var_os(HOST).map(PathBuf::from).filter(|_| is_static) {
        println!("cargo::rerun-if-changed={}", program.display());
        let mut options = XzOptions::with_preset(LEVEL);
        // Calls of the same function become identical once their addresses are absolute.
        match env::var("CARGO_CFG_TARGET_ARCH").as_deref() {
            Ok("x86_64") => options.prepend_pre_filter(FilterType::BcjX86, 0),
            Ok("aarch64") => options.prepend_pre_filter(FilterType::BcjArm64, 0),
            _ => {}
        }
        let mut writer = XzWriter::new(&mut packed, options)?;
        writer.write_all(&fs::read(program)?)?;
        writer.finish()?;
    }
    let place = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(place.join("host.xz"), packed)
}
