//! Barriers at which no thread waits for a thread that has left.

use std::fmt::Debug;

use super::atomic::{AtomicU32, Ordering};
use super::futex;
use super::padded::Padded;
use super::stop::{Stop, Stopped};

/// A point at which a fixed number of threads wait for each other.
pub trait Barrier: Debug + Send + Sync {
    /// Waits until all threads have arrived.
    ///
    /// # Errors
    /// Fails if a thread has left: then not all will ever arrive.
    fn wait(&self) -> Result<(), Stopped>;
    /// Leaves for good, in place of the next [`Barrier::wait`].
    fn leave(&self);
}

/// Counts arrivals; the last one of a round starts the next round.
#[derive(Debug)]
pub struct Rounds {
    threads: u32,
    arrived: Padded<AtomicU32>,
    round: Padded<AtomicU32>,
    stop: Stop,
}

impl Rounds {
    /// Creates the rounds of this many threads.
    #[must_use]
    pub fn new(threads: u32) -> Self {
        Self {
            threads,
            arrived: Padded::default(),
            round: Padded::default(),
            stop: Stop::default(),
        }
    }

    /// Arrives; returns the round whose end must be waited for, unless this arrival ended it.
    #[inline]
    #[must_use]
    pub fn arrive(&self) -> Option<u32> {
        let round = self.round.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 < self.threads {
            return Some(round);
        }
        self.arrived.store(0, Ordering::Relaxed);
        self.round.store(round.wrapping_add(1), Ordering::Release);
        None
    }

    /// Whether all threads have arrived in this round.
    #[inline]
    #[must_use]
    pub fn has_ended(&self, round: u32) -> bool {
        self.round.load(Ordering::Acquire) != round
    }
}

#[derive(Debug)]
pub(super) struct SpinBarrier(pub(super) Rounds);

impl Barrier for SpinBarrier {
    #[inline]
    fn wait(&self) -> Result<(), Stopped> {
        match self.0.arrive() {
            None => Ok(()),
            Some(round) => self.0.stop.wait_until(|| self.0.has_ended(round)),
        }
    }

    fn leave(&self) {
        self.0.stop.stop();
    }
}

#[derive(Debug)]
pub(super) struct FutexBarrier(pub(super) Rounds);

impl FutexBarrier {
    fn wake_all(&self) {
        futex::wake(&self.0.round, i32::MAX.cast_unsigned());
    }
}

impl Barrier for FutexBarrier {
    fn wait(&self) -> Result<(), Stopped> {
        let Some(round) = self.0.arrive() else {
            self.wake_all();
            return Ok(());
        };
        while !self.0.has_ended(round) && !self.0.stop.is_stopped() {
            futex::wait(&self.0.round, round);
        }
        self.0.stop.check()
    }

    fn leave(&self) {
        self.0.stop.stop();
        self.0.round.fetch_add(1, Ordering::AcqRel);
        self.wake_all();
    }
}
