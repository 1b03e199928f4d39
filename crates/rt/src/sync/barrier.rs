//! Barriers that let nobody wait for a thread that has left.

use std::fmt::{self, Debug};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::thread::futex;

use super::pthread::PthreadBarrier;
use super::{Padded, Stop, Stopped};

/// A place where a fixed number of threads wait until all are there.
pub trait Barrier: Debug + Send + Sync {
    /// Waits until all threads are there.
    ///
    /// # Errors
    /// When a thread has left: then not all will ever be there.
    fn wait(&self) -> Result<(), Stopped>;
    /// Leaves for good, in place of the next [`Barrier::wait`].
    fn leave(&self);
}

/// The kinds of barriers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BarrierKind {
    /// Spins on a counter; yields now and then.
    #[default]
    Spin,
    /// Sleeps on a futex.
    Futex,
    /// pthread_barrier_wait(3).
    Pthread,
}

impl BarrierKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Spin, Self::Futex, Self::Pthread];

    /// The kind's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Spin => "spin",
            Self::Futex => "futex",
            Self::Pthread => "pthread",
        }
    }

    /// A new barrier for this many threads.
    #[must_use]
    pub fn create(self, threads: u32) -> Box<dyn Barrier> {
        match self {
            Self::Spin => Box::new(SpinBarrier(Rounds::new(threads))),
            Self::Futex => Box::new(FutexBarrier(Rounds::new(threads))),
            Self::Pthread => Box::new(PthreadBarrier::new(threads)),
        }
    }
}

impl fmt::Display for BarrierKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Counts arrivals; the last one of a round starts the next round.
#[derive(Debug)]
struct Rounds {
    threads: u32,
    arrived: Padded<AtomicU32>,
    round: Padded<AtomicU32>,
    stop: Stop,
}

impl Rounds {
    fn new(threads: u32) -> Self {
        Self {
            threads,
            arrived: Padded::default(),
            round: Padded::default(),
            stop: Stop::default(),
        }
    }

    /// Arrives; gives the round to wait for the end of, unless this ended it.
    #[inline]
    fn arrive(&self) -> Option<u32> {
        let round = self.round.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 < self.threads {
            return Some(round);
        }
        self.arrived.store(0, Ordering::Relaxed);
        self.round.store(round.wrapping_add(1), Ordering::Release);
        None
    }

    #[inline]
    fn has_ended(&self, round: u32) -> bool {
        self.round.load(Ordering::Acquire) != round
    }
}

#[derive(Debug)]
struct SpinBarrier(Rounds);

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
struct FutexBarrier(Rounds);

impl FutexBarrier {
    fn wake_all(&self) {
        // Fails for a bad address only.
        let _ = futex::wake(
            &self.0.round,
            futex::Flags::PRIVATE,
            i32::MAX.cast_unsigned(),
        );
    }
}

impl Barrier for FutexBarrier {
    fn wait(&self) -> Result<(), Stopped> {
        let Some(round) = self.0.arrive() else {
            self.wake_all();
            return Ok(());
        };
        while !self.0.has_ended(round) && !self.0.stop.is_stopped() {
            // Returns at once when the round has ended meanwhile; a signal or a
            // wake-up without a cause is one more look.
            let _ = futex::wait(&self.0.round, futex::Flags::PRIVATE, round, None);
        }
        if self.0.stop.is_stopped() {
            Err(Stopped)
        } else {
            Ok(())
        }
    }

    fn leave(&self) {
        self.0.stop.stop();
        self.0.round.fetch_add(1, Ordering::AcqRel);
        self.wake_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn nobody_passes_before_all_are_there() {
        const THREADS: u32 = 3;
        for kind in BarrierKind::ALL {
            let (barrier, arrivals) = (kind.create(THREADS), AtomicUsize::new(0));
            let work = || {
                for round in 1..=200 {
                    arrivals.fetch_add(1, Ordering::Relaxed);
                    barrier.wait().unwrap();
                    assert!(arrivals.load(Ordering::Relaxed) >= round * THREADS as usize);
                    barrier.wait().unwrap();
                }
            };
            std::thread::scope(|scope| {
                for _ in 0..THREADS {
                    scope.spawn(work);
                }
            });
            assert_eq!(arrivals.into_inner(), 600, "{kind}");
        }
    }

    #[test]
    fn nobody_waits_for_a_thread_that_has_left() {
        for kind in BarrierKind::ALL {
            let barrier = kind.create(3);
            let ends = std::thread::scope(|scope| {
                let waiters = [(), ()].map(|()| scope.spawn(|| barrier.wait()));
                barrier.leave();
                waiters.map(|waiter| waiter.join().unwrap())
            });
            assert_eq!(ends, [Err(Stopped); 2], "{kind}");
        }
    }

    #[test]
    fn leaving_when_nobody_waits_does_not_hang() {
        for kind in BarrierKind::ALL {
            kind.create(2).leave();
        }
    }
}
