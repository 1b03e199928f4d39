//! Changes of the lab: one at a time, each completely or not at all.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rt::link::refuse_a_strangers;

use crate::hash::sha256;
use crate::kernel::{CONFIGURATION, IMAGE, MANIFEST, MODULES, Manifest, OVERLAY};
use crate::module::Module;
use crate::{Architecture, LabError, Package, overlay};

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) image: Vec<u8>,
    pub(crate) architecture: &'static Architecture,
    /// In the order in which they must be loaded.
    pub(crate) modules: Vec<Module>,
    pub(crate) overlay: Option<PathBuf>,
    /// The configuration with which the kernel was built.
    pub(crate) configuration: Option<Vec<u8>>,
    pub(crate) append: String,
    pub(crate) package: Option<Package>,
}

impl Parts {
    /// Returns a kernel that consists of a boot image; an error says why no machine of the lab can
    /// boot it.
    pub(crate) fn of(image: Vec<u8>) -> Result<Self, &'static str> {
        let architecture = Architecture::of_image(&image)?;
        Ok(Self {
            image,
            architecture,
            modules: Vec::new(),
            overlay: None,
            configuration: None,
            append: String::new(),
            package: None,
        })
    }

    pub(crate) fn version(&self) -> String {
        self.architecture.image.version(&self.image)
    }
}

/// A folder next to the kernels in which the next kernel is prepared. While a process holds this
/// value, no other process can change the lab.
pub(crate) struct Change {
    pub(crate) folder: PathBuf,
    _lock: File,
}

impl Change {
    /// Waits until no other process is changing the lab, and removes what a killed process left.
    pub(crate) fn begin(lab: &Path) -> Result<Self, LabError> {
        make(lab)?;
        let path = lab.join("lock");
        let lock = File::create(&path).map_err(LabError::file(&path))?;
        lock.lock().map_err(LabError::file(&path))?;
        let folder = lab.join("incoming");
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(LabError::file(&folder))?;
        }
        make(&folder)?;
        Ok(Self { folder, _lock: lock })
    }

    /// Writes a kernel's folder, then moves it to its place in one step.
    pub(crate) fn place(&self, parts: &Parts, place: &Path) -> Result<(), LabError> {
        let new = self.folder.join("new");
        write_all(parts, &new)?;
        if place.exists() {
            self.take_away(place)?;
        }
        if let Some(kernels) = place.parent() {
            make(kernels)?;
        }
        fs::rename(&new, place).map_err(LabError::file(place))
    }

    /// Moves a kernel out of its place in one step; it is deleted when the change ends.
    pub(crate) fn take_away(&self, place: &Path) -> Result<(), LabError> {
        fs::rename(place, self.folder.join("old")).map_err(LabError::file(place))
    }
}

impl Drop for Change {
    fn drop(&mut self) {
        // If this fails, the next change removes the folder.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn write_all(parts: &Parts, folder: &Path) -> Result<(), LabError> {
    make(&folder.join(MODULES))?;
    write(&folder.join(IMAGE), &parts.image)?;
    for module in &parts.modules {
        let path = folder.join(MODULES).join(&module.file_name);
        write(&path, &module.contents)?;
    }
    if let Some(configuration) = &parts.configuration {
        write(&folder.join(CONFIGURATION), configuration)?;
    }
    if let Some(overlay) = &parts.overlay {
        overlay::copy(overlay, &folder.join(OVERLAY))?;
    }
    let manifest = Manifest {
        architecture: parts.architecture,
        version: parts.version(),
        package: parts.package.clone(),
        append: parts.append.clone(),
        image_sha256: sha256(&parts.image),
        modules: parts.modules.iter().map(|module| module.file_name.clone()).collect(),
    };
    let text = serde_json::to_vec_pretty(&manifest).expect("names and texts are JSON");
    write(&folder.join(MANIFEST), &text)
}

pub(crate) fn make(folder: &Path) -> Result<(), LabError> {
    let made = refuse_a_strangers(folder).and_then(|()| fs::create_dir_all(folder));
    made.map_err(LabError::file(folder))
}

pub(crate) fn write(path: &Path, contents: &[u8]) -> Result<(), LabError> {
    fs::write(path, contents).map_err(LabError::file(path))
}
