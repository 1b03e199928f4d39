//! A package of Debian's with a kernel.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::version;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Package {
    /// Its name, which contains the kernel's release.
    pub name: String,
    pub version: String,
    /// Size in bytes of its file, or of the files of the packages on which it depends.
    pub bytes: u64,
}

impl fmt::Display for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.version)
    }
}

impl Package {
    /// Whether its version is newer than that of another package.
    pub(crate) fn is_newer_than(&self, other: &Self) -> bool {
        version::compare(&self.version, &other.version).is_gt()
    }
}
