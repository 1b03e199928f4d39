//! Names of platforms in an FMU's archive.

use std::env::consts::ARCH;

use rt::fmi::Version;

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Platform {
    /// The name in the archive: `linux64` in FMI 2, `x86_64-linux` in FMI 3.
    pub name: String,
    /// Whether its binaries can be loaded on this machine.
    pub fits: bool,
}

/// Returns the name of this machine's platform in an archive.
pub(crate) fn platform_here(version: Version) -> String {
    match (version, ARCH) {
        // FMI 2 has special names for the platforms of its time.
        (Version::Two, "x86_64") => "linux64".to_owned(),
        _ => format!("{ARCH}-linux"),
    }
}
