//! The configuration with which a kernel was built.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;

use crate::read;

/// Where distributions install it; `build` has it where headers or sources are installed.
const INSTALLED: [&str; 5] = [
    "boot/config-RELEASE",
    "lib/modules/RELEASE/config",
    "usr/lib/modules/RELEASE/config",
    "lib/modules/RELEASE/build/.config",
    "usr/lib/modules/RELEASE/build/.config",
];

/// Returns the configuration of the kernel of this release, which runs on the machine below `root`.
#[must_use]
pub fn below(root: &Path, release: &str) -> Option<String> {
    let packed = || {
        let file = File::open(root.join("proc/config.gz")).ok()?;
        let mut text = String::new();
        GzDecoder::new(file).read_to_string(&mut text).ok()?;
        Some(text)
    };
    let installed = INSTALLED.map(|path| path.replace("RELEASE", release));
    let text = packed().or_else(|| installed.iter().find_map(|path| read::text(root.join(path))));
    text.filter(|text| text.contains("CONFIG_"))
}

/// Returns the value of an option; `n` if it is not set.
#[must_use]
pub fn value<'t>(config: &'t str, option: &str) -> &'t str {
    let value = |line: &'t str| line.strip_prefix(option)?.strip_prefix('=');
    config.lines().find_map(value).unwrap_or("n")
}
