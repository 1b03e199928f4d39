//! Timers that a periodic thread waits for.

use std::io;
use std::os::fd::OwnedFd;

use rustix::io::Errno;
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
    timerfd_settime,
};

use crate::clock;

/// What a periodic thread waits for.
#[derive(Debug)]
pub enum Timer {
    /// Its own sleep until each due time: clock_nanosleep(2).
    Sleep,
    /// An interval timer of the kernel: timerfd_create(2).
    Interval(IntervalTimer),
}

/// An interval timer, and how many of its expiries were waited for.
#[derive(Debug)]
pub struct IntervalTimer {
    descriptor: OwnedFd,
    expired: u64,
}

impl Timer {
    /// A timer of the kernel that is not started yet.
    ///
    /// # Errors
    /// Without descriptors.
    pub fn interval() -> io::Result<Self> {
        let descriptor = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC)?;
        Ok(Self::Interval(IntervalTimer {
            descriptor,
            expired: 0,
        }))
    }

    /// Starts, or starts anew: period 0 is due at the stamp `first`.
    ///
    /// # Errors
    /// When the kernel refuses the period, which must be above 0.
    pub fn start(&mut self, first: u64, period: u64) -> io::Result<()> {
        let Self::Interval(timer) = self else {
            return Ok(());
        };
        let setting = Itimerspec {
            it_interval: timespec(period),
            it_value: timespec(first),
        };
        timerfd_settime(&timer.descriptor, TimerfdTimerFlags::ABSTIME, &setting)?;
        timer.expired = 0;
        Ok(())
    }

    /// Waits for period number `index`, which is due at the stamp `due`.
    #[inline]
    pub fn wait(&mut self, index: u64, due: u64) {
        match self {
            Self::Sleep => clock::sleep_until(due),
            Self::Interval(timer) => {
                while timer.expired <= index {
                    timer.expired += timer.expiries();
                }
            }
        }
    }
}

impl IntervalTimer {
    /// Waits for an expiry; how many there were since the last wait.
    fn expiries(&self) -> u64 {
        let mut count = [0; 8];
        loop {
            match rustix::io::read(&self.descriptor, &mut count) {
                Err(Errno::INTR) => {}
                _ => return u64::from_ne_bytes(count),
            }
        }
    }
}

/// A timer of the kernel that expires once each time it is armed.
#[derive(Debug)]
pub struct OneShot(OwnedFd);

impl OneShot {
    /// A timer that is not armed.
    ///
    /// # Errors
    /// Without descriptors.
    pub fn new() -> io::Result<Self> {
        let descriptor = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC)?;
        Ok(Self(descriptor))
    }

    /// Lets the timer expire at the stamp `expiry`, which must be above 0; at once
    /// where it has passed.
    ///
    /// # Errors
    /// The kernel's, which has no reason for one.
    pub fn arm(&self, expiry: u64) -> io::Result<()> {
        let setting = Itimerspec {
            it_interval: timespec(0),
            it_value: timespec(expiry),
        };
        timerfd_settime(&self.0, TimerfdTimerFlags::ABSTIME, &setting)?;
        Ok(())
    }

    /// Waits in read(2) until the timer expires.
    ///
    /// # Errors
    /// `Interrupted` by a signal.
    #[inline]
    pub fn wait(&self) -> io::Result<()> {
        rustix::io::read(&self.0, &mut [0; 8])?;
        Ok(())
    }
}

fn timespec(stamp: u64) -> Timespec {
    Timespec {
        tv_sec: (stamp / 1_000_000_000) as _,
        tv_nsec: (stamp % 1_000_000_000) as _,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_period_is_waited_for_too_short() {
        for mut timer in [Timer::Sleep, Timer::interval().unwrap()] {
            for _start_and_start_anew in 0..2 {
                let (first, period) = (clock::now() + 1_000_000, 500_000);
                timer.start(first, period).unwrap();
                for index in [0, 1, 2, 5] {
                    timer.wait(index, first + index * period);
                    assert!(clock::now() >= first + index * period);
                }
            }
        }
    }

    #[test]
    fn a_timer_expires_once_for_each_arming_and_never_early() {
        let timer = OneShot::new().unwrap();
        for expiry in [clock::now() + 1_000_000, 1, clock::now() + 1_000_000] {
            timer.arm(expiry).unwrap();
            timer.wait().unwrap();
            assert!(clock::now() >= expiry);
        }
    }
}
