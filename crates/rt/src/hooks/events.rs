//! Storage for events, which threads fill without waiting for each other.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// A call of a counted function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Raw {
    /// The function's index in [`super::function::ALL`].
    pub function: usize,
    /// The step in progress, or [`NO_STEP`].
    pub step: u64,
    /// The call's return address.
    pub caller: usize,
    /// The nearest caller in the watched code; 0 if there is none.
    pub place: usize,
    /// The number of bytes that the call requests.
    pub bytes: u64,
}

/// Marks calls outside of steps, in place of a step's number.
pub(super) const NO_STEP: u64 = u64::MAX;

/// A fixed number of events, in memory that is touched in advance; further events are only counted.
#[derive(Debug)]
pub(super) struct Events {
    all: Vec<[AtomicU64; 5]>,
    used: AtomicUsize,
}

impl Events {
    pub(super) fn with_room(most: usize) -> Self {
        let empty = || [const { AtomicU64::new(0) }; 5];
        let all: Vec<_> = std::iter::repeat_with(empty).take(most).collect();
        // The kernel provides memory only when it is written to.
        all.iter().for_each(|event| event[0].store(0, Ordering::Relaxed));
        let used = AtomicUsize::new(0);
        Self { all, used }
    }

    /// Adds an event; does not wait or allocate.
    pub(super) fn push(&self, event: Raw) {
        let at = self.used.fetch_add(1, Ordering::Relaxed);
        let Some([whose, step, caller, place, bytes]) = self.all.get(at) else {
            return;
        };
        step.store(event.step, Ordering::Relaxed);
        caller.store(event.caller as u64, Ordering::Relaxed);
        place.store(event.place as u64, Ordering::Relaxed);
        bytes.store(event.bytes, Ordering::Relaxed);
        // Written last: it marks the event as complete.
        whose.store(event.function as u64 + 1, Ordering::Release);
    }

    /// Iterates over the complete events so far.
    pub(super) fn kept(&self) -> impl Iterator<Item = Raw> {
        let used = self.used.load(Ordering::Acquire).min(self.all.len());
        self.all[..used].iter().filter_map(|[whose, step, caller, place, bytes]| {
            Some(Raw {
                function: (whose.load(Ordering::Acquire) as usize).checked_sub(1)?,
                step: step.load(Ordering::Relaxed),
                caller: caller.load(Ordering::Relaxed) as usize,
                place: place.load(Ordering::Relaxed) as usize,
                bytes: bytes.load(Ordering::Relaxed),
            })
        })
    }

    /// Returns how many events did not fit.
    pub(super) fn lost(&self) -> u64 {
        let used = self.used.load(Ordering::Relaxed);
        used.saturating_sub(self.all.len()) as u64
    }

    /// Removes all events. No other thread may add any at the same time.
    pub(super) fn clear(&self) {
        let used = self.used.swap(0, Ordering::Relaxed).min(self.all.len());
        self.all[..used].iter().for_each(|event| event[0].store(0, Ordering::Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_that_do_not_fit_are_counted_until_cleared() {
        let events = Events::with_room(2);
        let event = |function| Raw { function, step: NO_STEP, caller: 1, place: 2, bytes: 3 };
        (0..5).for_each(|function| events.push(event(function)));
        assert_eq!(events.kept().collect::<Vec<_>>(), [event(0), event(1)]);
        assert_eq!(events.lost(), 3);
        events.clear();
        assert_eq!((events.kept().count(), events.lost()), (0, 0));
    }
}
