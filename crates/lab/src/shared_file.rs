//! Files that this program and a machine both have open.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::AsRawFd;

use crate::LabError;

/// An open file that another process of the same user can open by [`Shared::path`].
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) file: File,
    /// Number of bytes that were already read.
    read: u64,
}

impl From<File> for Shared {
    fn from(file: File) -> Self {
        Self { file, read: 0 }
    }
}

impl Shared {
    /// Creates a file without a name.
    pub(crate) fn holding(contents: &[u8]) -> Result<Self, LabError> {
        let file = tempfile::tempfile().and_then(|mut file| {
            file.write_all(contents)?;
            Ok(file)
        });
        file.map(Self::from).map_err(|cause| LabError::NoRoom { cause })
    }

    /// Path by which another process of the same user can open it; without blanks and commas.
    pub(crate) fn path(&self) -> String {
        format!("/proc/{}/fd/{}", std::process::id(), self.file.as_raw_fd())
    }

    /// Returns what was written to it since the last call.
    pub(crate) fn more(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(self.read))?;
        self.read += self.file.read_to_end(&mut bytes)? as u64;
        Ok(bytes)
    }
}
