//! The initial file system of a machine: a cpio archive that is identical, byte for byte, wherever
//! it is packed.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use cpio::newc::{self, Builder};
use rt::in_memory::is_in_memory;
use rt::process::{Pid, this};

use crate::{Architecture, Kernel, LabError};

/// Path of the program, which is the machine's first process.
pub(crate) const PROGRAM: &str = "steadfast";
/// Folder of the modules, in the order of their names.
pub(crate) const MODULES: &str = "modules";

/// Whether this process is the first one of a machine of the lab. A container has a first process
/// too, but there `/proc` is mounted, or the root directory is of another type.
pub fn is_this_machine() -> bool {
    this() == Pid::INIT
        && is_in_memory("/")
        && !Path::new("/proc/self").exists()
        && Path::new("/").join(PROGRAM).is_file()
}

/// The entries of the archive, by path.
#[derive(Debug)]
pub struct Initrd {
    architecture: &'static Architecture,
    entries: BTreeMap<PathBuf, Entry>,
}

impl Default for Initrd {
    /// Returns an empty one, for this program's architecture.
    fn default() -> Self {
        Self { architecture: Architecture::here(), entries: BTreeMap::new() }
    }
}

#[derive(Debug)]
enum Entry {
    Directory,
    File(Vec<u8>),
    /// A symbolic link with its target.
    Link(PathBuf),
}

impl Initrd {
    /// Collects a program for the kernel's architecture, with the libraries that it is linked with (a
    /// static program has none), and the kernel's modules, configuration and overlay.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn of(
        kernel: &Kernel,
        program: Vec<u8>,
        libraries: impl IntoIterator<Item = PathBuf>,
    ) -> Result<Self, LabError> {
        let mut all = Self { architecture: kernel.architecture, entries: BTreeMap::new() };
        all.add(PROGRAM, program);
        for library in libraries {
            all.add_library(&library)?;
        }
        for (number, module) in kernel.read_modules()?.into_iter().enumerate() {
            let place = format!("{MODULES}/{number:04}-{}", module.file_name);
            all.add(place, module.contents);
        }
        if let Some(configuration) = kernel.read_configuration()? {
            all.add(format!("lib/modules/{}/config", kernel.release), configuration);
        }
        if let Some(overlay) = &kernel.overlay {
            all.lay_over(overlay, Path::new(""))?;
        }
        Ok(all)
    }

    /// Adds a file, with the directories above it.
    pub fn add(&mut self, path: impl Into<PathBuf>, contents: Vec<u8>) {
        self.put(path.into(), Entry::File(contents));
    }

    /// Adds a library where the loader finds it, or the loader where the kernel does.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn add_library(&mut self, library: &Path) -> Result<(), LabError> {
        let name = library.file_name().unwrap_or_default();
        let is_loader = name.to_string_lossy().starts_with("ld-");
        let folder = if is_loader { self.architecture.loader_folder() } else { "lib" };
        self.add(Path::new(folder).join(name), read(library)?);
        Ok(())
    }

    fn put(&mut self, path: PathBuf, entry: Entry) {
        let above = path.ancestors().skip(1);
        for directory in above.filter(|path| *path != Path::new("")) {
            self.entries.insert(directory.to_owned(), Entry::Directory);
        }
        self.entries.insert(path, entry);
    }

    fn lay_over(&mut self, directory: &Path, at: &Path) -> Result<(), LabError> {
        let failed = || LabError::file(directory);
        for entry in fs::read_dir(directory).map_err(failed())? {
            let entry = entry.map_err(failed())?;
            let (from, to) = (entry.path(), at.join(entry.file_name()));
            let kind = entry.file_type().map_err(failed())?;
            if kind.is_dir() {
                self.lay_over(&from, &to)?;
            } else if kind.is_symlink() {
                let target = fs::read_link(&from).map_err(failed())?;
                self.put(to, Entry::Link(target));
            } else {
                self.add(to, read(&from)?);
            }
        }
        Ok(())
    }

    /// # Panics
    /// Never: writing to memory does not fail.
    pub fn pack(&self) -> Vec<u8> {
        let mut archive = Vec::new();
        for (number, (path, entry)) in self.entries.iter().enumerate() {
            // Types and permissions do not depend on the permissions of the original.
            let (mode, contents): (_, &[u8]) = match entry {
                Entry::Directory => (0o040_755, &[]),
                Entry::File(contents) => (0o100_755, contents),
                Entry::Link(target) => (0o120_777, target.as_os_str().as_bytes()),
            };
            let head = Builder::new(&path.to_string_lossy()).ino(number as u32 + 1).mode(mode);
            let mut place = head.write(&mut archive, contents.len() as u32);
            place.write_all(contents).expect("memory takes it");
            place.finish().expect("memory takes it");
        }
        newc::trailer(&mut archive).expect("memory takes it");
        archive
    }
}

fn read(path: impl AsRef<Path>) -> Result<Vec<u8>, LabError> {
    let path = path.as_ref();
    fs::read(path).map_err(LabError::file(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_contents_give_the_same_archive_in_any_order() {
        let pack = |names: &[&str]| {
            let mut initrd = Initrd::default();
            for name in names {
                initrd.add(*name, name.as_bytes().to_vec());
            }
            initrd.pack()
        };
        let one = pack(&["b", "a/x", "a/y"]);
        assert_eq!(one, pack(&["a/y", "a/x", "b"]));
        assert_ne!(one, pack(&["b", "a/x", "a/z"]));
    }

    #[test]
    fn directories_come_before_what_is_in_them() {
        let mut initrd = Initrd::default();
        initrd.add("one/two/three", vec![1]);
        let mut names = Vec::new();
        let archive = initrd.pack();
        let mut rest = std::io::Cursor::new(archive);
        loop {
            let reader = newc::Reader::new(rest).unwrap();
            let entry = reader.entry();
            if entry.is_trailer() {
                break;
            }
            assert_eq!((entry.uid(), entry.gid(), entry.mtime()), (0, 0, 0));
            names.push(entry.name().to_owned());
            rest = reader.finish().unwrap();
        }
        assert_eq!(names, ["one", "one/two", "one/two/three"]);
    }
}
