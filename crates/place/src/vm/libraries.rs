//! The libraries of this machine that a binary needs in a guest.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lab::{Architecture, needed_by};
use model_file::Elf;

/// Libraries that the packed host program needs in addition to models: `scripts/host-program`.
const OF_THE_HOST: [&str; 5] =
    ["libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1"];

/// The libraries that this machine has for an architecture.
pub(super) struct Libraries {
    pub(super) architecture: &'static Architecture,
}

impl Libraries {
    /// Returns the libraries that a file needs to be loaded, and the loader.
    pub(super) fn needed_by(&self, file: &Path) -> Result<Vec<PathBuf>, String> {
        if self.are_of_this_machine() {
            return needed_by(file.as_os_str()).map_err(|error| error.to_string());
        }
        let named = |why: String| format!("{}: {why}", file.display());
        let elf = self.read(file)?;
        self.all(elf.needed, file.parent()).map_err(named)
    }

    /// Returns what the host program in a static program needs.
    pub(super) fn needed_by_the_host(&self) -> Result<Vec<PathBuf>, String> {
        if !self.are_of_this_machine() {
            return self.all(OF_THE_HOST.map(str::to_owned).to_vec(), None);
        }
        let mut needed = needed_by("libm.so.6".as_ref()).map_err(|error| error.to_string())?;
        let libc = needed.iter().find(|file| file.ends_with(OF_THE_HOST[0]));
        let folder = libc.and_then(|file| file.parent()).map(Path::to_owned);
        let beside = OF_THE_HOST.map(|name| folder.as_ref().map(|folder| folder.join(name)));
        needed.extend(beside.into_iter().flatten());
        Ok(needed)
    }

    fn are_of_this_machine(&self) -> bool {
        self.architecture == Architecture::here()
    }

    /// Finds libraries, those that they need, and the loader; those in the folder `beside` come
    /// first.
    fn all(&self, mut wanted: Vec<String>, beside: Option<&Path>) -> Result<Vec<PathBuf>, String> {
        let loader = self.architecture.loader.rsplit('/').next().unwrap_or_default();
        wanted.push(loader.to_owned());
        let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
        while let Some(name) = wanted.pop() {
            if seen.insert(name.clone()) {
                let file = self.find(&name, beside)?;
                wanted.extend(self.read(&file)?.needed);
                found.push(file);
            }
        }
        Ok(found)
    }

    fn find(&self, name: &str, beside: Option<&Path>) -> Result<PathBuf, String> {
        let Architecture { libraries, libraries_package, .. } = self.architecture;
        let folders = beside.into_iter().chain(libraries.iter().map(Path::new));
        let mut files = folders.map(|folder| folder.join(name));
        files.find(|file| file.is_file()).ok_or_else(|| {
            format!(
                "it needs {name} for {}, which this machine does not have; on Debian, the package \
                 {libraries_package} has the C library",
                self.architecture
            )
        })
    }

    fn read(&self, file: &Path) -> Result<Elf, String> {
        let bytes = std::fs::read(file).map_err(|why| format!("{}: {why}", file.display()))?;
        let elf = Elf::read(&bytes).filter(|elf| elf.machine == self.architecture.name);
        elf.ok_or_else(|| format!("{} is not a file for {}", file.display(), self.architecture))
    }
}
