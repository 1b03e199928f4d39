//! What was late in a recording, as the search for causes takes it.

use blame::{Counts, Evidence, Late, Summary};
use plan::{Recording, RunSpec, Track};

/// When something was due and done in a thread, by its own stamps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamped {
    /// Which period.
    pub(crate) index: i64,
    /// When it was due.
    pub(crate) due: i64,
    /// From when on the thread did its own work.
    pub(crate) start: i64,
    /// When it was done.
    pub(crate) end: i64,
}

/// The late ones among what a thread did, in order.
pub(crate) fn of(recording: &Recording, track: &Track, stamped: &[Stamped]) -> Vec<Late> {
    of_part(recording, &recording.header.spec, track, stamped)
}

/// The same of a thread of a part of the run that has a specification of its own.
pub(crate) fn of_part(
    recording: &Recording,
    spec: &RunSpec,
    track: &Track,
    stamped: &[Stamped],
) -> Vec<Late> {
    let limit = limit(spec);
    let own: Vec<i64> = stamped.iter().map(|one| one.end - one.start).collect();
    let usual_ns = stats::median(&own).unwrap_or(0);
    let thread = |found: &&plan::ThreadFound| found.name == track.name;
    let found = recording.found.threads.iter().find(thread);
    let asked = found.map_or(spec.asked.policy, |t| t.asked_policy);
    let late = |(sample, one): (usize, &Stamped)| Late {
        thread: track.name.clone(),
        number: track.number("thread_number"),
        index: one.index,
        due: one.due,
        start: one.start,
        end: one.end,
        usual_ns,
        priority: Late::priority_of(asked),
        counts: Counts::of(track, sample),
        waits: Vec::new(),
        group: None,
    };
    let stamped = stamped.iter().enumerate();
    let is_late = |(_, one): &(usize, &Stamped)| one.end - one.due > limit;
    stamped.filter(is_late).map(late).collect()
}

/// What takes longer from its due time on is late.
fn limit(spec: &RunSpec) -> i64 {
    spec.blame_beyond.map_or(i64::MAX, |limit| limit.0 as i64)
}

/// The causes of everything late in a recording; `None` where nobody asked.
pub(crate) fn summary(recording: &Recording, late: impl FnOnce() -> Vec<Late>) -> Option<Summary> {
    let limit = recording.header.spec.blame_beyond?;
    let evidence = Evidence::of(&recording.evidence);
    Some(blame::summary(limit.0 as i64, &late(), &evidence))
}
