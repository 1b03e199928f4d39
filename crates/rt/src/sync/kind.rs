//! The kinds of barriers, by name.

use super::barrier::{Barrier, FutexBarrier, Rounds, SpinBarrier};
use super::pthread::PthreadBarrier;

base::named! {
    /// The kinds of barriers.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum BarrierKind {
        /// Spins on a counter; yields from time to time.
        #[default]
        Spin = "spin",
        /// Sleeps on a futex.
        Futex = "futex",
        /// Calls pthread_barrier_wait(3).
        Pthread = "pthread",
    }
}

impl BarrierKind {
    /// Creates a barrier for this many threads.
    #[must_use]
    pub fn create(self, threads: u32) -> Box<dyn Barrier> {
        match self {
            Self::Spin => Box::new(SpinBarrier(Rounds::new(threads))),
            Self::Futex => Box::new(FutexBarrier(Rounds::new(threads))),
            Self::Pthread => Box::new(PthreadBarrier::new(threads)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sync::Stopped;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn no_thread_passes_before_all_have_arrived() {
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
            assert_eq!(arrivals.into_inner(), 600, "{kind:?}");
        }
    }

    #[test]
    fn no_thread_waits_for_one_that_has_left() {
        for kind in BarrierKind::ALL {
            let barrier = kind.create(3);
            let ends = std::thread::scope(|scope| {
                let waiters = [(), ()].map(|()| scope.spawn(|| barrier.wait()));
                barrier.leave();
                waiters.map(|waiter| waiter.join().unwrap())
            });
            assert_eq!(ends, [Err(Stopped); 2], "{kind:?}");
            // Without a thread that waits, this does not hang.
            kind.create(2).leave();
        }
    }
}
