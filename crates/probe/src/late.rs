//! Finds what was late in a recording and prepares it for the search for causes.

use blame::{Counts, Evidence, Late, Summary};
use plan::{Recording, RunSpec, Track};

/// When something was due and done in a thread, from the thread's stamps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamped {
    /// Number of the period.
    pub(crate) index: i64,
    pub(crate) due: i64,
    /// When the thread began its own work.
    pub(crate) start: i64,
    pub(crate) end: i64,
    /// Number of deadlines that were missed because of it.
    pub(crate) missed: u64,
}

/// Returns the late items among `stamped`, in order. A member of a mix has a `spec` of its own.
pub(crate) fn of(
    recording: &Recording,
    spec: &RunSpec,
    track: &Track,
    stamped: &[Stamped],
) -> Vec<Late> {
    // The time from its due time, in nanoseconds, above which something is late.
    let limit = spec.blame_beyond.map_or(i64::MAX, |limit| limit.0 as i64);
    let own: Vec<i64> = stamped.iter().map(|step| step.end - step.start).collect();
    let usual_ns = stats::median(&own).unwrap_or(0);
    let found = recording.found.threads.iter().find(|found| found.name == track.name);
    let asked = found.map_or(spec.asked.policy, |found| found.asked_policy);
    let late = |(sample, step): (usize, &Stamped)| Late {
        thread: track.name.clone(),
        number: track.number("thread_number"),
        index: step.index,
        due: step.due,
        start: step.start,
        end: step.end,
        limit_ns: limit,
        usual_ns,
        priority: Late::priority_of(asked),
        counts: Counts::of(track, sample),
        missed: step.missed,
        waits: Vec::new(),
        group: None,
    };
    let stamped = stamped.iter().enumerate();
    let is_late = |(_, step): &(usize, &Stamped)| step.end - step.due > limit;
    stamped.filter(is_late).map(late).collect()
}

/// Returns the causes of everything late in a recording, or `None` if causes were not requested.
pub(crate) fn summary(recording: &Recording, late: impl FnOnce() -> Vec<Late>) -> Option<Summary> {
    let limit = recording.header.spec.blame_beyond?;
    let evidence = Evidence::of(&recording.evidence);
    Some(blame::summary(limit.0 as i64, &late(), &evidence))
}
