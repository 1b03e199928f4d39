//! The causes of lateness in a recording: by the search for them, and by the kernel's counters.

use blame::{Counted, Evidence, Late, Summary};
use record::Recording;

use crate::Measurement;
use crate::late::add_counted;

/// Returns everything that was late in a recording.
pub fn late(measurement: &dyn Measurement, recording: &Recording) -> Vec<Late> {
    let mut late = Vec::new();
    measurement.each_thread(recording, &mut |thread| late.extend(thread.late(recording)));
    late
}

/// Returns the causes of everything late in a recording, or `None` if causes were not requested.
pub fn summary(measurement: &dyn Measurement, recording: &Recording) -> Option<Summary> {
    let limit = recording.header.spec.blame_beyond?;
    let evidence = Evidence::of(&recording.evidence);
    Some(blame::summary(limit.0 as i64, &late(measurement, recording), &evidence))
}

/// Returns the latest samples of each thread with the causes that the kernel's counters show, the
/// worst first; nothing if the run has no deadlines, or nothing was counted.
pub fn counted(measurement: &dyn Measurement, recording: &Recording) -> Vec<Counted> {
    let parameters = &recording.header.spec.parameters;
    if measurement.usual_limit(parameters).is_none() || recording.evidence.is_empty() {
        return Vec::new();
    }
    let evidence = Evidence::of(&recording.evidence);
    let mut all = Vec::new();
    measurement.each_thread(recording, &mut |thread| {
        add_counted(&mut all, &thread, recording, &evidence);
    });
    let mut all: Vec<Counted> = all.into_iter().map(|(_, counted)| counted).collect();
    all.sort_by_key(|counted| -counted.took_ns);
    all
}
