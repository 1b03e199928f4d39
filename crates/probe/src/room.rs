//! The maximum size of the recording of a run.

use plan::{Room, RunSpec};

/// Ratio of allowed to planned samples: some samples occur twice in runs of few bursts.
const TIMES_PLANNED: u64 = 2;
/// Values of the smallest run, for the facts of phases and injections.
const LEAST_VALUES: u64 = 1 << 20;
/// Values of evidence: events that are kept around late steps.
const VALUES_OF_EVIDENCE: u64 = 1 << 23;
/// Readings of stolen time: three numbers per CPU, twenty times per second.
const STEAL_VALUES_A_SECOND: u64 = 60;

/// Returns the maximum size of the recording of a run whose samples take `sample_bytes`.
pub(crate) fn room(spec: &RunSpec, sample_bytes: u64) -> Room {
    let evidence = spec.blame_beyond.map_or(0, |_| {
        let readings = spec.longest().as_secs() * STEAL_VALUES_A_SECOND;
        VALUES_OF_EVIDENCE + readings.saturating_mul(spec.asked.cpus.len() as u64)
    });
    let samples = (sample_bytes / 8).saturating_mul(TIMES_PLANNED);
    Room::for_values(LEAST_VALUES.saturating_add(samples).saturating_add(evidence))
}
