//! Debian's archive, read with the system's apt and the lab's own configuration. It needs no
//! rights, and changes nothing outside the lab's folder.

mod apt;
mod offer;
mod suite;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rt::read::bounded;

use self::apt::Apt;
pub use self::offer::{Offer, newest};
pub use self::suite::{SUITES, Suite};
use crate::change::{make, write};
use crate::requirements::LARGEST;
use crate::{Architecture, LabError};

const OLD_AFTER: Duration = Duration::from_secs(12 * 3600);
/// The file with what apt says of a suite's kernels.
const DESCRIPTIONS: &str = "kernels";

/// The lab's copy of the archive's lists for one architecture. While a process holds this value, no other process can
/// read or refresh them.
#[derive(Debug)]
pub struct Archive {
    /// The folder of the lists, with one folder for each suite.
    folder: PathBuf,
    architecture: &'static Architecture,
    _lock: File,
}

impl Archive {
    /// Waits until no other process uses the lists.
    pub(crate) fn open(lab: &Path, architecture: &'static Architecture) -> Result<Self, LabError> {
        let name = format!("apt{}", architecture.suffix);
        // apt is started in other folders.
        let folder = std::path::absolute(lab.join(name)).map_err(LabError::file(lab))?;
        make(&folder)?;
        let path = folder.join("lock");
        let lock = File::create(&path).map_err(LabError::file(&path))?;
        lock.lock().map_err(LabError::file(&path))?;
        Ok(Self { folder, architecture, _lock: lock })
    }

    /// Whether the list of a suite is missing, or older than twelve hours.
    pub fn is_old(&self, suite: &Suite) -> bool {
        let written = fs::metadata(self.descriptions(suite)).and_then(|about| about.modified());
        let written = written.ok().and_then(|time| SystemTime::now().duration_since(time).ok());
        written.is_none_or(|age| age > OLD_AFTER)
    }

    /// Gets the current list of a suite.
    ///
    /// # Errors
    /// If the system has no apt or lacks Debian's keys, or the archive cannot be reached.
    pub fn refresh(&self, suite: &Suite) -> Result<(), LabError> {
        let folder = self.folder_of(suite);
        let apt = Apt(&folder);
        apt.prepare(self.architecture, suite.address(), &suite.to_string())?;
        apt.update()?;
        let descriptions =
            apt.describe(|name| offer::is_part_of_kernel(name, self.architecture))?;
        write(&self.descriptions(suite), descriptions.as_bytes())
    }

    /// Returns the kernels that a suite has, in its refreshed list.
    ///
    /// # Errors
    /// If the list cannot be read.
    pub fn offers(&self, suite: &Suite) -> Result<Vec<Offer>, LabError> {
        let path = self.descriptions(suite);
        let descriptions = bounded(&path, LARGEST).map_err(LabError::file(&path))?;
        Ok(offer::read(&String::from_utf8_lossy(&descriptions), self.architecture, suite))
    }

    /// Downloads the files of a kernel into an empty folder. If the archive has them no more, the
    /// list is old.
    pub(crate) fn download(&self, offer: &Offer, into: &Path) -> Result<Vec<PathBuf>, LabError> {
        let apt = self.folder_of(&offer.suite);
        Apt(&apt).download(&offer.files, into).inspect_err(|error| {
            if error.is_out_of_date() {
                // If it stays, it is refreshed later.
                let _ = fs::remove_file(self.descriptions(&offer.suite));
            }
        })
    }

    fn folder_of(&self, suite: &Suite) -> PathBuf {
        self.folder.join(suite.to_string())
    }

    fn descriptions(&self, suite: &Suite) -> PathBuf {
        self.folder_of(suite).join(DESCRIPTIONS)
    }
}
