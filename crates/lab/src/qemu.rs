//! Finds QEMU and its firmware, and checks its version.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::emulator::hear;
use crate::hash::sha256;
use crate::requirements::OLDEST;
use crate::{Architecture, LabError};

/// How long QEMU may take to report its version or the folders of its firmware.
const ANSWERS_WITHIN: Duration = Duration::from_secs(20);
/// The most bytes that are read of that answer.
const LONGEST_ANSWER: u64 = 4096;

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
    /// Finds QEMU for an architecture in PATH.
    ///
    /// # Errors
    /// If it is missing, does not run, or is too old.
    pub fn find(architecture: &'static Architecture) -> Result<Self, LabError> {
        Self::named(architecture.emulator, architecture)
    }

    fn named(program: &str, architecture: &'static Architecture) -> Result<Self, LabError> {
        let asked = |arguments: &[&str]| asked(program, architecture, arguments);
        let broken = |why| LabError::BrokenQemu { program: architecture.emulator, why };
        let printed = asked(&["--version"])?;
        let line = printed.lines().next().unwrap_or_default();
        let (version, numbers) =
            version(line).ok_or_else(|| broken(format!("it reports its version as `{line}`")))?;
        if numbers < OLDEST {
            return Err(LabError::OldQemu { program: architecture.emulator, found: version });
        }
        let folders = firmware_folders(&asked(&["-L", "help"])?);
        Ok(Self {
            version,
            firmware_sha256: firmware_hash(architecture.firmware, &folders),
            program: program.to_owned(),
        })
    }
}

/// Returns what a program prints for these arguments.
fn asked(
    program: &str,
    architecture: &'static Architecture,
    arguments: &[&str],
) -> Result<String, LabError> {
    let mut command = Command::new(program);
    let heard = hear(command.args(arguments), ANSWERS_WITHIN, LONGEST_ANSWER);
    let heard = heard.map_err(|error| match error.kind() {
        ErrorKind::NotFound => LabError::NoQemu {
            program: architecture.emulator,
            package: architecture.emulator_package,
        },
        _ => LabError::BrokenQemu { program: architecture.emulator, why: error.to_string() },
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

/// Returns one hash over all files. Of several folders that contain a file, the first counts. A
/// missing file counts as empty; QEMU reports what it lacks.
fn firmware_hash(files: &[&str], folders: &[PathBuf]) -> String {
    let hashes = files.iter().map(|name| sha256(&read_firmware(name, folders)));
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
        Qemu::named(program.to_str().unwrap(), Architecture::here())
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
            (Qemu::named("no-such-qemu", Architecture::here()), "apt install"),
        ] {
            refuses(result, words);
        }
    }

    #[test]
    fn the_hash_covers_the_files_that_qemu_finds_first() {
        let [one, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let [first, second] = [&one, &other].map(|folder| folder.path().to_owned());
        const FILES: [&str; 2] = ["bios.bin", "rom.bin"];
        let firmware_hash = |folders: &[PathBuf]| firmware_hash(&FILES, folders);
        let both = [first.clone(), second.clone()];
        let without = firmware_hash(&both);
        fs::write(second.join(FILES[0]), "a BIOS").unwrap();
        let with = firmware_hash(&both);
        assert_ne!(with, without);
        fs::write(first.join(FILES[0]), "another").unwrap();
        assert_ne!(firmware_hash(&both), with);
        fs::write(first.join(FILES[0]), "a BIOS").unwrap();
        assert_eq!(firmware_hash(&both), with);
        fs::rename(first.join(FILES[0]), first.join(FILES[1])).unwrap();
        fs::remove_file(second.join(FILES[0])).unwrap();
        assert_ne!(firmware_hash(&both), with, "in another file's place");
    }

    #[test]
    fn folders_are_listed_one_per_line() {
        let listed = "/usr/bin/../share/qemu\n/usr/share/seabios\nnonsense\n";
        let expected = ["/usr/bin/../share/qemu", "/usr/share/seabios"].map(PathBuf::from);
        assert_eq!(firmware_folders(listed), expected);
    }
}
