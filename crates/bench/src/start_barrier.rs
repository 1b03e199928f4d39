//! The barrier at which measuring threads wait until all of them have their conditions.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rt::clock;

/// Time from the last arrival to the start: every thread reads its counters and falls asleep.
pub const LEAD_NS: u64 = 20_000_000;

/// Opens when every expected thread has arrived; no thread starts if one of them is not ready.
pub struct StartBarrier {
    state: Mutex<State>,
    opened: Condvar,
}

struct State {
    missing: usize,
    refused: bool,
    start: u64,
}

impl StartBarrier {
    pub fn for_threads(count: usize) -> Self {
        Self {
            state: Mutex::new(State { missing: count, refused: false, start: 0 }),
            opened: Condvar::new(),
        }
    }

    /// Waits for the others. Returns the stamp at which all start, or `None` if no thread starts.
    pub fn arrive(&self, ready: bool) -> Option<u64> {
        let mut state = self.state();
        state.refused |= !ready;
        state.missing = state.missing.saturating_sub(1);
        if state.missing == 0 {
            state.start = clock::now() + LEAD_NS;
            self.opened.notify_all();
        }
        let state = self
            .opened
            .wait_while(state, |state| state.missing > 0)
            .unwrap_or_else(PoisonError::into_inner);
        (!state.refused).then_some(state.start)
    }

    /// Releases all waiting threads without a start, because some thread will never arrive.
    pub fn abandon(&self) {
        let mut state = self.state();
        state.refused = true;
        state.missing = 0;
        self.opened.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(first: bool, second: bool) -> (Option<u64>, Option<u64>) {
        let barrier = StartBarrier::for_threads(2);
        std::thread::scope(|scope| {
            let other = scope.spawn(|| barrier.arrive(second));
            (barrier.arrive(first), other.join().unwrap())
        })
    }

    #[test]
    fn all_start_at_the_same_time_or_none_does() {
        let (first, second) = both(true, true);
        assert!(first.is_some() && first == second);
        assert_eq!(both(true, false), (None, None));
        assert_eq!(both(false, true), (None, None));
    }

    #[test]
    fn an_abandoned_barrier_holds_no_thread() {
        let barrier = StartBarrier::for_threads(3);
        barrier.abandon();
        assert_eq!(barrier.arrive(true), None);
    }
}
