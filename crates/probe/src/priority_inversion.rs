//! Priority inversion: is high held back for as long as medium runs?

use plan::{Parameter, Parameters, Recording, Row, RunSpec, Track};
use rt::lock::LockKind;
use stats::{Distribution, Sample, median};

use crate::contest::{self, Parties, contests};
use crate::measurement::{Length, Measurement};
use crate::stamps::between;
use crate::{Abort, Bench};

pub(crate) struct PriorityInversion;

impl Measurement for PriorityInversion {
    fn name(&self) -> &'static str {
        "priority_inversion"
    }

    fn summary(&self) -> &'static str {
        "does a medium thread hold the high one back through a lock that low holds? five locks"
    }

    fn source(&self) -> &'static str {
        "SAE table 4, MPE 3"
    }

    fn parameters(&self) -> &'static [Parameter] {
        contest::PARAMETERS
    }

    fn length(&self, parameters: &Parameters) -> Length {
        Length::Fixed(contest::length(parameters))
    }

    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        contest::check(spec)
    }

    fn sample_bytes(&self, spec: &RunSpec) -> u64 {
        contest::sample_bytes(spec)
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        LockKind::ALL
            .iter()
            .map(|kind| contests(bench, *kind, Parties::All))
            .collect()
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        recording.tracks.iter().map(row).collect()
    }
}

fn row(track: &Track) -> Row {
    if let Some(row) = contest::unavailable(track) {
        return row;
    }
    let blocked = waits(track);
    let starts = track.values("medium_start_ns");
    let ends = track.values("medium_end_ns");
    let medium: Vec<i64> = ends
        .iter()
        .zip(starts)
        .map(|(end, start)| end - start)
        .collect();
    Row::of(
        track.name.clone(),
        Distribution::of(blocked.iter().copied()),
    )
    .with("lock", &*track.name)
    .with("vulnerable", 2 * held_back(track) > blocked.len())
    .with("blocked_ns", middle(&blocked))
    .with("medium_run_ns", median(&medium))
    .with("gave_up", contest::gave_up(track))
}

/// In how many contests high got the lock only after medium's whole run, or gave
/// up before.
fn held_back(track: &Track) -> usize {
    let grants = track.values("granted_ns").iter();
    grants
        .zip(track.values("medium_end_ns"))
        .zip(track.values("gave_up"))
        .filter(|((granted, medium_end), gave_up)| granted >= medium_end || **gave_up > 0)
        .count()
}

/// From high's wish to its grant, contest by contest. Where a spin gave up, the
/// time until then, which is a lower bound.
pub(crate) fn waits(track: &Track) -> Vec<Sample> {
    between(track, "wish_ns", "granted_ns")
}

fn middle(samples: &[Sample]) -> Option<i64> {
    median(&samples.iter().map(|s| s.value_ns).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::tests::{recording, spec};
    use testing::skip;
    use units::Policy;

    fn track(granted: i64) -> Track {
        Track::new("mutex")
            .column("wish_ns", vec![100])
            .column("granted_ns", vec![granted])
            .column("gave_up", vec![0])
            .column("medium_start_ns", vec![150])
            .column("medium_end_ns", vec![1150])
    }

    #[test]
    fn a_lock_is_vulnerable_when_high_waits_for_medium() {
        let rows = PriorityInversion.rows(&recording(
            spec("priority_inversion"),
            vec![track(1300), track(300)],
        ));
        assert_eq!(rows[0].facts["vulnerable"], true);
        assert_eq!(rows[0].facts["blocked_ns"], 1200);
        assert_eq!(rows[1].facts["vulnerable"], false);
    }

    #[test]
    fn inheritance_protects_and_plain_locks_do_not() {
        if !rt::sched::may_be_real_time() {
            skip("needs the right to use real-time policies (CAP_SYS_NICE)");
            return;
        }
        let mut spec = spec("priority_inversion");
        spec.asked.policy = Policy::Fifo(50);
        let bench = Bench::new(spec.clone());
        let tracks = PriorityInversion.run(&bench).unwrap();
        let rows = PriorityInversion.rows(&recording(spec, tracks));
        for row in rows.iter().filter(|row| row.unavailable.is_none()) {
            let protects = ["mutex_inherit", "mutex_ceiling"].contains(&&*row.label);
            assert_eq!(
                row.facts["vulnerable"], !protects,
                "{}: {:?}",
                row.label, row.facts
            );
            assert_eq!(row.due, 20);
        }
    }
}
