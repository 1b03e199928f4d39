//! Gets Debian's kernel packages through the system's own apt. It needs no rights and installs
//! nothing.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{LabError, version};

/// A series of Debian's kernels, such as 6.1, stock or with PREEMPT_RT.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Series {
    major: u32,
    minor: u32,
    realtime: bool,
}

impl FromStr for Series {
    type Err = LabError;

    /// Reads `debian:6.1` or `debian:6.1-rt`.
    fn from_str(text: &str) -> Result<Self, LabError> {
        let series = || {
            let series = text.strip_prefix("debian:")?;
            let (numbers, realtime) = without_rt(series);
            let (major, minor) = numbers.split_once('.')?;
            Some(Self { major: number(major)?, minor: number(minor)?, realtime })
        };
        series().ok_or_else(|| LabError::BadSeries(text.to_owned()))
    }
}

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let realtime = if self.realtime { "-rt" } else { "" };
        write!(f, "debian:{}.{}{realtime}", self.major, self.minor)
    }
}

impl Series {
    /// The lab's name for a kernel of this series: `debian-6.1-rt`.
    pub fn kernel_name(&self) -> String {
        self.to_string().replace(':', "-")
    }

    /// Returns the newest package of this series that apt would install.
    ///
    /// # Errors
    /// If the system has no apt, or apt knows no such package.
    pub fn newest(&self) -> Result<Package, LabError> {
        let names = run(Command::new("apt-cache").args(["pkgnames", PREFIX]))?;
        let own = |name: &&str| Self::of_package(name).as_ref() == Some(self);
        let names_of_series: Vec<&str> = names.lines().filter(own).collect();
        let unknown = || LabError::NoPackage { wanted: self.to_string(), known: series_in(&names) };
        if names_of_series.is_empty() {
            return Err(unknown());
        }
        let show = ["show", "--no-all-versions"];
        let shown = run(Command::new("apt-cache").args(show).args(names_of_series))?;
        newest_of(&shown).ok_or_else(unknown)
    }

    /// Returns the series of a package with a signed kernel for amd64, from its name; `None` for
    /// debug symbols, unsigned and cloud kernels, and packages that only depend on another.
    fn of_package(name: &str) -> Option<Self> {
        let release = name.strip_prefix(PREFIX)?.strip_suffix("-amd64")?;
        let (release, realtime) = without_rt(release);
        let mut numbers = release.splitn(3, '.');
        let series =
            Self { major: number(numbers.next()?)?, minor: number(numbers.next()?)?, realtime };
        let patch_level = numbers.next()?;
        let is_flavour = |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic());
        let mut words = patch_level.split('-');
        (!words.any(is_flavour)).then_some(series)
    }
}

const PREFIX: &str = "linux-image-";

fn without_rt(text: &str) -> (&str, bool) {
    text.strip_suffix("-rt").map_or((text, false), |stock| (stock, true))
}

/// Reads a number of digits only, without a sign.
fn number(text: &str) -> Option<u32> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

fn series_in(names: &str) -> Vec<String> {
    let series: BTreeSet<Series> = names.lines().filter_map(Series::of_package).collect();
    series.iter().map(ToString::to_string).collect()
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Package {
    /// Its name, which contains the kernel's release.
    pub name: String,
    pub version: String,
    /// Size of its file in bytes.
    pub bytes: u64,
}

impl fmt::Display for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.version)
    }
}

impl Package {
    /// Whether its version is newer than that of another package.
    pub(crate) fn is_newer_than(&self, other: &Self) -> bool {
        version::compare(&self.version, &other.version).is_gt()
    }

    /// Downloads the package's file into a folder that does not contain a package yet.
    pub(crate) fn download(&self, into: &Path) -> Result<PathBuf, LabError> {
        let exact = format!("{}={}", self.name, self.version);
        let mut download = Command::new("apt-get");
        run(download.args(["download", "--", &exact]).current_dir(into))?;
        let entries = fs::read_dir(into).map_err(LabError::file(into))?;
        let is_package = |path: &PathBuf| path.extension() == Some(OsStr::new("deb"));
        let mut files = entries.flatten().map(|entry| entry.path());
        files.find(is_package).ok_or_else(|| LabError::Apt {
            command: format!("apt-get download {exact}"),
            said: "it left no file".to_owned(),
        })
    }
}

/// Returns the package with the highest version in the output of `apt-cache show`, of those that
/// can be downloaded: a package that is only installed has no `Filename`.
fn newest_of(shown: &str) -> Option<Package> {
    let packages = shown.split("\n\n").filter_map(|stanza| {
        let field = |name: &str| {
            let mut lines = stanza.lines();
            lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
        };
        field("Filename")?;
        Some(Package {
            name: field("Package")?.to_owned(),
            version: field("Version")?.to_owned(),
            bytes: field("Size")?.parse().ok()?,
        })
    });
    packages.max_by(|one, other| version::compare(&one.version, &other.version))
}

/// Runs one of apt's commands, and returns what it printed.
fn run(command: &mut Command) -> Result<String, LabError> {
    command.env("LC_ALL", "C").stdin(Stdio::null());
    let program = command.get_program().to_string_lossy().into_owned();
    let done = command.output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => LabError::NoApt(program.clone()),
        _ => LabError::file(Path::new(&program))(error),
    })?;
    if !done.status.success() {
        let arguments: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
        return Err(LabError::Apt {
            command: format!("{program} {}", arguments.join(" ")),
            said: errors(&String::from_utf8_lossy(&done.stderr)),
        });
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}

/// Returns apt's errors in one line, without its warnings. One warning says that the sandbox of
/// user `_apt` cannot see the folder, which is intended.
fn errors(printed: &str) -> String {
    let errors: Vec<&str> = printed.lines().filter_map(|line| line.strip_prefix("E: ")).collect();
    errors.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &str = "\
linux-image-6.1.0-47-amd64-dbg
linux-image-6.1.0-56-amd64
linux-image-6.1.0-56-amd64-unsigned
linux-image-6.1.0-56-cloud-amd64
linux-image-6.1.0-56-rt-amd64
linux-image-6.12-amd64
linux-image-6.12-rt-amd64
linux-image-6.12.117+deb12-amd64
linux-image-6.12.117+deb12-cloud-amd64
linux-image-6.12.117+deb12-rt-amd64
linux-image-6.5.0-0.deb12.4-amd64
linux-image-amd64
linux-image-rt-amd64
linux-image-6.1.0-56-686-pae
";

    fn stanza(name: &str, version: &str, more: &str) -> String {
        format!(
            "Package: {name}\nSource: linux-signed-amd64 (6)\nVersion: {version}\n{more}Size: 7\n\n"
        )
    }

    const FILE: &str = "Filename: pool/x.deb\n";
    const INSTALLED: &str = "Status: install ok installed\n";

    #[test]
    fn a_series_is_read_and_named() {
        let read = |text: &str| text.parse::<Series>().unwrap();
        assert_eq!(read("debian:6.1").kernel_name(), "debian-6.1");
        assert_eq!(read("debian:6.12-rt").kernel_name(), "debian-6.12-rt");
        let refused = |bad: &str| {
            let error = bad.parse::<Series>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{bad}` is not a series")), "{error}");
        };
        ["", "6.1", "ubuntu:6.1"].into_iter().for_each(refused);
        let numbers =
            ["", "6", "6.", "6.1.2", "6.1-cloud", "+6.1", "6.1-rt-rt", "6.99999999999"].iter();
        numbers.for_each(|bad| refused(&format!("debian:{bad}")));
    }

    #[test]
    fn only_signed_kernels_for_ordinary_machines_count() {
        let expected =
            ["debian:6.1", "debian:6.1-rt", "debian:6.5", "debian:6.12", "debian:6.12-rt"];
        assert_eq!(series_in(NAMES), expected);
    }

    #[test]
    fn the_highest_version_wins_not_the_last_name() {
        let shown = [
            stanza("linux-image-6.12.99+deb12-amd64", "6.12.99-1~deb12u1", FILE),
            stanza("linux-image-6.12.117+deb12-amd64", "6.12.117-1~deb12u1", FILE),
            stanza("linux-image-6.12.100+deb12-amd64", "6.12.100-1~deb12u1", FILE),
            stanza("linux-image-6.12.118+deb12-amd64", "6.12.118-1", INSTALLED),
        ];
        let newest = newest_of(&shown.concat()).unwrap();
        assert_eq!(newest.to_string(), "linux-image-6.12.117+deb12-amd64 6.12.117-1~deb12u1");
        assert_eq!(newest.bytes, 7);
        assert_eq!(newest_of("N: Unable to locate package\n"), None);
    }

    #[test]
    fn apts_warnings_are_not_errors() {
        let said =
            "W: Download is performed unsandboxed as root\nE: Failed to fetch x  404\nE: y\n";
        assert_eq!(errors(said), "Failed to fetch x  404; y");
    }
}
