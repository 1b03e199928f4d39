//! The saved state of a machine that waits for its request: its memory, and its devices.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::time::SystemTime;

use crate::LabError;
use crate::shared_file::Shared;

/// Bytes of a machine's memory.
pub(crate) const MEMORY_BYTES: u64 = 1 << 30;
pub(crate) const MEMORY: &str = "memory";
pub(crate) const DEVICES: &str = "devices";

/// The files of a saved state.
#[derive(Debug)]
pub struct State {
    pub(crate) memory: Shared,
    pub(crate) devices: Shared,
}

/// Why a state is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoState {
    Interrupted,
    /// The machine that was to be saved does not answer.
    Silent,
    /// The machine that was to be saved switched off.
    Off {
        /// What its guest has sent.
        said: Vec<u8>,
        words: String,
    },
    /// It may exist later.
    Failed(String),
    /// It will never exist: QEMU or the kernel cannot do it.
    Refused(String),
}

impl From<LabError> for NoState {
    fn from(error: LabError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl State {
    /// Opens the state in a folder, if there is one.
    pub(crate) fn open(folder: &Path) -> io::Result<Self> {
        // QEMU opens the memory for writing, and changes only its own copy.
        let open = |name| OpenOptions::new().read(true).write(true).open(folder.join(name));
        let devices: File = open(DEVICES)?;
        // The time of its last use.
        devices.set_modified(SystemTime::now())?;
        Ok(Self { memory: open(MEMORY)?.into(), devices: devices.into() })
    }
}
