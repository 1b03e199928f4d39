//! The errors of a run of the firmware.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use super::PACKAGE;

/// One line with the problem and its remedy.
#[derive(Debug, thiserror::Error)]
pub enum FreeRtosError {
    #[error("--firmware `{}`: {cause}; freertos/README.md says how to build it", path.display())]
    File { path: PathBuf, cause: io::Error },
    #[error(
        "--firmware `{}` is not the firmware, because it is not a program for a 32-bit ARM processor; freertos/README.md says how to build it",
        .0.display()
    )]
    NotFirmware(PathBuf),
    #[error(
        "`{0}` was not found: install it with `sudo apt install {PACKAGE}`, or name it with --qemu"
    )]
    NoEmulator(String),
    #[error("`{program}` cannot be started: {words}; name another one with --qemu")]
    Emulator { program: String, words: String },
    #[error(
        "--firmware `{}`: the emulator failed: {words}; is this the firmware that freertos/README.md builds?",
        path.display()
    )]
    Failed { path: PathBuf, words: String },
    #[error(
        "--firmware `{}` did not end within {longest:?} and was ended; is this the firmware that freertos/README.md builds?",
        path.display()
    )]
    NoEnd { path: PathBuf, longest: Duration },
    #[error("--firmware `{}`: {why}; build it again as freertos/README.md says", path.display())]
    Damaged { path: PathBuf, why: String },
}
