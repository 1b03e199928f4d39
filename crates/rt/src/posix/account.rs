//! CPU time of a thread that two kernels run in turns.

use std::cell::Cell;

use super::linux;

/// What each of them counted. While a thread is away from Linux, to ask Linux would end
/// that, so what it had counted is kept.
pub(super) struct Account {
    /// CPU time that Linux counted before the thread left it, in nanoseconds.
    in_linux: Cell<Option<u64>>,
    ran: Cell<Ran>,
}

impl Account {
    pub(super) const fn new() -> Self {
        Self { in_linux: Cell::new(None), ran: Cell::new(Ran { told: 0, at: 0, sum: 0 }) }
    }

    /// The thread is about to leave Linux.
    pub(super) fn leave_linux(&self) {
        self.in_linux.set(Some(linux::thread_cpu_time()));
    }

    /// It is in its core, which has told so much at this stamp.
    pub(super) fn arrive(&self, told: u64, at: u64) {
        self.ran.set(Ran { told, at, sum: told });
    }

    /// The thread is in Linux again.
    pub(super) fn come_back(&self) {
        self.in_linux.set(None);
    }

    /// What both counted, in nanoseconds, when the core has told so much at this stamp.
    pub(super) fn cpu_time(&self, told: u64, at: u64) -> u64 {
        match self.in_linux.get() {
            Some(in_linux) => {
                let ran = self.ran.get().until(told, at);
                self.ran.set(ran);
                in_linux + ran.sum
            }
            None => linux::thread_cpu_time() + told,
        }
    }
}

/// How long a thread ran in its core, when it was last looked at, in nanoseconds. A core
/// counts whenever it switches; what the thread ran since then is added up from look to
/// look.
#[derive(Clone, Copy)]
struct Ran {
    told: u64,
    at: u64,
    sum: u64,
}

impl Ran {
    /// At a later look. Where there was a switch in between, the time since the thread came
    /// back is not known, and left out.
    fn until(self, told: u64, at: u64) -> Self {
        let sum = match told == self.told {
            true => self.sum + at.saturating_sub(self.at),
            false => self.sum.max(told),
        };
        Self { told, at, sum }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_that_ran_is_added_up_between_switches() {
        let first = Ran { told: 10, at: 100, sum: 10 };
        let same = first.until(10, 105);
        assert_eq!((same.sum, same.at), (15, 105));
        let switched = same.until(20, 200);
        assert_eq!(switched.sum, 20);
        assert_eq!(switched.until(20, 230).until(24, 240).sum, 50);
    }
}
