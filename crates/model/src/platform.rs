//! Names of platforms in an FMU's archive.

use std::env::consts::ARCH;

/// A platform for which an archive has binaries.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Platform {
    /// The name in the archive: `linux64` in FMI 2, `x86_64-linux` in FMI 3.
    pub name: String,
    /// Whether its binaries can be loaded on this machine.
    pub fits: bool,
}

/// Whether binaries in a folder with this name are for this machine. Names of both versions are
/// accepted in either, because some archives mix them.
pub fn fits(name: &str) -> bool {
    let here = format!("{ARCH}-linux");
    name == here || (ARCH == "x86_64" && name == "linux64")
}
