//! What the control groups of this process did to it, read by a separate thread.

use rt::clock;
use rt::held_counters::HeldCounters;

/// The relevant stretches between two readings: start, end, frozen time and throttled time.
pub(super) struct GroupWatch {
    counters: HeldCounters,
    last: [i64; 3],
    /// If readings are farther apart than this, the reader itself did not run.
    silence_ns: i64,
    held: Vec<[i64; 4]>,
}

impl GroupWatch {
    pub(super) fn start(silence_ns: i64) -> Self {
        let counters = HeldCounters::of_this_process();
        Self { last: reading(&counters), counters, silence_ns, held: Vec::new() }
    }

    pub(super) fn read(&mut self) {
        let last = std::mem::replace(&mut self.last, reading(&self.counters));
        self.held.extend(stretch(last, self.last, self.silence_ns));
    }

    pub(super) fn hand_over(&mut self) -> Vec<[i64; 4]> {
        std::mem::take(&mut self.held)
    }
}

fn reading(counters: &HeldCounters) -> [i64; 3] {
    // The time stamp is taken last, so everything counted happened before it.
    let [frozen, throttled] = [counters.frozen_ns(), counters.throttled_ns()];
    [clock::now(), frozen, throttled].map(|count| count as i64)
}

fn stretch(before: [i64; 3], after: [i64; 3], silence_ns: i64) -> Option<[i64; 4]> {
    let [from, to] = [before[0], after[0]];
    let [frozen, throttled] = [1, 2].map(|place| (after[place] - before[place]).max(0));
    let is_relevant = frozen > 0 || throttled > 0 || to - from > silence_ns;
    is_relevant.then_some([from, to, frozen, throttled])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_is_kept_if_something_was_counted_or_nothing_was_read() {
        let kept = |after| stretch([100, 5, 5], after, 20);
        assert_eq!(kept([120, 5, 5]), None);
        assert_eq!(kept([121, 5, 5]), Some([100, 121, 0, 0]));
        assert_eq!(kept([110, 14, 5]), Some([100, 110, 9, 0]));
        assert_eq!(kept([110, 5, 8]), Some([100, 110, 0, 3]));
    }
}
