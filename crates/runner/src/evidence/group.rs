//! What the control groups of this process did to it, read by a separate thread.

use blame::group_track;
use record::Track;
use rt::clock;
use rt::counters::{ThreadCounts, runnable_ns};
use rt::held_counters::HeldCounters;

/// The relevant stretches between two readings: start, end, and what was counted in between.
pub(super) struct GroupWatch {
    counters: HeldCounters,
    last: Reading,
    /// If readings are farther apart than this, and the reader was not runnable in between, the
    /// whole process was stopped.
    silence_ns: i64,
    held: Vec<[i64; 5]>,
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

    /// Returns the track since the last call; `granted_percent` is what the kernel grants to
    /// real-time tasks, if known.
    pub(super) fn hand_over(&mut self, granted_percent: Option<u64>) -> Track {
        let held = std::mem::take(&mut self.held);
        group_track(&held, self.counters.counts_freezing(), granted_percent)
    }
}

#[derive(Debug, Clone, Copy)]
struct Reading {
    at: i64,
    frozen: i64,
    throttled: i64,
    /// For how long the reader has run or waited for a CPU; `None` if the kernel does not report it.
    runnable: Option<i64>,
    /// How often the reader was switched out because it waited or was stopped.
    switches: i64,
}

fn reading(counters: &HeldCounters) -> Reading {
    let (runnable, usage) = (runnable_ns().map(u64::cast_signed), ThreadCounts::usage());
    // The time stamp is taken last, so everything counted happened before it.
    let [frozen, throttled] = [counters.frozen_ns(), counters.throttled_ns()];
    let counts = [clock::now(), frozen, throttled, usage.voluntary_switches];
    let [at, frozen, throttled, switches] = counts.map(u64::cast_signed);
    Reading { at, frozen, throttled, runnable, switches }
}

/// A reader that was runnable for more than a tenth of the time was kept from its CPU or busy: then
/// its silence does not show that the process was stopped.
fn stretch(before: Reading, after: Reading, silence_ns: i64) -> Option<[i64; 5]> {
    let time = after.at - before.at;
    let frozen = (after.frozen - before.frozen).max(0);
    let throttled = (after.throttled - before.throttled).max(0);
    let runnable = after.runnable.zip(before.runnable).map(|(after, before)| after - before);
    let is_stopped = time > silence_ns && runnable.is_some_and(|its| its * 10 <= time);
    let is_relevant = frozen > 0 || throttled > 0 || is_stopped;
    let switches = after.switches - before.switches;
    is_relevant.then_some([before.at, after.at, frozen, throttled, switches])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_is_kept_if_something_was_counted_or_the_reader_was_stopped() {
        let reading = |[at, frozen, throttled, runnable, switches]: [i64; 5]| Reading {
            at,
            frozen,
            throttled,
            runnable: Some(runnable),
            switches,
        };
        let before = reading([100, 5, 5, 5, 3]);
        let kept = |after| stretch(before, reading(after), 20);
        assert_eq!(kept([120, 5, 5, 5, 4]), None);
        assert_eq!(kept([121, 5, 5, 7, 5]), Some([100, 121, 0, 0, 2]));
        assert_eq!(kept([110, 14, 5, 5, 4]), Some([100, 110, 9, 0, 1]));
        assert_eq!(kept([110, 5, 8, 5, 4]), Some([100, 110, 0, 3, 1]));
        // Other tasks had the reader's CPU, or that is unknown.
        assert_eq!(kept([200, 5, 5, 80, 4]), None);
        let hidden = Reading { runnable: None, ..reading([200, 5, 5, 0, 4]) };
        assert_eq!(stretch(before, hidden, 20), None);
    }
}
