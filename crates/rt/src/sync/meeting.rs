//! A barrier for measured loops, in whichever kernel serves them.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::lock::Semaphore;

/// A point at which threads in a measured loop wait for each other, also in a real-time core: the
/// standard library's barrier sleeps in Linux.
#[derive(Debug)]
pub struct Meeting {
    others: u64,
    arrived: AtomicU64,
    /// Used alternately, so that no thread that arrives early for the next round takes the place of
    /// a thread that leaves this one late.
    all_are_there: [Semaphore; 2],
}

impl Meeting {
    /// Creates a barrier for `threads` threads, at least one.
    ///
    /// # Errors
    /// Fails if the kernel has no room for its semaphores; the error says what it needs.
    pub fn new(threads: usize) -> io::Result<Self> {
        Ok(Self {
            others: threads as u64 - 1,
            arrived: AtomicU64::new(0),
            all_are_there: [Semaphore::new(0)?, Semaphore::new(0)?],
        })
    }

    /// Waits until all threads have arrived; then all become ready at once.
    pub fn wait(&self) {
        let place = self.arrived.fetch_add(1, Ordering::AcqRel);
        let round = place / (self.others + 1);
        let all_are_there = &self.all_are_there[(round % 2) as usize];
        match place % (self.others + 1) == self.others {
            true => (0..self.others).for_each(|_| all_are_there.post()),
            false => all_are_there.wait(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_thread_leaves_a_meeting_before_all_have_arrived() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        const THREADS: usize = 3;
        let (meeting, arrivals) = (Meeting::new(THREADS).unwrap(), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    for round in 1..=50 {
                        arrivals.fetch_add(1, Ordering::Relaxed);
                        meeting.wait();
                        assert!(arrivals.load(Ordering::Relaxed) >= round * THREADS);
                        meeting.wait();
                    }
                });
            }
        });
    }
}
