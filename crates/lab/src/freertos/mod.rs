//! Runs FreeRTOS on an emulated Cortex-M3: starts its firmware and reads its times.
//!
//! The firmware is in `freertos/`; `docs/lab-freertos.md` describes what its times mean.

mod figures;

use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::emulator::{Heard, hear};
use crate::hash::sha256;

pub use figures::{Figures, TESTS, Times};

/// The emulator, looked up in PATH.
pub const EMULATOR: &str = "qemu-system-arm";
/// The Debian package with the emulator.
pub const PACKAGE: &str = "qemu-system-arm";
/// The machine and its clock: an instruction takes 2^2 = 4 ns. The firmware ends with a reset, at
/// which the emulator exits.
pub const ARGUMENTS: &str = "-M mps2-an385 -accel tcg -icount shift=2,sleep=off -seed 1 \
                             -display none -monitor none -serial stdio -no-reboot";
/// The largest file that is read; the firmware has about 100 kB.
const LARGEST: u64 = 64 << 20;
/// Time limit of a run; the firmware takes two seconds.
pub const LONGEST: Duration = Duration::from_secs(60);

/// What these times mean, shown next to them.
pub const MEANING: [&str; 4] = [
    "This is another instruction set (ARM Cortex-M3), and a kernel without memory protection or \
     processes: its times are shown next to those of Linux, but never in the same ranking.",
    "The clock counts instructions, 4 ns each, whatever they do: no caches, no wait for memory, and \
     entering an interrupt takes no instruction. It compares paths through kernels and \
     says nothing about hardware.",
    "Equal firmware, emulator and arguments give equal times, on any host and under any load.",
    "The deadlock break is the contended time minus that of a free lock; it includes the 1 ms for which \
     the low-priority task holds the lock.",
];

/// Time limit of the emulator's version, which it prints immediately.
const LONGEST_VERSION: Duration = Duration::from_secs(10);
/// The most output that is read; the firmware writes 160 kB.
const MOST_BYTES: u64 = 16 << 20;

/// A run of the firmware, with the emulator and the firmware that made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// First line of the emulator's version.
    pub emulator: String,
    /// SHA-256 of the firmware's file, in hexadecimal digits.
    pub firmware_hash: String,
    pub figures: Figures,
}

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
        "`{0}` was not found: install it (on Debian: `sudo apt install {PACKAGE}`), or name it with --qemu"
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

/// Runs the firmware once, at most for `longest`.
///
/// # Errors
/// One line: the file is not the firmware, the emulator is missing or fails, there was no output in
/// time, or the output is damaged.
pub fn run(emulator: &OsStr, firmware: &Path, longest: Duration) -> Result<Run, FreeRtosError> {
    let failed = |cause| FreeRtosError::File { path: firmware.to_owned(), cause };
    let about = fs::metadata(firmware).map_err(failed)?;
    if !about.is_file() || about.len() > LARGEST {
        return Err(FreeRtosError::NotFirmware(firmware.to_owned()));
    }
    let file = fs::read(firmware).map_err(failed)?;
    if !is_arm_program(&file) {
        return Err(FreeRtosError::NotFirmware(firmware.to_owned()));
    }
    let version = started(emulator, &["--version"], LONGEST_VERSION)?;
    let arguments: Vec<&OsStr> = ARGUMENTS
        .split_whitespace()
        .map(OsStr::new)
        .chain(["-kernel".as_ref(), firmware.as_os_str()])
        .collect();
    let heard = started(emulator, &arguments, longest)?;
    Ok(Run {
        emulator: version.output.lines().next().unwrap_or_default().to_owned(),
        firmware_hash: sha256(&file),
        figures: read(&heard, firmware, longest)?,
    })
}

fn started(
    emulator: &OsStr,
    arguments: &[impl AsRef<OsStr>],
    longest: Duration,
) -> Result<Heard, FreeRtosError> {
    let mut command = Command::new(emulator);
    command.args(arguments);
    hear(&mut command, longest, MOST_BYTES).map_err(|cause| {
        let program = emulator.to_string_lossy().into_owned();
        match cause.kind() {
            ErrorKind::NotFound => FreeRtosError::NoEmulator(program),
            _ => FreeRtosError::Emulator { program, words: cause.to_string() },
        }
    })
}

fn read(heard: &Heard, firmware: &Path, longest: Duration) -> Result<Figures, FreeRtosError> {
    let Some(status) = heard.status else {
        return Err(FreeRtosError::NoEnd { path: firmware.to_owned(), longest });
    };
    if !status.success() {
        let last = heard.words.lines().last();
        return Err(FreeRtosError::Failed {
            path: firmware.to_owned(),
            words: last.map_or_else(|| status.to_string(), str::to_owned),
        });
    }
    Figures::read(&heard.output)
        .map_err(|why| FreeRtosError::Damaged { path: firmware.to_owned(), why })
}

/// Whether the file is a 32-bit ELF program for ARM.
fn is_arm_program(file: &[u8]) -> bool {
    const MAGIC: &[u8] = b"\x7fELF\x01\x01";
    const MACHINE: std::ops::Range<usize> = 18..20;
    const ARM: [u8; 2] = [40, 0];
    file.starts_with(MAGIC) && file.get(MACHINE) == Some(&ARM)
}

#[cfg(test)]
mod tests;
