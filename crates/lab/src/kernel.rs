//! One kernel, and how the lab stores it.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use rt::kernel_config::value;
use rt::preemption::Build;
use rt::read::bounded;
use serde::{Deserialize, Serialize};

use crate::architecture::ARCHITECTURES;
use crate::hash::sha256;
use crate::module::Module;
use crate::requirements::LARGEST;
use crate::{Architecture, LabError, Package};

/// A kernel that the lab can boot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Kernel {
    /// The name under which it was requested: its name in the lab, with any temporary parameters.
    pub name: String,
    pub architecture: &'static Architecture,
    /// The first word of `version`, as `uname -r` prints it; empty if the image does not contain
    /// it.
    pub release: String,
    /// The image's own version text: release, builder, time of building.
    pub version: String,
    /// Its source: a package and its version, or `added by hand`.
    pub source: String,
    /// Kernel parameters in addition to those of the lab; may be empty.
    pub append: String,
    pub image: PathBuf,
    /// SHA-256 of the boot image, in hexadecimal digits.
    pub image_sha256: String,
    /// Unpacked modules, in the order in which they must be loaded.
    pub modules: Vec<PathBuf>,
    /// A folder whose content is added to the initrd.
    pub overlay: Option<PathBuf>,
    /// The configuration with which it was built, if it came with the kernel.
    #[serde(skip)]
    pub(crate) configuration: Option<PathBuf>,
    #[serde(skip)]
    pub(crate) package: Option<Package>,
    /// The folder of the saved states of the lab's machines.
    #[serde(skip)]
    pub(crate) states: PathBuf,
}

/// Names of the files in a kernel's folder.
pub(crate) const MANIFEST: &str = "kernel.json";
pub(crate) const IMAGE: &str = "vmlinuz";
pub(crate) const CONFIGURATION: &str = "config";
pub(crate) const MODULES: &str = "modules";
pub(crate) const OVERLAY: &str = "overlay";
/// The folder of saved states in a lab.
const STATES: &str = "states";

/// The description of a kernel, stored with its files.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// Of kernels that were added before the lab had others: x86-64.
    #[serde(default = "first")]
    pub(crate) architecture: &'static Architecture,
    pub(crate) version: String,
    pub(crate) package: Option<Package>,
    pub(crate) append: String,
    pub(crate) image_sha256: String,
    /// File names, in the order in which they must be loaded.
    pub(crate) modules: Vec<String>,
}

fn first() -> &'static Architecture {
    &ARCHITECTURES[0]
}

impl Kernel {
    pub(crate) fn load(lab: &Path, name: &str) -> Result<Self, LabError> {
        let folder = Self::place(lab, name);
        let path = folder.join(MANIFEST);
        let read = bounded(&path, LARGEST).and_then(|text| Ok(serde_json::from_slice(&text)?));
        let manifest: Manifest = read.map_err(|error| damaged(name, &path, &error))?;
        let source = manifest.package.as_ref().map(Package::to_string);
        let [overlay, configuration] = [OVERLAY, CONFIGURATION].map(|name| folder.join(name));
        Ok(Self {
            name: name.to_owned(),
            architecture: manifest.architecture,
            release: release(&manifest.version).to_owned(),
            version: manifest.version,
            source: source.unwrap_or_else(|| "added by hand".to_owned()),
            append: manifest.append,
            image: folder.join(IMAGE),
            image_sha256: manifest.image_sha256,
            modules: manifest.modules.iter().map(|file| folder.join(MODULES).join(file)).collect(),
            overlay: overlay.is_dir().then_some(overlay),
            configuration: configuration.is_file().then_some(configuration),
            package: manifest.package,
            states: lab.join(STATES),
        })
    }

    /// Returns the folder of the kernel of that name.
    pub(crate) fn place(lab: &Path, name: &str) -> PathBuf {
        lab.join("kernels").join(name)
    }

    /// Returns the folder of its files.
    pub(crate) fn folder(&self) -> &Path {
        self.image.parent().unwrap_or(Path::new(""))
    }

    /// Returns where the user puts this program for the kernel's architecture, in the lab's folder.
    pub fn program(&self) -> PathBuf {
        self.states.with_file_name(format!("steadfast-{}", self.architecture.name))
    }

    /// Reads the boot image, which must be the one that was registered.
    pub(crate) fn read_image(&self) -> Result<Vec<u8>, LabError> {
        let damaged = |why: &dyn Display| damaged(&self.name, &self.image, why);
        let image = bounded(&self.image, LARGEST).map_err(|error| damaged(&error))?;
        if sha256(&image) != self.image_sha256 {
            return Err(damaged(&"its SHA-256 differs from the recorded one"));
        }
        Ok(image)
    }

    /// Reads the configuration with which it was built, if it came with the kernel.
    pub(crate) fn read_configuration(&self) -> Result<Option<Vec<u8>>, LabError> {
        let read = |path: &PathBuf| {
            let contents = bounded(path, LARGEST);
            contents.map_err(|error| damaged(&self.name, path, &error))
        };
        self.configuration.as_ref().map(read).transpose()
    }

    /// Returns the preemption models of which a parameter chooses one at boot, least preemptible
    /// first; none if the kernel has only one.
    ///
    /// # Errors
    /// If its configuration cannot be read.
    pub fn preemption_models(&self) -> Result<Vec<&'static str>, LabError> {
        let configuration = self.read_configuration()?;
        let configuration = configuration.as_deref().map(String::from_utf8_lossy);
        let option = |name: &str| Some(value(configuration.as_deref()?, name).to_owned());
        let build = Build { release: &self.release, version: &self.version, option: &option };
        Ok(build.models())
    }

    /// Returns the names of its modules, in the order in which they must be loaded.
    pub fn module_names(&self) -> Vec<String> {
        let files = self.modules.iter().filter_map(|path| path.file_stem());
        files.map(|name| name.to_string_lossy().into_owned()).collect()
    }

    /// Reads its modules, in the order in which they must be loaded.
    pub(crate) fn read_modules(&self) -> Result<Vec<Module>, LabError> {
        let read = |path: &PathBuf| {
            let contents = bounded(path, LARGEST);
            let contents = contents.map_err(|error| damaged(&self.name, path, &error))?;
            let file_name = path.file_name().unwrap_or_default();
            Ok(Module { file_name: file_name.to_string_lossy().into_owned(), contents })
        };
        self.modules.iter().map(read).collect()
    }

    /// Returns this kernel with more parameters; of conflicting ones, the kernel uses the last.
    pub(crate) fn with_parameters(self, parameters: &str) -> Self {
        let append = format!("{} {parameters}", self.append);
        Self { append: append.trim().to_owned(), ..self }
    }
}

/// Returns the release in an image's version text: its first word, or nothing if it is empty.
pub(crate) fn release(version: &str) -> &str {
    version.split_whitespace().next().unwrap_or_default()
}

fn damaged(name: &str, path: &Path, why: &dyn Display) -> LabError {
    LabError::Damaged { name: name.to_owned(), path: path.to_owned(), why: why.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn odd_descriptions_are_read_or_named_as_damaged() {
        let package = Package {
            name: "linux-image-6.1.0-9-rt-amd64".to_owned(),
            version: "6.1.99-1".to_owned(),
            bytes: 70_550_672,
        };
        let manifest = Manifest {
            architecture: first(),
            version: "6.1.0-9-rt-amd64 #1 SMP PREEMPT_RT".to_owned(),
            package: Some(package),
            append: "threadirqs".to_owned(),
            image_sha256: sha256(b"image"),
            modules: vec!["uio.ko".to_owned()],
        };
        let folder = tempfile::tempdir().unwrap();
        let seed = serde_json::to_vec_pretty(&manifest).unwrap();
        testing::try_corpus(&[seed], 1_000, |input| {
            fs::write(folder.path().join(MANIFEST), input).unwrap();
            match Kernel::load(folder.path(), "mine") {
                Ok(kernel) => assert!(kernel.module_names().len() <= kernel.modules.len()),
                Err(why) => assert!(matches!(why, LabError::Damaged { .. }), "{why}"),
            }
        });
    }
}
