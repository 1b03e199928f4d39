//! Room for events, which threads fill without waiting for each other.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// A call of a counted function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Raw {
    /// Which of the functions.
    pub function: usize,
    /// The step that was under way, or [`NO_STEP`].
    pub step: u64,
    /// Where the call returns to.
    pub caller: usize,
    /// The nearest caller in the code that is watched; 0 without one.
    pub place: usize,
    /// Bytes that it asks for.
    pub bytes: u64,
}

/// Outside of steps.
pub(super) const NO_STEP: u64 = u64::MAX;

/// So many events, in memory that is touched before; those beyond are counted.
#[derive(Debug)]
pub(super) struct Events {
    all: Vec<[AtomicU64; 5]>,
    used: AtomicUsize,
}

impl Events {
    pub(super) fn with_room(most: usize) -> Self {
        let one = || [const { AtomicU64::new(0) }; 5];
        let all: Vec<_> = std::iter::repeat_with(one).take(most).collect();
        // The kernel gives memory where something is written.
        all.iter().for_each(|event| event[0].store(0, Ordering::Relaxed));
        let used = AtomicUsize::new(0);
        Self { all, used }
    }

    /// Neither waits nor allocates.
    pub(super) fn push(&self, event: Raw) {
        let at = self.used.fetch_add(1, Ordering::Relaxed);
        let Some([whose, step, caller, place, bytes]) = self.all.get(at) else {
            return;
        };
        step.store(event.step, Ordering::Relaxed);
        caller.store(event.caller as u64, Ordering::Relaxed);
        place.store(event.place as u64, Ordering::Relaxed);
        bytes.store(event.bytes, Ordering::Relaxed);
        // Last: it says that the event is whole.
        whose.store(event.function as u64 + 1, Ordering::Release);
    }

    /// The whole events so far.
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

    /// How many there was no room for.
    pub(super) fn lost(&self) -> u64 {
        let used = self.used.load(Ordering::Relaxed);
        used.saturating_sub(self.all.len()) as u64
    }

    /// Makes room again. No other thread may fill it meanwhile.
    pub(super) fn clear(&self) {
        let used = self.used.swap(0, Ordering::Relaxed).min(self.all.len());
        self.all[..used].iter().for_each(|event| event[0].store(0, Ordering::Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_counted_and_room_is_made_again() {
        let events = Events::with_room(2);
        let event = |function| Raw { function, step: NO_STEP, caller: 1, place: 2, bytes: 3 };
        (0..5).for_each(|function| events.push(event(function)));
        assert_eq!(events.kept().collect::<Vec<_>>(), [event(0), event(1)]);
        assert_eq!(events.lost(), 3);
        events.clear();
        assert_eq!((events.kept().count(), events.lost()), (0, 0));
    }
}
