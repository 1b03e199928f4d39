//! How large the recording of a run may be.

use plan::{Room, RunSpec};

/// Samples are counted generously where a run is planned; some of them twice for runs of
/// few bursts.
const TIMES_PLANNED: u64 = 2;
/// Values of the smallest run, of facts about phases and injections.
const LEAST_VALUES: u64 = 1 << 20;
/// Events that are kept beside what was late, with the windows around them.
const VALUES_OF_EVIDENCE: u64 = 1 << 23;
/// Readings of stolen time: three numbers a CPU, twenty times a second.
const STEAL_VALUES_A_SECOND: u64 = 60;

/// The room for the recording of a run whose samples take so many bytes while it measures.
pub(crate) fn room(spec: &RunSpec, sample_bytes: u64) -> Room {
    let evidence = spec.blame_beyond.map_or(0, |_| {
        let readings = spec.longest().as_secs() * STEAL_VALUES_A_SECOND;
        VALUES_OF_EVIDENCE + readings.saturating_mul(spec.asked.cpus.len() as u64)
    });
    let samples = (sample_bytes / 8).saturating_mul(TIMES_PLANNED);
    Room::for_values(LEAST_VALUES.saturating_add(samples).saturating_add(evidence))
}
