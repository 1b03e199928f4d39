//! The knob without effect, and the knob whose effect is known. An experiment that finds an effect
//! of the first, or misses that of the second, claims nothing.

use std::time::Duration;

use base::Nanos;
use record::{KNOWN, SHAM};

use crate::knob::{At, Knob, Way};
use crate::values::Values;

pub(crate) const BOOT_KNOB: Knob = Knob {
    name: "boot",
    summary: "a word on the command line of a kernel in the lab, such as boot:threadirqs",
    way: Way::Boot,
    settle: Duration::ZERO,
    source: "Documentation/admin-guide/kernel-parameters.rst",
    ..Knob::PLAIN
};

/// No other knob of the table writes to this file.
pub(crate) const SHAM_KNOB: Knob = Knob {
    name: SHAM,
    summary: "does nothing: writes the present value of vm.vfs_cache_pressure again",
    way: Way::Files(&[At::text("proc/sys/vm/vfs_cache_pressure")], Values::Same),
    source: "Documentation/admin-guide/sysctl/vm.rst",
    ..Knob::PLAIN
};

/// The default disturbance: 4 % of each CPU's time. For periodic work, p99 shows it at any rate
/// from 20 Hz to 4 kHz: between 5 % and all of the periods meet a burst.
pub(crate) const USUAL: &str = "200us/5ms";

pub(crate) const KNOWN_KNOB: Knob = Knob {
    name: KNOWN,
    summary: "positive control: bursts that occupy each measured CPU",
    way: Way::Hog,
    settle: Duration::ZERO,
    source: "man 7 sched (SCHED_FIFO)",
    ..Knob::PLAIN
};

/// Reads how long a burst of the known disturbance lasts, and how often bursts come.
///
/// # Errors
/// If the value is not BURST/EVERY, or a burst takes more than half of the time.
pub fn disturbance(value: &str) -> Result<(Nanos, Nanos), String> {
    let expected = || format!("`{value}` is not BURST/EVERY, such as {USUAL}");
    let (burst, every) = value.split_once('/').ok_or_else(expected)?;
    let time = |text: &str| text.parse::<Nanos>().map_err(|_| expected());
    let (burst, every) = (time(burst)?, time(every)?);
    if burst.0 > 0 && burst.0 <= every.0 / 2 {
        return Ok((burst, every));
    }
    Err(format!("`{value}` leaves less than half of the time; use shorter or rarer bursts"))
}
