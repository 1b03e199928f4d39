//! What can be wrong with a run of the firmware.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use super::PACKAGE;

/// One line that says what is wrong, and how to mend it.
#[derive(Debug, thiserror::Error)]
pub enum FreeRtosError {
    /// The firmware cannot be read.
    #[error("--firmware `{}`: {cause}; freertos/README.md says how to build it", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// A file that no Cortex-M3 runs.
    #[error(
        "--firmware `{}` is not the firmware: it is no program for a 32-bit ARM; freertos/README.md says how to build it",
        .0.display()
    )]
    NotFirmware(PathBuf),
    /// The emulator is not there.
    #[error(
        "`{0}` was not found: install it with `sudo apt install {PACKAGE}`, or name it with --qemu"
    )]
    NoEmulator(String),
    /// The emulator cannot be started.
    #[error("`{program}` cannot be started: {words}; name another one with --qemu")]
    Emulator {
        /// The program.
        program: String,
        /// What the system says.
        words: String,
    },
    /// The emulator ended with an error.
    #[error(
        "--firmware `{}`: the emulator failed: {words}; is this the firmware that freertos/README.md builds?",
        path.display()
    )]
    Failed {
        /// The firmware.
        path: PathBuf,
        /// Its last words.
        words: String,
    },
    /// The firmware did not end.
    #[error(
        "--firmware `{}` did not end within {longest:?} and was ended; is this the firmware that freertos/README.md builds?",
        path.display()
    )]
    NoEnd {
        /// The firmware.
        path: PathBuf,
        /// The time granted.
        longest: Duration,
    },
    /// What the firmware wrote cannot be used.
    #[error("--firmware `{}`: {why}; build it again as freertos/README.md says", path.display())]
    Damaged {
        /// The firmware.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}
