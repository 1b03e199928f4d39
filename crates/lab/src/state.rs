//! The saved state of a machine that waits for its request: its memory, and its devices.
//!
//! The machine is saved at an exact moment: when the watchdog that its guest has started ends, while
//! the processor halts. It records, as every machine does, and QEMU's migration cannot save a machine
//! that records ("replay_save_clock: assertion failed", 7.2 to 11.1). So its memory is in a file from
//! the start, and the monitor's command saves the devices alone, in QEMU's main thread.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use rt::thread::wait_for;
use serde_json::json;

use crate::monitor::Monitor;
use crate::shared_file::Shared;
use crate::{Ended, LabError, Machine, Setup};

/// Bytes of a machine's memory.
pub(crate) const MEMORY_BYTES: u64 = 1 << 30;
const MEMORY: &str = "memory";
const DEVICES: &str = "devices";
/// What QEMU shows of the registers of a processor that halts.
const HALTED: &str = "HLT=1";

/// How long QEMU may take to end once its monitor has.
const ENDS_WITHIN: Duration = Duration::from_secs(5);
const LOOK_EVERY: Duration = Duration::from_millis(10);

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

impl NoState {
    /// Adds how the machine ended, if its end is the reason.
    fn of(self, machine: &mut Machine) -> Self {
        let Self::Failed(why) = self else { return self };
        let ended = wait_for(ENDS_WITHIN, LOOK_EVERY, || machine.ended().ok().flatten());
        let words = machine.last_words();
        match ended {
            Some(Ended::Off) => Self::Off { said: machine.listen().unwrap_or_default(), words },
            Some(Ended::Failed(status)) => {
                Self::Failed(format!("QEMU ended with {status}; {words}"))
            }
            None => Self::Failed(format!("{why}; {words}")),
        }
    }
}

impl State {
    /// Opens the state in a folder, if there is one.
    pub(crate) fn open(folder: &Path) -> io::Result<Self> {
        // QEMU opens the memory for writing, and changes only its own copy.
        let open = |name| OpenOptions::new().read(true).write(true).open(folder.join(name));
        let devices: File = open(DEVICES)?;
        // The time of its last use.
        devices.set_modified(std::time::SystemTime::now())?;
        Ok(Self { memory: open(MEMORY)?.into(), devices: devices.into() })
    }

    /// Boots a machine, and saves its state in a folder.
    ///
    /// # Errors
    /// Why the state is missing.
    pub(crate) fn save(
        setup: &Setup,
        folder: &Path,
        patience: Duration,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<(), NoState> {
        let [memory, devices] = [MEMORY, DEVICES].map(|name| create(&folder.join(name)));
        let (memory, devices) = (memory?, devices?);
        let failed = |cause| NoState::from(LabError::NoRoom { cause });
        memory.set_len(MEMORY_BYTES).map_err(failed)?;
        let kept = [memory.try_clone().map_err(failed)?, devices.try_clone().map_err(failed)?];
        let mut machine = Machine::boot_to_save(setup, memory.into())?;
        let saved = save(&mut machine, &devices.into(), patience, keep_going);
        saved.map_err(|why| why.of(&mut machine))?;
        drop(machine);
        kept.iter().try_for_each(File::sync_data).map_err(failed)
    }
}

fn save(
    machine: &mut Machine,
    devices: &Shared,
    patience: Duration,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<(), NoState> {
    let mut monitor = Monitor::of(&mut machine.qemu.0, patience, keep_going)?;
    monitor.ask("cont", &json!({}))?;
    monitor.wait_for_stop()?;
    let registers = json!({ "command-line": "info registers" });
    let registers = monitor.ask("human-monitor-command", &registers)?;
    if !registers.as_str().unwrap_or_default().contains(HALTED) {
        return Err(NoState::Refused(
            "the kernel is still busy when the boot should be over".to_owned(),
        ));
    }
    monitor.ask("xen-save-devices-state", &json!({ "filename": devices.path() }))?;
    Ok(())
}

/// Creates a file that only this user can read.
fn create(path: &Path) -> Result<File, LabError> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true).mode(0o600);
    options.open(path).map_err(LabError::file(path))
}
