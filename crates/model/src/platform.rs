//! Names of platforms in an FMU's archive.

use std::env::consts::ARCH;

/// A platform that binaries of an archive are for.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Platform {
    /// As the archive names it: `linux64` in FMI 2, `x86_64-linux` in FMI 3.
    pub name: String,
    /// Its binaries can be loaded on this machine.
    pub fits: bool,
}

/// True where binaries in a folder of that name are for this machine. Names of both versions
/// are taken in either: archives have them mixed.
#[must_use]
pub fn fits(name: &str) -> bool {
    let here = format!("{ARCH}-linux");
    name == here || (ARCH == "x86_64" && name == "linux64")
}
