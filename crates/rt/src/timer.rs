//! Timers for which a periodic thread waits.

use std::io;

use crate::clock;
use crate::posix::{self, Object, TimerDescriptor};

/// What a periodic thread waits for.
#[derive(Debug)]
pub enum Timer {
    /// The thread's own sleep until each due time: clock_nanosleep(2).
    Sleep,
    /// An interval timer of the kernel: timerfd_create(2).
    Interval(IntervalTimer),
}

/// An interval timer, and how many of its expiries have been waited for.
#[derive(Debug)]
pub struct IntervalTimer {
    descriptor: TimerDescriptor,
    expired: u64,
}

impl Timer {
    /// Creates a timer of the kernel that is not started yet.
    ///
    /// # Errors
    /// Fails if no descriptors are left, or if the kernel that serves measured code has no interval
    /// timers.
    pub fn interval() -> io::Result<Self> {
        posix::offers(Object::IntervalTimer)?;
        Ok(Self::Interval(IntervalTimer { descriptor: TimerDescriptor::new()?, expired: 0 }))
    }

    /// Starts or restarts the timer: period 0 is due at the stamp `first`.
    ///
    /// # Errors
    /// Fails if the kernel refuses the period, which must be above 0.
    pub fn start(&mut self, first: u64, period: u64) -> io::Result<()> {
        let Self::Interval(timer) = self else {
            return Ok(());
        };
        timer.descriptor.set(first, period)?;
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
    /// Waits for an expiry; returns how many occurred since the last wait.
    fn expiries(&self) -> u64 {
        loop {
            match self.descriptor.read() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read.unwrap_or(0),
            }
        }
    }
}

/// A timer of the kernel that expires once each time it is armed.
#[derive(Debug)]
pub struct OneShot(TimerDescriptor);

impl OneShot {
    /// Creates a timer that is not armed.
    ///
    /// # Errors
    /// Fails if no descriptors are left, or if the kernel that serves measured code has no such
    /// timers.
    pub fn new() -> io::Result<Self> {
        posix::offers(Object::OneShotTimer)?;
        Ok(Self(TimerDescriptor::new()?))
    }

    /// Makes the timer expire at the stamp `expiry`, which must be above 0; immediately if that has
    /// passed.
    ///
    /// # Errors
    /// Returns the kernel's error; it has no reason for one.
    pub fn arm(&self, expiry: u64) -> io::Result<()> {
        self.0.set(expiry, 0)
    }

    /// Waits in read(2) until the timer expires.
    ///
    /// # Errors
    /// `Interrupted` by a signal.
    #[inline]
    pub fn wait(&self) -> io::Result<()> {
        self.0.read().map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_wait_for_a_period_is_too_short() {
        for mut timer in [Timer::Sleep, Timer::interval().unwrap()] {
            for _start_and_restart in 0..2 {
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
