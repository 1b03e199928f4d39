//! Finds QEMU and its firmware, checks its version, and defines how it counts time.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::LabError;
use crate::emulator::hear;
use crate::hash::sha256;
use crate::requirements::{OLDEST, PROGRAM};

/// How long QEMU may take to report its version or the folders of its firmware.
const ANSWERS_WITHIN: Duration = Duration::from_secs(20);
/// The most bytes that are read of that answer.
const LONGEST_ANSWER: u64 = 4096;

/// The arguments with which every machine is started, except its files. Its hardware: one CPU whose clock counts instructions, at 4 ns each;
/// a separate clock; a fixed seed for random numbers; a high precision event timer; a device that
/// interrupts on command; a watchdog, which stops a machine that is to be saved, and does nothing in
/// any other; no network.
///
/// The run is recorded, to nowhere. While the CPU halts, QEMU's main loop advances the clock to the
/// next timer. On a busy host it may do so before the CPU's thread has counted the instructions up
/// to the halt, and then advances too far by these. A QEMU that records never runs both threads at
/// the same time (its `docs/devel/replay.rst`, "Locking and thread synchronisation").
///
/// Nothing else from outside may wake the main loop: it would come between an advance and the timer
/// to which it led. For a periodic timer of the HPET, which is armed again before it interrupts,
/// that makes a difference of some nanoseconds.
pub const MACHINE: &str = "-accel tcg \
                                  -icount shift=2,sleep=off,rr=record,rrfile=/dev/null \
                                  -rtc base=2020-01-01,clock=vm -seed 1 -cpu qemu64 -machine q35 \
                                  -smp 1 -m 1024 -nodefaults -display none -device edu \
                                  -device ib700 -no-reboot";
/// Additional arguments of a machine whose memory is in a file.
pub(crate) const IS_IN_FILE: &str = "-machine memory-backend=ram,suppress-vmdesc=on";
/// Additional arguments of a machine whose devices are read from what follows.
pub(crate) const ARRIVES: &str = "-global migration.send-configuration=off -incoming";
/// The name of the file in which a guest finds its request.
pub const REQUEST: &str = "opt/steadfast/request";

/// The QEMU of this system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Qemu {
    /// The version that it reports, such as `7.2.22 (Debian 1:7.2+dfsg-7)`.
    pub version: String,
    /// SHA-256 over its firmware, in hexadecimal digits.
    pub firmware_sha256: String,
    pub(crate) program: String,
}

impl Qemu {
    /// Finds QEMU in PATH.
    ///
    /// # Errors
    /// If it is missing, does not run, or is too old.
    pub fn find() -> Result<Self, LabError> {
        Self::named(PROGRAM)
    }

    fn named(program: &str) -> Result<Self, LabError> {
        let printed = asked(program, &["--version"])?;
        let line = printed.lines().next().unwrap_or_default();
        let (version, numbers) = version(line)
            .ok_or_else(|| LabError::BrokenQemu(format!("it reports its version as `{line}`")))?;
        if numbers < OLDEST {
            return Err(LabError::OldQemu { found: version });
        }
        let folders = firmware_folders(&asked(program, &["-L", "help"])?);
        Ok(Self { version, firmware_sha256: firmware_hash(&folders), program: program.to_owned() })
    }
}

/// Returns what a program prints for these arguments.
fn asked(program: &str, arguments: &[&str]) -> Result<String, LabError> {
    let mut command = Command::new(program);
    let heard = hear(command.args(arguments), ANSWERS_WITHIN, LONGEST_ANSWER);
    let heard = heard.map_err(|error| match error.kind() {
        ErrorKind::NotFound => LabError::NoQemu,
        _ => LabError::BrokenQemu(error.to_string()),
    })?;
    Ok(heard.output)
}

/// Reads the version in `QEMU emulator version 7.2.22 (Debian ...)`, with its packager's addition,
/// and in numbers.
fn version(line: &str) -> Option<(String, (u32, u32))> {
    let (_, version) = line.split_once("version ")?;
    let mut numbers = version.split(['.', ' ']).map(|number| number.parse().ok());
    Some((version.to_owned(), (numbers.next()??, numbers.next()??)))
}

/// The files that QEMU loads into a q35 machine that boots a kernel, as observed with versions 7.2 to 11.1:
/// the BIOS, the option ROMs that load the kernel from its image or start it directly, and one that
/// belongs to the interrupt controller.
const FIRMWARE: &[&str] = &["bios-256k.bin", "linuxboot_dma.bin", "pvh.bin", "kvmvapic.bin"];

/// Returns one hash over all files. Of several folders that contain a file, the first counts. A
/// missing file counts as empty; QEMU reports what it lacks.
fn firmware_hash(folders: &[PathBuf]) -> String {
    let hashes = FIRMWARE.iter().map(|name| sha256(&read_firmware(name, folders)));
    sha256(hashes.collect::<Vec<_>>().join("\n").as_bytes())
}

/// Returns the folders that QEMU lists for `-L help`, one per line.
fn firmware_folders(listed: &str) -> Vec<PathBuf> {
    let lines = listed.lines().map(str::trim);
    lines.filter(|line| Path::new(line).is_absolute()).map(PathBuf::from).collect()
}

fn read_firmware(name: &str, folders: &[PathBuf]) -> Vec<u8> {
    let mut found = folders.iter().map(|folder| fs::read(folder.join(name)));
    found.find_map(Result::ok).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::{refuses, write_script};

    /// Runs a program that reports this version.
    fn saying(text: &str) -> Result<Qemu, LabError> {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("qemu");
        write_script(&program, &format!("echo '{text}'"));
        Qemu::named(program.to_str().unwrap())
    }

    #[test]
    fn a_version_that_is_known_to_work_is_accepted() {
        let found = saying("QEMU emulator version 7.2.22 (Debian 1:7.2)").unwrap();
        assert_eq!(found.version, "7.2.22 (Debian 1:7.2)");
        assert!(saying("QEMU emulator version 10.0.2").is_ok());
    }

    #[test]
    fn an_unusable_program_is_reported_in_one_line() {
        for (result, words) in [
            (saying("QEMU emulator version 6.9.1"), "too old"),
            (saying("good morning"), "good morning"),
            (Qemu::named("no-such-qemu"), "apt install"),
        ] {
            refuses(result, words);
        }
    }

    #[test]
    fn the_hash_covers_the_files_that_qemu_finds_first() {
        let [one, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let [first, second] = [&one, &other].map(|folder| folder.path().to_owned());
        let both = [first.clone(), second.clone()];
        let without = firmware_hash(&both);
        fs::write(second.join(FIRMWARE[0]), "a BIOS").unwrap();
        let with = firmware_hash(&both);
        assert_ne!(with, without);
        fs::write(first.join(FIRMWARE[0]), "another").unwrap();
        assert_ne!(firmware_hash(&both), with);
        fs::write(first.join(FIRMWARE[0]), "a BIOS").unwrap();
        assert_eq!(firmware_hash(&both), with);
        fs::rename(first.join(FIRMWARE[0]), first.join(FIRMWARE[1])).unwrap();
        fs::remove_file(second.join(FIRMWARE[0])).unwrap();
        assert_ne!(firmware_hash(&both), with, "in another file's place");
    }

    #[test]
    fn folders_are_listed_one_per_line() {
        let listed = "/usr/bin/../share/qemu\n/usr/share/seabios\nnonsense\n";
        let expected = ["/usr/bin/../share/qemu", "/usr/share/seabios"].map(PathBuf::from);
        assert_eq!(firmware_folders(listed), expected);
    }
}
