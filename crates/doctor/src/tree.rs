//! The kernel's small files, below a root that tests can replace.

use std::fs::{self, File};
use std::io::Read;
use std::path::PathBuf;
use std::str::FromStr;

use rt::{kernel_config, read};

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

    pub(crate) fn has(&self, path: &str) -> bool {
        self.path(path).is_some_and(|path| path.is_file())
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
