//! The knob that does nothing, and the one whose effect is known: an experiment that finds the
//! first or misses the second claims nothing.

use std::time::Duration;

use plan::{KNOWN, SHAM};
use units::Nanos;

use crate::form::Form;
use crate::knob::{At, Knob, Way};
use crate::values::Values;

pub(crate) const BOOT_KNOB: Knob = Knob {
    name: "boot",
    summary: "a word on the command line of a kernel in the lab, as boot:threadirqs",
    way: Way::Boot,
    settle: Duration::ZERO,
    source: "Documentation/admin-guide/kernel-parameters.rst",
    ..Knob::PLAIN
};

/// No other knob of the table writes there.
pub(crate) const SHAM_KNOB: Knob = Knob {
    name: SHAM,
    summary: "does nothing: vm.vfs_cache_pressure is written as it stands",
    way: Way::Files(
        &[At { pattern: "proc/sys/vm/vfs_cache_pressure", form: Form::Text }],
        Values::Same,
    ),
    settle: Duration::from_secs(1),
    source: "Documentation/admin-guide/sysctl/vm.rst",
    ..Knob::PLAIN
};

/// A fiftieth and a half of each CPU's time, and of periodic work a share that p99 tells at any
/// rate from 20 Hz to 4 kHz: between 5 % and all of the periods meet a burst.
pub(crate) const USUAL: &str = "200us/5ms";

pub(crate) const KNOWN_KNOB: Knob = Knob {
    name: KNOWN,
    summary: "a disturbance of known size: bursts that take each measured CPU",
    way: Way::Hog,
    settle: Duration::from_secs(0),
    source: "man 7 sched (SCHED_FIFO)",
    ..Knob::PLAIN
};

/// How long a burst of the known disturbance lasts, and how often one comes.
///
/// # Errors
/// For a value that is not BURST/EVERY with a burst of at most half of the time.
pub fn disturbance(value: &str) -> Result<(Nanos, Nanos), String> {
    let expected = || format!("`{value}` is not BURST/EVERY, such as {USUAL}");
    let (burst, every) = value.split_once('/').ok_or_else(expected)?;
    let time = |text: &str| text.parse::<Nanos>().map_err(|_| expected());
    let (burst, every) = (time(burst)?, time(every)?);
    match burst.0 > 0 && burst.0 <= every.0 / 2 {
        true => Ok((burst, every)),
        false => Err(format!("`{value}` leaves less than half of the time")),
    }
}
