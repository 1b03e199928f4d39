//! The programs of apt, with a configuration in a folder of the lab.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::change::{make, write};
use crate::emulator::hear;
use crate::{Architecture, LabError};

/// What differs from the system's configuration, which is read before because it may name a proxy.
/// Paths are relative to the lab's folder. What the system does after an update is left out, as are
/// its sources, keys and preferences, and its list of packages.
const CONFIGURATION: &str = r#"#clear APT::Update;
#clear APT::Architectures;
#clear Acquire::Languages;
APT::Architecture "ARCHITECTURE";
APT::Architectures:: "ARCHITECTURE";
APT::Sandbox::User "root";
APT::Update::Error-Mode "any";
Acquire::GzipIndexes "true";
Acquire::Languages:: "none";
Acquire::PDiffs "false";
Dir::State "state";
Dir::State::lists "lists/";
Dir::State::status "status";
Dir::Cache "cache";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
Dir::Etc "etc";
Dir::Etc::sourcelist "sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::Etc::trusted "/dev/null";
Dir::Etc::trustedparts "/dev/null";
"#;
const CONFIGURATION_FILE: &str = "apt.conf";

/// Where Debian's package with its keys installs them: newer versions, then older ones.
const KEYRINGS: [&str; 2] = [
    "/usr/share/keyrings/debian-archive-keyring.pgp",
    "/usr/share/keyrings/debian-archive-keyring.gpg",
];

/// The longest time of one of apt's programs: the packages of a kernel have about 100 MB.
const LONGEST: Duration = Duration::from_hours(2);
/// The most bytes of an answer. That for all kernels of a suite has less than 1 MB.
const MOST_BYTES: u64 = 64 << 20;

/// A folder with one source of packages: a suite of an archive.
pub(super) struct Apt<'a>(pub(super) &'a Path);

impl Apt<'_> {
    /// Prepares the folder for an architecture in a suite of the archive at this address.
    pub(super) fn prepare(
        &self,
        architecture: &Architecture,
        address: &str,
        suite: &str,
    ) -> Result<(), LabError> {
        for part in ["etc", "state/lists/partial", "cache/archives/partial"] {
            make(&self.0.join(part))?;
        }
        let [newer, older] = KEYRINGS;
        let keys = if Path::new(newer).exists() { newer } else { older };
        let source = format!("deb [signed-by={keys} target=Packages] {address} {suite} main\n");
        write(&self.0.join("etc/sources.list"), source.as_bytes())?;
        write(&self.0.join("state/status"), b"")?;
        write(&self.0.join(CONFIGURATION_FILE), configuration(architecture).as_bytes())
    }

    /// Gets the current list of packages.
    pub(super) fn update(&self) -> Result<(), LabError> {
        let has_keys = || KEYRINGS.iter().any(|path| Path::new(path).exists());
        match self.run("apt-get", &["update"], self.0) {
            Err(LabError::Apt { .. }) if !has_keys() => Err(LabError::NoKeys),
            done => done.map(drop),
        }
    }

    /// Returns apt's description of the packages that are wanted, by their names.
    pub(super) fn describe(&self, is_wanted: impl Fn(&str) -> bool) -> Result<String, LabError> {
        let names = self.run("apt-cache", &["pkgnames", "linux-"], self.0)?;
        let wanted: Vec<&str> = names.lines().filter(|name| is_wanted(name)).collect();
        if wanted.is_empty() {
            return Ok(String::new());
        }
        self.run("apt-cache", &[&["show", "--"], &*wanted].concat(), self.0)
    }

    /// Downloads packages, named `NAME=VERSION`, into a folder that contains none yet.
    pub(super) fn download(
        &self,
        packages: &[String],
        into: &Path,
    ) -> Result<Vec<PathBuf>, LabError> {
        let packages: Vec<&str> = packages.iter().map(String::as_str).collect();
        self.run("apt-get", &[&["download", "--"], &*packages].concat(), into)?;
        let entries = fs::read_dir(into).map_err(LabError::file(into))?;
        let is_package = |path: &PathBuf| path.extension() == Some(OsStr::new("deb"));
        let files = entries.flatten().map(|entry| entry.path()).filter(is_package);
        let mut files: Vec<PathBuf> = files.collect();
        files.sort();
        if files.len() != packages.len() {
            let said = format!("it left {} files", files.len());
            return Err(LabError::Apt { command: describing("apt-get download", &packages), said });
        }
        Ok(files)
    }

    /// Runs one of apt's programs in a folder, and returns what it printed.
    fn run(&self, program: &str, words: &[&str], inside: &Path) -> Result<String, LabError> {
        let mut folder = OsString::from("Dir=");
        folder.push(self.0);
        let mut command = Command::new(program);
        command.arg("-c").arg(self.0.join(CONFIGURATION_FILE)).arg("-o").arg(folder).args(words);
        command.env("LC_ALL", "C").current_dir(inside);
        let done = hear(&mut command, LONGEST, MOST_BYTES).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => LabError::NoApt(program.to_owned()),
            _ => LabError::file(Path::new(program))(error),
        })?;
        let said = match done.status {
            _ if done.output.len() as u64 >= MOST_BYTES => {
                format!("it printed more than {} MiB", MOST_BYTES >> 20)
            }
            Some(status) if status.success() => return Ok(done.output),
            Some(_) => errors(&done.words),
            None => format!("it did not end within {} hours", LONGEST.as_secs() / 3600),
        };
        Err(LabError::Apt { command: describing(program, words), said })
    }
}

fn configuration(architecture: &Architecture) -> String {
    CONFIGURATION.replace("ARCHITECTURE", architecture.debian)
}

fn describing(program: &str, words: &[&str]) -> String {
    format!("{program} {}", words.join(" "))
}

/// Returns apt's errors in one line, without its warnings.
fn errors(printed: &str) -> String {
    let errors: Vec<&str> = printed.lines().filter_map(|line| line.strip_prefix("E: ")).collect();
    errors.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::skip;

    #[test]
    fn apt_keeps_to_the_labs_folder() {
        let folder = tempfile::tempdir().unwrap();
        let apt = Apt(folder.path());
        let architecture = "arm64".parse().unwrap();
        apt.prepare(architecture, "http://localhost", "sid").unwrap();
        let dump = match apt.run("apt-config", &["dump"], folder.path()) {
            Err(LabError::NoApt(_)) => return skip("apt is missing"),
            dump => dump.unwrap(),
        };
        assert!(!dump.contains("APT::Update::Post-Invoke"), "{dump}");
        let has = |line: &str| dump.lines().any(|other| other == line);
        assert!(has(&format!("Dir \"{}\";", folder.path().display())), "{dump}");
        for line in configuration(architecture).lines().filter(|line| !line.starts_with('#')) {
            assert!(has(line), "{line} in {dump}");
        }
    }

    #[test]
    fn apts_warnings_are_not_errors() {
        let said =
            "W: Download is performed unsandboxed as root\nE: Failed to fetch x  404\nE: y\n";
        assert_eq!(errors(said), "Failed to fetch x  404; y");
    }
}
