//! Changes of the lab: one at a time, and each whole or not at all.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rt::link::refuse_a_strangers;

use crate::hash::sha256;
use crate::kernel::{IMAGE, MANIFEST, MODULES, Manifest, OVERLAY};
use crate::module::Module;
use crate::{LabError, Package, boot_image, overlay};

/// What a kernel consists of.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) image: Vec<u8>,
    /// In the order in which they must be loaded.
    pub(crate) modules: Vec<Module>,
    pub(crate) overlay: Option<PathBuf>,
    pub(crate) append: String,
    pub(crate) package: Option<Package>,
}

/// A folder beside the kernels in which the next one is made. Whoever has it keeps
/// every other process from changing the lab.
pub(crate) struct Change {
    pub(crate) folder: PathBuf,
    _lock: File,
}

impl Change {
    /// Waits until nobody else changes the lab, and removes what a killed process left.
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

    /// Makes a kernel's folder, and puts it in its place at once.
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

    /// Takes a kernel out of its place at once; it is gone when the change ends.
    pub(crate) fn take_away(&self, place: &Path) -> Result<(), LabError> {
        fs::rename(place, self.folder.join("old")).map_err(LabError::file(place))
    }
}

impl Drop for Change {
    fn drop(&mut self) {
        // The next change removes what cannot be removed now.
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
    if let Some(overlay) = &parts.overlay {
        overlay::copy(overlay, &folder.join(OVERLAY))?;
    }
    let manifest = Manifest {
        version: boot_image::version(&parts.image),
        package: parts.package.clone(),
        append: parts.append.clone(),
        image_sha256: sha256(&parts.image),
        modules: parts.modules.iter().map(|module| module.file_name.clone()).collect(),
    };
    let text = serde_json::to_vec_pretty(&manifest).expect("names and texts are JSON");
    write(&folder.join(MANIFEST), &text)
}

fn make(folder: &Path) -> Result<(), LabError> {
    let made = refuse_a_strangers(folder).and_then(|()| fs::create_dir_all(folder));
    made.map_err(LabError::file(folder))
}

fn write(path: &Path, contents: &[u8]) -> Result<(), LabError> {
    fs::write(path, contents).map_err(LabError::file(path))
}
