//! Models of the project, compiled from the C sources in `models/`: FMUs, a library like one of
//! Embedded Coder, and a program that attaches. Definitions add things that a real-time step must
//! not do (`models/faults.h`).

mod compiled;
mod description;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub use compiled::Defines;
use compiled::{TRACE, compiled};
pub use description::{Kind, TOKEN, Version};

use crate::archive::zipped;

/// The name of the library in an FMU.
pub const IDENTIFIER: &str = "oscillator";

const OSCILLATOR: [&str; 2] = ["oscillator.c", "faults.c"];

/// Returns a library with `plant_initialize`, `plant_step` and `plant_terminate`. With `RATES` 2,
/// it has `plant_step0` and `plant_step1` instead of one step.
pub fn library(defines: &Defines) -> PathBuf {
    compiled("plant.so", &with("plant.c"), defines)
}

/// Returns a program that attaches with one input and two outputs.
pub fn program(defines: &Defines) -> PathBuf {
    compiled("program", &with("program.c"), defines)
}

/// Compiles a library from a few lines of C, in this folder, without debug information.
pub fn of_code(folder: &Path, code: &str) -> PathBuf {
    of_code_with(folder, code, &[])
}

/// Does the same with these options of the compiler.
pub fn of_code_with(folder: &Path, code: &str, options: &[&str]) -> PathBuf {
    let [source, library] = ["own.c", "own.so"].map(|name| folder.join(name));
    fs::write(&source, code).expect("room on the disk");
    let mut compiler = Command::new("cc");
    compiler.args(options).args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source);
    assert!(compiler.status().is_ok_and(|ended| ended.success()), "{code}");
    library
}

/// Returns the library of an FMU of this version, for all kinds.
pub fn fmu_library(version: Version, defines: &Defines) -> PathBuf {
    compiled("oscillator.so", &with(source(version)), defines)
}

fn source(version: Version) -> &'static str {
    match version {
        Version::Two => "fmi2.c",
        Version::Three => "fmi3.c",
    }
}

/// Returns an FMU of this version and kind, with a binary only for this machine.
pub fn fmu(version: Version, kind: Kind, defines: &Defines) -> PathBuf {
    packed(&fmu_library(version, defines), version, kind, defines)
}

/// Returns an FMU that also writes the calls of its functions (`models/trace.c`).
pub fn traced_fmu(version: Version, kind: Kind, defines: &Defines) -> PathBuf {
    let sources = [with(source(version)), vec![TRACE]].concat();
    packed(&compiled("oscillator.so", &sources, defines), version, kind, defines)
}

fn packed(library: &Path, version: Version, kind: Kind, defines: &Defines) -> PathBuf {
    let archive = library.with_file_name(format!("{}.fmu", kind.name()));
    if !archive.exists() {
        let binary = format!("binaries/{}/{IDENTIFIER}.so", version.platform());
        let bytes = zipped(&[
            ("modelDescription.xml", description::of(version, kind, defines).as_bytes(), None),
            (&binary, &fs::read(library).expect("it was compiled"), None),
            ("resources/spring.txt", b"k = 100\n", None),
        ]);
        compiled::place(&archive, |file| fs::write(file, &bytes).expect("room on the disk"));
    }
    archive
}

fn with(source: &str) -> Vec<&str> {
    [&[source], OSCILLATOR.as_slice()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_definitions_are_compiled_once_and_others_apart() {
        let plain = library(&[]);
        assert!(plain.exists());
        assert_eq!(library(&[]), plain);
        assert_ne!(library(&[("ALLOCATE_AT", "7")]), plain);
    }
}
