//! The kernel's small files, below a root that tests can replace.

use std::fs::{self, File, Metadata};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use base::{CpuSet, Observed};
use rt::idle::is_device;
use rt::namespace::Namespace;
use rt::programs::{self, Programs};
use rt::{isolation, kernel_config};

pub(crate) const LATENCY_DEVICE: &str = "/dev/cpu_dma_latency";

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

    /// Whether there are files at all.
    pub(crate) fn is_reachable(&self) -> bool {
        self.root.is_some()
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
        programs::FOLDERS.iter().any(|folder| self.exists(&format!("{folder}/{name}")))
    }

    /// Whether this process is in the namespace of this kind that the kernel started with, from
    /// which everything of the kind can be seen.
    pub(crate) fn is_in_first(&self, namespace: Namespace) -> Observed<bool> {
        self.root.as_deref().map_or_else(unreachable_machine, |root| namespace.is_first(root))
    }

    /// Whether a program with this name runs.
    pub(crate) fn runs(&self, program: &str) -> Observed<bool> {
        let programs = self.root.as_deref().map(Programs::below);
        programs.map_or_else(unreachable_machine, |programs| programs.runs(program))
    }

    /// Returns a file's text without its line end.
    pub(crate) fn text(&self, path: &str) -> Observed<String> {
        let Some(file) = self.path(path) else { return unreachable_machine() };
        match fs::read_to_string(&file) {
            Ok(text) => Observed::Seen(text.trim_end_matches(['\n', '\0']).to_owned()),
            Err(error) if error.kind() == ErrorKind::NotFound => self.missing(&file, path),
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                Observed::Hidden(format!("this user may not read {path}"))
            }
            Err(error) => Observed::Hidden(format!("{path}: {error}")),
        }
    }

    /// A missing file is absent if the nearest folder that exists has other files. In an empty one, no
    /// file system is mounted.
    fn missing<T>(&self, file: &Path, path: &str) -> Observed<T> {
        let folder = file.ancestors().skip(1).find(|folder| folder.is_dir());
        let folder = folder.filter(|folder| Some(*folder) != self.root.as_deref());
        let entries = folder.and_then(|folder| fs::read_dir(folder).ok());
        match entries.and_then(|mut entries| entries.next()) {
            Some(_) => Observed::Absent,
            None => Observed::Hidden(format!("{path} is missing, as where nothing is mounted")),
        }
    }

    /// Returns a file's content as a number or another value.
    pub(crate) fn value<T: FromStr>(&self, path: &str) -> Observed<T> {
        let senseless = format!("{path} makes no sense");
        self.text(path).read_as(&senseless, |text| text.trim().parse().ok())
    }

    /// Whether the machine has the device that limits the latency of idle states, and no other file in
    /// its place. Below another root, a copy of what is read from it counts.
    pub(crate) fn has_latency_device(&self) -> bool {
        let is_copied = self.root.as_deref() != Some(Path::new("/"));
        let found = self.path(LATENCY_DEVICE).and_then(|path| path.metadata().ok());
        let is_it = |found: &Metadata| is_device(found) == Observed::Seen(true);
        found.is_some_and(|found| is_it(&found) || (is_copied && found.is_file()))
    }

    /// Returns the limit of that device, in microseconds.
    pub(crate) fn latency_us(&self) -> Option<i32> {
        let mut bytes = [0; 4];
        let path = self.path(LATENCY_DEVICE).filter(|_| self.has_latency_device())?;
        File::open(path).ok()?.read_exact(&mut bytes).ok()?;
        Some(i32::from_ne_bytes(bytes))
    }

    /// Returns those names in a directory that are numbers.
    pub(crate) fn numbers_in(&self, path: &str) -> Option<Vec<u32>> {
        let names = self.names_in(path)?;
        let mut numbers: Vec<u32> = names.iter().filter_map(|name| name.parse().ok()).collect();
        numbers.sort_unstable();
        Some(numbers)
    }

    /// Returns the names in a directory.
    pub(crate) fn names_in(&self, path: &str) -> Option<Vec<String>> {
        let entries = fs::read_dir(self.path(path)?).ok()?;
        Some(entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect())
    }

    /// Returns the word after this bracket in a file such as `always [madvise] never`, up to the one
    /// that closes it.
    pub(crate) fn bracketed(&self, path: &str, open: char) -> Option<String> {
        let text = self.text(path).seen()?;
        let (_, rest) = text.split_once(open)?;
        let word = rest.split([']', ')']).next()?;
        Some(word.to_owned())
    }

    /// Returns the isolated CPUs.
    pub(crate) fn isolated(&self) -> CpuSet {
        self.root.as_deref().map(isolation::isolated_below).unwrap_or_default()
    }

    /// Returns the CPUs that each source isolates; none where there are no files.
    pub(crate) fn isolated_by(&self) -> Vec<(&'static str, CpuSet)> {
        self.root.as_deref().map(isolation::isolated_by).into_iter().flatten().collect()
    }

    /// Returns the text after `name` and a colon, or after `name` and blanks, in the first line of
    /// a file that begins with it.
    pub(crate) fn line(&self, path: &str, name: &str) -> Observed<String> {
        self.text(path).read_as(&format!("{path} does not contain {name}"), |text| {
            let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
            Some(rest.trim_start_matches(':').trim().to_owned())
        })
    }

    /// Returns the configuration with which the kernel of this release was built.
    pub(crate) fn kernel_config(&self, release: &str) -> Option<String> {
        kernel_config::below(self.root.as_ref()?, release)
    }
}

fn unreachable_machine<T>() -> Observed<T> {
    Observed::Hidden("only the machine itself shows it".to_owned())
}
