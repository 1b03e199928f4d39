//! The kernel's small files, below a root that tests can replace.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use rt::{kernel_config, read};

/// Folders of a system's programs.
const PROGRAMS: [&str; 5] =
    ["/usr/bin", "/usr/sbin", "/bin", "/sbin", "/run/current-system/sw/bin"];

/// The namespace of process numbers that the kernel starts with (`PROC_PID_INIT_INO` in
/// include/uapi/linux/nsfs.h).
const FIRST_NAMESPACE: &str = "pid:[4026531836]";

/// The files of a machine, below the path of its root; no files for a machine that is not
/// reachable.
#[derive(Debug, Clone)]
pub struct Tree {
    root: Option<PathBuf>,
}

impl Tree {
    /// Uses the files below `root`; `/` is this machine.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: Some(root.into()) }
    }

    pub(crate) fn nowhere() -> Self {
        Self { root: None }
    }

    fn path(&self, path: &str) -> Option<PathBuf> {
        Some(self.root.as_ref()?.join(path.trim_start_matches('/')))
    }

    /// Whether a file or a folder exists.
    pub(crate) fn exists(&self, path: &str) -> bool {
        self.path(path).is_some_and(|path| path.exists())
    }

    /// Whether a program is in one of the folders of the system's programs.
    pub(crate) fn has_program(&self, name: &str) -> bool {
        PROGRAMS.iter().any(|folder| self.exists(&format!("{folder}/{name}")))
    }

    /// Whether this process is in a container: not in the first namespace of process numbers.
    pub(crate) fn is_in_container(&self) -> bool {
        let link = self.path("/proc/self/ns/pid").and_then(|path| fs::read_link(path).ok());
        link.is_some_and(|link| link != Path::new(FIRST_NAMESPACE))
    }

    /// Returns a file's text without its line end.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        read::text(self.path(path)?)
    }

    /// Returns a file's content as a number or another value.
    pub(crate) fn value<T: FromStr>(&self, path: &str) -> Option<T> {
        read::value(self.path(path)?)
    }

    /// Returns a file's first four bytes as a number.
    pub(crate) fn number(&self, path: &str) -> Option<i32> {
        let mut bytes = [0; 4];
        File::open(self.path(path)?).ok()?.read_exact(&mut bytes).ok()?;
        Some(i32::from_ne_bytes(bytes))
    }

    /// Returns those names in a directory that are numbers.
    pub(crate) fn numbers_in(&self, path: &str) -> Option<Vec<u32>> {
        let entries = fs::read_dir(self.path(path)?).ok()?;
        let number = |entry: fs::DirEntry| entry.file_name().to_str()?.parse().ok();
        let mut numbers: Vec<u32> = entries.flatten().filter_map(number).collect();
        numbers.sort_unstable();
        Some(numbers)
    }

    /// Returns the text after `name` and a colon, or after `name` and blanks, in the first line of
    /// a file that begins with it.
    pub(crate) fn line(&self, path: &str, name: &str) -> Option<String> {
        let text = self.text(path)?;
        let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
        Some(rest.trim_start_matches(':').trim().to_owned())
    }

    /// Returns the configuration with which the kernel of this release was built.
    pub(crate) fn kernel_config(&self, release: &str) -> Option<String> {
        kernel_config::below(self.root.as_ref()?, release)
    }
}
