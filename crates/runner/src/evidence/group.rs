//! What the control groups of this process did to it, read by a separate thread.

use rt::held_counters::HeldCounters;
use rt::{clock, counters};

/// The relevant stretches between two readings: start, end, frozen time and throttled time.
pub(super) struct GroupWatch {
    counters: HeldCounters,
    last: Reading,
    /// If readings are farther apart than this, and the reader was not runnable in between, the
    /// whole process was stopped.
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

#[derive(Debug, Clone, Copy)]
struct Reading {
    at: i64,
    frozen: i64,
    throttled: i64,
    /// For how long the reader has run or waited for a CPU; `None` if the kernel does not report it.
    runnable: Option<i64>,
}

fn reading(counters: &HeldCounters) -> Reading {
    // The time stamp is taken last, so everything counted happened before it.
    let [frozen, throttled] = [counters.frozen_ns(), counters.throttled_ns()];
    let runnable = counters::runnable_ns().map(u64::cast_signed);
    let [at, frozen, throttled] = [clock::now(), frozen, throttled].map(u64::cast_signed);
    Reading { at, frozen, throttled, runnable }
}

/// A reader that was runnable for more than a tenth of the time was kept from its CPU or busy: then
/// its silence does not show that the process was stopped.
fn stretch(before: Reading, after: Reading, silence_ns: i64) -> Option<[i64; 4]> {
    let time = after.at - before.at;
    let frozen = (after.frozen - before.frozen).max(0);
    let throttled = (after.throttled - before.throttled).max(0);
    let runnable = after.runnable.zip(before.runnable).map(|(after, before)| after - before);
    let is_stopped = time > silence_ns && runnable.is_some_and(|its| its * 10 <= time);
    let is_relevant = frozen > 0 || throttled > 0 || is_stopped;
    is_relevant.then_some([before.at, after.at, frozen, throttled])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_is_kept_if_something_was_counted_or_the_reader_was_stopped() {
        let reading = |[at, frozen, throttled, runnable]: [i64; 4]| Reading {
            at,
            frozen,
            throttled,
            runnable: Some(runnable),
        };
        let before = reading([100, 5, 5, 5]);
        let kept = |after| stretch(before, reading(after), 20);
        assert_eq!(kept([120, 5, 5, 5]), None);
        assert_eq!(kept([121, 5, 5, 7]), Some([100, 121, 0, 0]));
        assert_eq!(kept([110, 14, 5, 5]), Some([100, 110, 9, 0]));
        assert_eq!(kept([110, 5, 8, 5]), Some([100, 110, 0, 3]));
        // Other tasks had the reader's CPU, or that is unknown.
        assert_eq!(kept([200, 5, 5, 80]), None);
        let hidden = Reading { runnable: None, ..reading([200, 5, 5, 0]) };
        assert_eq!(stretch(before, hidden, 20), None);
    }
}
