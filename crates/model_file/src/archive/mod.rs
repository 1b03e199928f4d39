//! An FMU: a zip archive of a description, binaries and resources.

pub(crate) mod entries;
mod sources;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::env::consts::ARCH;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use entries::Entries;
use rt::fmi::Kind;

use crate::description::{Description, Interface};
use crate::elf::{self, Elf};
use crate::platform::{self, Platform};
use crate::refused::{Refused, refused};

const DESCRIPTION: &str = "modelDescription.xml";
/// The largest description that is read, in bytes.
const MOST_DESCRIPTION: u64 = 256 << 20;
/// The largest binary that is read, in bytes.
const MOST_BINARY: u64 = 1 << 30;
const RESOURCES: &str = "resources";
const MIB: u64 = 1 << 20;

/// The paths of an unpacked model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpacked {
    /// The binary, as an absolute path.
    pub library: PathBuf,
    /// The folder of the resources, as an absolute path without a separator at its end. It always
    /// exists, and is empty for a model without resources.
    pub resources: PathBuf,
}

/// An FMU's archive, whose directory and description have been read.
#[derive(Debug)]
pub struct Archive {
    pub path: PathBuf,
    entries: Entries,
    pub description: Description,
    /// The architecture of the machine that is to load a binary.
    arch: &'static str,
}

impl Archive {
    /// Reads the content of an FMU without unpacking it.
    ///
    /// # Errors
    /// One line that starts with the file's name: the file is not a zip archive, would unpack to
    /// far more than its size, contains names that point outside, links, a name twice, no
    /// description, or a description that [`Description::read`] refuses.
    pub fn open(path: &Path) -> Result<Self, Refused> {
        Self::read(path).map_err(|why| why.of(path))
    }

    fn read(path: &Path) -> Result<Self, Refused> {
        let entries = Entries::read(path)?;
        let text = entries.bytes(DESCRIPTION, MOST_DESCRIPTION)?;
        let text = text.ok_or_else(|| entries.no_description(DESCRIPTION))?;
        let description = Description::read(&text)?;
        Ok(Self { path: path.to_owned(), description, entries, arch: ARCH })
    }

    /// Chooses binaries for another machine, by the name of its architecture that `uname -m` prints.
    #[must_use]
    pub fn on(self, arch: &'static str) -> Self {
        Self { arch, ..self }
    }

    /// Returns the platforms for which it has binaries, in alphabetical order.
    pub fn platforms(&self) -> Vec<Platform> {
        let platform = |name: &str| {
            let is_linux = platform::rank(name, self.description.version, self.arch).is_some();
            let mut interfaces = self.description.interfaces.iter();
            let fits = |interface: &Interface| {
                matches!(self.candidate(name, interface), Some((_, Ok(None))))
            };
            Platform { fits: is_linux && interfaces.any(fits), name: name.to_owned() }
        };
        self.folders().into_iter().map(platform).collect()
    }

    /// Returns the names of the folders of binaries, in alphabetical order.
    fn folders(&self) -> BTreeSet<&str> {
        let folders = self.entries.names().filter_map(|name| name.strip_prefix("binaries/"));
        folders.filter_map(|name| name.split_once('/')).map(|(folder, _)| folder).collect()
    }

    /// Returns the binary for an interface in a folder, if it has one, and why it cannot be loaded
    /// here, judged by its header.
    fn candidate(
        &self,
        folder: &str,
        interface: &Interface,
    ) -> Option<(String, Result<Option<String>, Refused>)> {
        let name = format!("binaries/{folder}/{}.so", interface.model_identifier);
        self.entries.has(&name).then(|| {
            let head = self.entries.head(&name, elf::HEAD);
            (name, head.map(|head| elf::misfit(&head, self.arch)))
        })
    }

    pub fn has_sources(&self) -> bool {
        self.entries.names().any(|name| name.starts_with("sources/"))
    }

    /// Returns the path within the archive of the binary for this machine.
    ///
    /// # Errors
    /// One line that starts with the file's name: the model does not offer this kind; there is no
    /// binary for this machine (with the platforms that it has, and the compiler's command line if
    /// it has sources); or the binary is for another platform than its folder says.
    pub fn library(&self, kind: Kind) -> Result<String, Refused> {
        let interface = self.description.interface(kind);
        let with_remedy = |why: Refused| match interface.and_then(|one| self.compiler_line(one)) {
            Some(line) => refused!("{}: {line}", why.why()),
            None => why,
        };
        self.binary(kind).map_err(|why| with_remedy(why).of(&self.path))
    }

    /// Unpacks the binary for this machine, its resources and everything next to it, since the
    /// binary may load other libraries there, into an existing empty folder.
    ///
    /// # Errors
    /// As [`Archive::library`]; a file that differs from the archive's directory; or the system's
    /// error.
    pub fn unpack(&self, into: &Path, kind: Kind) -> Result<Unpacked, Refused> {
        let library = self.library(kind)?;
        self.unpack_with(&library, into).map_err(|why| why.of(&self.path))
    }

    fn unpack_with(&self, library: &str, into: &Path) -> Result<Unpacked, Refused> {
        let root = fs::canonicalize(into)?;
        let (beside, _) = library.rsplit_once('/').unwrap_or_default();
        let is_wanted = |name: &&str| {
            let mut folders = [beside, RESOURCES, "extra"].into_iter();
            let is_in =
                |folder| name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
            // Some models read their description, next to their resources.
            *name == DESCRIPTION || folders.any(is_in)
        };
        fs::create_dir_all(root.join(RESOURCES))?;
        let wanted = || self.entries.names().filter(is_wanted);
        refuse_a_full_folder(&root, wanted().map(|name| self.entries.size(name)).sum())?;
        for name in wanted() {
            let path = root.join(name);
            let failed = |why: io::Error| refused!("{name} cannot be unpacked ({why})");
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(failed)?;
            }
            let mut file = File::create_new(&path).map_err(failed)?;
            self.entries.copy(name, &mut file)?;
            if self.entries.is_executable(name) {
                file.set_permissions(Permissions::from_mode(0o755)).map_err(failed)?;
            }
        }
        Ok(Unpacked { library: root.join(library), resources: root.join(RESOURCES) })
    }

    /// Reads what the binary for this machine needs and exports.
    ///
    /// # Errors
    /// As [`Archive::library`], without a compiler's command line.
    pub fn elf(&self, kind: Kind) -> Result<Elf, Refused> {
        let read = |name: String| {
            let bytes = self.entries.bytes(&name, MOST_BINARY)?.unwrap_or_default();
            Elf::read(&bytes).ok_or_else(|| {
                refused!("{name} in the archive is a broken library; export the model again")
            })
        };
        self.binary(kind).and_then(read).map_err(|why| why.of(&self.path))
    }

    fn binary(&self, kind: Kind) -> Result<String, Refused> {
        let interface = self.description.interface(kind).ok_or_else(|| {
            let offered = self.description.interfaces.iter();
            let offered: Vec<&str> = offered.map(|one| one.kind.name()).collect();
            let (wanted, offered) = (kind.name(), offered.join(", "));
            refused!("the model does not offer {wanted}; it offers {offered}")
        })?;
        let rank = |folder: &str| platform::rank(folder, self.description.version, self.arch);
        let mut folders: Vec<&str> = self.folders().into_iter().collect();
        folders.retain(|folder| rank(folder).is_some());
        folders.sort_by_key(|folder| rank(folder));
        let mut misfits = Vec::new();
        for (name, misfit) in folders.iter().filter_map(|folder| self.candidate(folder, interface))
        {
            match misfit? {
                None => return Ok(name),
                Some(why) => misfits.push(format!("{name} {why}")),
            }
        }
        match misfits.as_slice() {
            [] => Err(self.no_binary(interface)),
            all => Err(refused!("{}; export the model again for this machine", all.join(", and "))),
        }
    }

    fn no_binary(&self, interface: &Interface) -> Refused {
        let here = platform::names(self.description.version, self.arch).join(" or ");
        let identifier = &interface.model_identifier;
        let names: Vec<&str> = self.folders().into_iter().collect();
        let there = match names.as_slice() {
            [] => "no binaries",
            names => &format!("binaries for {}", names.join(", ")),
        };
        let sources = match self.has_sources() {
            true => "sources, which can be compiled",
            false => &format!("no sources; export the model for {here}"),
        };
        refused!(
            "the archive has no {identifier}.so for this machine ({here}); it has {there} and {sources}"
        )
    }

    /// Returns the commands that would compile the binary for this machine from the sources in the
    /// archive and add it; `None` if there are no sources. Nothing is compiled here.
    pub fn compiler_line(&self, interface: &Interface) -> Option<String> {
        let version = self.description.version;
        let line = || sources::compiler_line(&self.path, &self.entries, version, interface);
        self.has_sources().then(line).flatten()
    }
}

fn refuse_a_full_folder(folder: &Path, needed: u64) -> Result<(), Refused> {
    let free = rt::read::free_bytes(folder)?;
    if needed <= free {
        return Ok(());
    }
    let [needed, free] = [needed.div_ceil(MIB), free / MIB];
    Err(refused!(
        "the folder {} has {free} MiB free, but the model needs {needed} MiB; free some space, or set TMPDIR to another folder",
        folder.display()
    ))
}
