//! The CPU time of a thread that alternates between two kernels.

use std::cell::Cell;

use super::linux;

/// What each kernel counted. A request to Linux would end a thread's stay in the core, so while the
/// thread is away, Linux's count is kept here.
pub(super) struct Account {
    /// CPU time that Linux counted before the thread left it, in nanoseconds.
    in_linux: Cell<Option<u64>>,
    ran: Cell<Ran>,
}

impl Account {
    pub(super) const fn new() -> Self {
        Self { in_linux: Cell::new(None), ran: Cell::new(Ran { counted: 0, at: 0, sum: 0 }) }
    }

    /// Notes that the thread is about to leave Linux.
    pub(super) fn leave_linux(&self) {
        self.in_linux.set(Some(linux::thread_cpu_time()));
    }

    /// Notes that the thread is in the core, which had counted this much at this stamp.
    pub(super) fn arrive(&self, counted: u64, at: u64) {
        self.ran.set(Ran { counted, at, sum: counted });
    }

    /// Notes that the thread is in Linux again.
    pub(super) fn come_back(&self) {
        self.in_linux.set(None);
    }

    /// Returns what both kernels counted, in nanoseconds, given the core's count at this stamp.
    pub(super) fn cpu_time(&self, counted: u64, at: u64) -> u64 {
        match self.in_linux.get() {
            Some(in_linux) => {
                let ran = self.ran.get().until(counted, at);
                self.ran.set(ran);
                in_linux + ran.sum
            }
            None => linux::thread_cpu_time() + counted,
        }
    }
}

/// How long a thread had run in its core when it was last read, in nanoseconds. A core updates its
/// count at every switch; the time since then is added up from one reading to the next.
#[derive(Clone, Copy)]
struct Ran {
    counted: u64,
    at: u64,
    sum: u64,
}

impl Ran {
    /// Returns the state at a later reading. If there was a switch in between, the time since the
    /// thread came back is unknown and left out.
    fn until(self, counted: u64, at: u64) -> Self {
        let sum = match counted == self.counted {
            true => self.sum + at.saturating_sub(self.at),
            false => self.sum.max(counted),
        };
        Self { counted, at, sum }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_time_is_added_up_between_switches() {
        let first = Ran { counted: 10, at: 100, sum: 10 };
        let same = first.until(10, 105);
        assert_eq!((same.sum, same.at), (15, 105));
        let switched = same.until(20, 200);
        assert_eq!(switched.sum, 20);
        assert_eq!(switched.until(20, 230).until(24, 240).sum, 50);
    }
}
