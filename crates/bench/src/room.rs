//! The maximum size of the recording of a run.

use record::{Room, RunSpec};

/// Ratio of allowed to planned samples: some samples occur twice in runs of few bursts.
const TIMES_PLANNED: u64 = 2;
/// Values of the smallest run, for the facts of phases and injections.
const LEAST_VALUES: u64 = 1 << 20;
/// Values of evidence: events that are kept around late steps.
const VALUES_OF_EVIDENCE: u64 = 1 << 23;

/// Returns the maximum size of the recording of a run whose samples take `sample_bytes`.
pub fn room(spec: &RunSpec, sample_bytes: u64) -> Room {
    let searched = spec.blame_beyond.map_or(0, |_| VALUES_OF_EVIDENCE);
    let evidence = searched + blame::MOST_READ;
    let samples = (sample_bytes / 8).saturating_mul(TIMES_PLANNED);
    Room::for_values(LEAST_VALUES.saturating_add(samples).saturating_add(evidence))
}
