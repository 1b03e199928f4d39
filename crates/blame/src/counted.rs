//! Causes by what the kernel counts in every run, also without a search for causes.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use crate::enclosed::Enclosed;
use crate::{Cause, Evidence, Timed};

/// Number of samples that are judged per thread.
const MOST: usize = 8;

/// One of the latest samples of a thread, and what the kernel's counters say about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counted {
    /// Name of the thread.
    pub thread: String,
    /// CPU of the thread; null if it may run on several.
    pub cpu: Option<u32>,
    /// When it was due, in nanoseconds of `CLOCK_MONOTONIC`.
    pub due_ns: i64,
    /// Time from due to done, in nanoseconds.
    pub took_ns: i64,
    /// Causes of which each explains at least half of the lateness, the largest first, each with
    /// its time in nanoseconds; empty if the counters show no cause.
    pub shares: Vec<(Cause, i64)>,
}

/// Judges the latest samples of a thread, worst first. Samples that are late only because the one
/// before was are left out. Returns nothing if nothing was counted.
pub fn counted(thread: &Timed, evidence: &Evidence) -> Vec<Counted> {
    let mut late: Vec<usize> =
        (0..thread.samples.len()).filter(|at| thread.lateness(*at) > 0).collect();
    if late.is_empty() || !evidence.has_counts() {
        return Vec::new();
    }
    let enclosed = Enclosed::new(thread, evidence);
    late.retain(|at| {
        let waited_for_the_one_before = thread.begin(*at) > thread.samples[*at].due;
        !waited_for_the_one_before || enclosed.excess(*at) >= thread.lateness(*at) / 2
    });
    late.sort_by_key(|at| Reverse(thread.samples[*at].took()));
    late.truncate(MOST);
    let judged = |at: usize| Counted {
        thread: thread.thread.to_owned(),
        cpu: thread.cpu,
        due_ns: thread.samples[at].due,
        took_ns: thread.samples[at].took(),
        shares: enclosed.shares(at),
    };
    late.into_iter().map(judged).collect()
}

#[cfg(test)]
#[path = "counted_tests.rs"]
mod tests;
