//! Ties between a process and what started it.

use std::io;

pub use rustix::process::{Pid, Signal};
use rustix::process::{Resource, Rlimit};

/// Ends this process when the thread that started it ends, however that comes:
/// prctl(2) `PR_SET_PDEATHSIG`. Ends it at once if that has already happened.
///
/// # Errors
/// When the starter `parent` is already gone.
pub fn die_with(parent: Pid) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    if rustix::process::getppid() == Some(parent) {
        Ok(())
    } else {
        Err(io::Error::other(
            "the process that started this one is gone",
        ))
    }
}

/// This program, also when its file has been replaced or removed meanwhile.
pub const THIS_PROGRAM: &str = "/proc/self/exe";

/// This process.
#[must_use]
pub fn this() -> Pid {
    rustix::process::getpid()
}

/// Kills the process when one of its threads uses a CPU at real-time priority
/// for longer than `limit_us` without waiting: `RLIMIT_RTTIME`.
///
/// # Errors
/// When a lower hard limit is in force, which then bounds the spin instead.
pub fn bound_real_time_spin(limit_us: u64) -> io::Result<()> {
    let limit = Rlimit {
        current: Some(limit_us),
        maximum: Some(limit_us),
    };
    Ok(rustix::process::setrlimit(Resource::Rttime, limit)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stranger_is_not_the_parent() {
        assert!(die_with(Pid::from_raw(1 << 22).unwrap()).is_err());
        rustix::process::set_parent_process_death_signal(None).unwrap();
    }
}
