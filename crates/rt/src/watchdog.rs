//! The last limit on a run that hangs: a thread at the highest FIFO priority.

use std::io::{self, Write, stderr};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use base::{CpuSet, Policy};

use crate::ending::let_end;
use crate::occupant::{in_words, occupants};
use crate::process::this;
use crate::{sched, thread, topology};

/// The exit status of a process that its watchdog ended.
pub const EXIT_STATUS: i32 = 70;

/// Ends the process when it lives longer than allowed; dropping the value switches the watchdog
/// off.
#[derive(Debug)]
pub struct Watchdog {
    _alive: Sender<()>,
}

impl Watchdog {
    /// Starts to watch a run on the CPUs `measured`. The watchdog's thread has the highest FIFO
    /// priority if that is granted, so that no spinning thread below it can keep it from the CPU,
    /// and stays off the measured CPUs if there are others. In addition,
    /// [`crate::process::bound_real_time_spin`] limits spins.
    ///
    /// When the time is over, prints which other tasks occupy the CPUs, and lets its own threads
    /// there end.
    ///
    /// # Errors
    /// Fails without room for its thread.
    pub fn start(granted: Duration, measured: &CpuSet) -> io::Result<Self> {
        let measured = measured.clone();
        let (alive, watch) = mpsc::channel::<()>();
        thread::start("watchdog", move || {
            // Without permission for real-time policies, no measuring thread has one either, and an
            // ordinary thread suffices.
            let _ = sched::set_policy(Policy::Fifo(99));
            let apart = topology::housekeeping(&topology::usable(), &measured);
            // If there is none, the priority has to suffice.
            let _ = sched::set_affinity(&apart);
            if watch.recv_timeout(granted) == Err(RecvTimeoutError::Timeout) {
                let who = in_words(&occupants(&measured, this()));
                let who = who.map_or_else(String::new, |who| format!(": {who}"));
                let line =
                    format!("error: the run took longer than {granted:?} and was ended{who}\n");
                let _ = stderr().write_all(line.as_bytes());
                let_end(this());
                std::process::exit(EXIT_STATUS);
            }
        })?;
        Ok(Self { _alive: alive })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watchdog_that_is_dropped_does_nothing() {
        // Long enough for a busy machine to reach the drop in time.
        drop(Watchdog::start(Duration::from_secs(2), &CpuSet::one(0)).unwrap());
        std::thread::sleep(Duration::from_millis(2200));
    }
}
