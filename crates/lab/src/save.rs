//! Boots a machine and saves its state.
//!
//! The machine is saved at an exact moment: when the watchdog that its guest has started ends, while
//! the processor halts. It records, as every machine does, and QEMU's migration cannot save a machine
//! that records ("replay_save_clock: assertion failed", 7.2 to 11.1). So its memory is in a file from
//! the start, and the monitor's command saves the devices alone, in QEMU's main thread.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use rt::thread::wait_for;
use serde_json::json;

use crate::architecture::Halted;
use crate::monitor::Monitor;
use crate::shared_file::Shared;
use crate::state::{DEVICES, MEMORY, MEMORY_BYTES};
use crate::{Ended, LabError, Machine, NoState, Setup};

/// How long QEMU may take to end once its monitor has.
const ENDS_WITHIN: Duration = Duration::from_secs(5);
const LOOK_EVERY: Duration = Duration::from_millis(10);

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
    let saved = stop_and_save(&mut machine, &devices.into(), patience, keep_going);
    saved.map_err(|why| with_end(why, &mut machine))?;
    drop(machine);
    kept.iter().try_for_each(File::sync_data).map_err(failed)
}

/// Adds how the machine ended, if its end is the reason.
fn with_end(why: NoState, machine: &mut Machine) -> NoState {
    let NoState::Failed(why) = why else { return why };
    let ended = wait_for(ENDS_WITHIN, LOOK_EVERY, || machine.ended().ok().flatten());
    let words = machine.last_words();
    match ended {
        Some(Ended::Off) => NoState::Off { said: machine.listen().unwrap_or_default(), words },
        Some(Ended::Failed(status)) => {
            NoState::Failed(format!("QEMU ended with {status}; {words}"))
        }
        None => NoState::Failed(format!("{why}; {words}")),
    }
}

fn stop_and_save(
    machine: &mut Machine,
    devices: &Shared,
    patience: Duration,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<(), NoState> {
    let halted = &machine.architecture.halted;
    let mut monitor = Monitor::of(&mut machine.qemu.0, patience, keep_going)?;
    monitor.ask("cont", &json!({}))?;
    monitor.wait_for_stop()?;
    if !is_halted(&mut monitor, halted)? {
        return Err(NoState::Refused(
            "the kernel is still busy when the boot should be over".to_owned(),
        ));
    }
    monitor.ask("xen-save-devices-state", &json!({ "filename": devices.path() }))?;
    Ok(())
}

/// Whether the processor of a machine that has stopped waits for an interrupt.
fn is_halted(monitor: &mut Monitor, halted: &Halted) -> Result<bool, NoState> {
    let registers = monitor.show("info registers")?;
    let (counter, instruction) = match halted {
        Halted::Shown(text) => return Ok(registers.contains(text)),
        Halted::After { counter, instruction } => (counter, instruction),
    };
    let Some(next) = address_in(&registers, counter) else { return Ok(false) };
    let before = next.wrapping_sub(size_of_val(instruction) as u64);
    // In one line: the address and the word there.
    let shown = monitor.show(&format!("x /1wx {before:#x}"))?;
    Ok(shown.trim_end().ends_with(&format!("{instruction:#010x}")))
}

/// Returns the address in the register of that name, in hexadecimal digits.
fn address_in(registers: &str, name: &str) -> Option<u64> {
    let words = registers.split_whitespace();
    let mut addresses = words.filter_map(|word| word.strip_prefix(name));
    addresses.find_map(|digits| u64::from_str_radix(digits, 16).ok())
}

/// Creates a file that only this user can read.
fn create(path: &Path) -> Result<File, LabError> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true).mode(0o600);
    options.open(path).map_err(LabError::file(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_address_is_read_from_what_qemu_shows() {
        let shown =
            "\r\nCPU#0\r\n PC=ffff800008c4a0c4 X00=ffff80000a1c5000 X01=00000000000000c0\r\n";
        assert_eq!(address_in(shown, "PC="), Some(0xffff_8000_08c4_a0c4));
        assert_eq!(address_in("EIP=0000fff0 HLT=0", "PC="), None);
    }
}
