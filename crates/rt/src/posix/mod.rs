//! The calls that measured code makes, for the kernel that serves them: Linux, or the real-time
//! core next to it that a feature selects. Nothing else in this crate knows which kernel it is.
//!
//! A core is one file here with the items below; `build/main.rs` has the table of cores.

#[cfg(not(posix_objects))]
mod account;
#[cfg(core = "cobalt")]
mod cobalt;
#[cfg(core = "evl")]
mod evl;
#[cfg(not(posix_objects))]
mod handles;
mod kinds;
#[cfg_attr(
    not(core = "linux"),
    allow(dead_code, unused_imports, reason = "a core uses only some of Linux's calls")
)]
mod linux;
#[cfg(posix_objects)]
mod objects;
#[cfg(core = "rtai")]
mod rtai;

#[cfg(core = "cobalt")]
use cobalt as kernel;
#[cfg(core = "evl")]
use evl as kernel;
#[cfg(core = "linux")]
use linux as kernel;
#[cfg(core = "rtai")]
use rtai as kernel;

use std::io;
use std::path::Path;

#[cfg(not(posix_objects))]
pub(crate) use handles::{Mutex, Semaphore};
#[cfg(not(posix_objects))]
pub(crate) use kernel::Mailbox;
pub use kernel::{Stay, TWO_KERNELS, core, excursion, start};
pub(crate) use kernel::{
    TimerDescriptor, adopt, now, policy, sched_yield, sleep_until, thread_cpu_time,
};
pub(crate) use kinds::{Object, Protocol};
pub(crate) use linux::{clock as linux_clock, now as linux_now, thread_usage};
#[cfg(posix_objects)]
pub(crate) use objects::{Mailbox, Mutex, Semaphore};

/// The names of real-time cores, each with the place where it reports about itself.
const CORES: [(&str, &str); 3] =
    [("Xenomai", "/proc/xenomai"), ("RTAI", "/proc/rtai"), ("EVL", "/dev/evl")];

/// Returns the real-time core that this machine has, whether this program uses it or not.
#[must_use]
pub fn core_here() -> Option<&'static str> {
    let is_here = |(_, place): &&(&str, &str)| Path::new(place).exists();
    CORES.iter().find(is_here).map(|(name, _)| *name)
}

/// Refuses an object that only Linux offers, if another core serves measured code.
pub(crate) fn offers(object: Object) -> io::Result<()> {
    if kernel::offers(object) {
        return Ok(());
    }
    let object = object.name();
    let why = format!("{object} belongs to Linux, and its calls leave the real-time core");
    Err(kinds::not_applicable(&why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linux_alone_has_no_core_to_leave() {
        if !TWO_KERNELS {
            let stay = Stay::begin();
            excursion();
            assert_eq!((stay.end(), start(), core()), (None, Ok(()), None));
            assert!(offers(Object::Fifo).is_ok());
        }
    }
}
