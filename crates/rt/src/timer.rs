//! Timers that a periodic thread waits for.

use std::io;

use crate::clock;
use crate::posix::{self, Object, TimerDescriptor};

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
    descriptor: TimerDescriptor,
    expired: u64,
}

impl Timer {
    /// A timer of the kernel that is not started yet.
    ///
    /// # Errors
    /// Without descriptors; where the kernel that measured code asks has none.
    pub fn interval() -> io::Result<Self> {
        posix::offers(Object::IntervalTimer)?;
        Ok(Self::Interval(IntervalTimer { descriptor: TimerDescriptor::new()?, expired: 0 }))
    }

    /// Starts, or starts anew: period 0 is due at the stamp `first`.
    ///
    /// # Errors
    /// When the kernel refuses the period, which must be above 0.
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
    /// Waits for an expiry; how many there were since the last wait.
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
    /// A timer that is not armed.
    ///
    /// # Errors
    /// Without descriptors; where the kernel that measured code asks has none.
    pub fn new() -> io::Result<Self> {
        posix::offers(Object::OneShotTimer)?;
        Ok(Self(TimerDescriptor::new()?))
    }

    /// Lets the timer expire at the stamp `expiry`, which must be above 0; at once
    /// where it has passed.
    ///
    /// # Errors
    /// The kernel's, which has no reason for one.
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
