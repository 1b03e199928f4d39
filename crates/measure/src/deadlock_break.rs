//! Deadlock break: the time that contention adds until a high-priority thread has a lock.

use bench::{Abort, Bench};
use bench::{Description, Length, Measurement, TrackShape};
use record::{Family, Parameters, Recording, Row, RunSpec, Track, fact};
use rt::lock::LockKind;
use stats::Distribution;

use crate::contest::{self, Parties, contests};
use crate::priority_inversion::waits;

pub(crate) struct DeadlockBreak;

/// The locks in the order of their rows: first those that the high thread gets whatever the medium
/// one does. The first is the one that a real-time program would use.
const LOCKS: [LockKind; 5] = [
    LockKind::MutexInherit,
    LockKind::MutexCeiling,
    LockKind::Mutex,
    LockKind::Semaphore,
    LockKind::Spin,
];

impl Measurement for DeadlockBreak {
    fn description(&self) -> Description {
        Description {
            name: "deadlock_break",
            summary: "time until a high-priority thread is granted a held lock; minus that of a \
                      free lock",
            source: "Rhealstone",
            family: Some(Family::Locks),
            parameters: contest::PARAMETERS,
            facts: &[fact::CONTESTS, fact::BREAK],
            ..Description::PINNED
        }
    }

    fn length(&self, parameters: &Parameters) -> Length {
        let medium_run = parameters.medium_run().0;
        Length::Fixed(contest::length(parameters, medium_run))
    }

    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        contest::check(spec)
    }

    fn sample_bytes(&self, spec: &RunSpec) -> u64 {
        contest::sample_bytes(spec)
    }

    /// Records for each lock the contended track, then the free one.
    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let medium_run = bench.spec.parameters.medium_run().0;
        let parties = [Parties::All, Parties::HighAlone];
        let pairs = LOCKS.iter().flat_map(|kind| parties.map(|parties| (*kind, parties)));
        pairs.map(|(kind, parties)| contests(bench, kind, parties, &[medium_run])).collect()
    }

    fn tracks(&self, spec: &RunSpec) -> Vec<TrackShape> {
        let pair = |kind: &LockKind| contest::shape(spec, *kind).times(2..=2);
        LOCKS.iter().map(pair).collect()
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        recording.tracks.chunks_exact(2).map(|pair| row(&pair[0], &pair[1])).collect()
    }
}

fn row(contended: &Track, free: &Track) -> Row {
    if let Some(row) = contest::unavailable(contended) {
        return row;
    }
    let name = &*contended.name;
    let latency = Distribution::of(waits(contended));
    let mean_ns = latency.as_ref().map(Distribution::mean_ns);
    let free_mean_ns = Distribution::of(waits(free)).map(|free| free.mean_ns());
    Row::of(name, latency)
        .with(&fact::LOCK, name)
        .with(&fact::BREAK_NS, mean_ns.zip(free_mean_ns).map(|(held, free)| held - free))
        .with(&fact::UNCONTENDED_MEAN_NS, free_mean_ns)
        .with(&fact::GAVE_UP, contest::gave_up(contended))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_runs::rows;

    #[test]
    fn the_break_is_what_contention_adds() {
        let track = |granted| {
            Track::new("mutex")
                .column("wish_ns", vec![0, 100])
                .column("granted_ns", granted)
                .column("gave_up", vec![0, 0])
        };
        let rows = rows("deadlock_break", vec![track(vec![50, 150]), track(vec![2, 104])]);
        assert_eq!(rows[0].facts["break_ns"], 47.0);
        assert_eq!(rows[0].facts["uncontended_mean_ns"], 3.0);
    }
}
