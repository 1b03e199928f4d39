//! Priority inversion: how much longer runs of a medium-priority thread delay a high-priority one.

use std::collections::BTreeMap;

use base::Nanos;
use bench::stamps::between;
use bench::{Abort, Bench};
use bench::{Description, Length, Measurement, TrackShape};
use record::shape::MediumRun;
use record::{Family, Parameters, Recording, Row, RunSpec, Track, fact};
use rt::lock::LockKind;
use serde_json::json;
use stats::{Distribution, Sample, median, slope};

use crate::contest::{self, Parties, SECTION_NS, contests};

pub(crate) struct PriorityInversion;

/// How many run times of the medium thread the contests use in rotation.
const STEPS: u64 = 5;
/// Slope above which the medium thread delays the high one: the share of a longer medium run by
/// which the high one waits longer. Halfway between not delayed (0) and fully delayed (1).
const HELD_BACK: f64 = 0.5;

/// Returns equal steps up to the longest run of the medium thread, in nanoseconds. Contests use
/// them in rotation, so that a temporary disturbance of the machine affects all of them.
fn medium_runs(parameters: &Parameters) -> [u64; STEPS as usize] {
    let longest = parameters.medium_run().0;
    std::array::from_fn(|step| longest / STEPS * (step as u64 + 1))
}

impl Measurement for PriorityInversion {
    fn description(&self) -> Description {
        Description {
            name: "priority_inversion",
            summary: "how long a medium-priority thread delays a high one, through a lock that a low one holds",
            source: "SAE table 4, MPE 3",
            family: Some(Family::Locks),
            parameters: contest::PARAMETERS,
            facts: &[fact::CONTESTS, fact::INVERSION],
            ..Description::PINNED
        }
    }

    fn length(&self, parameters: &Parameters) -> Length {
        let [_, _, middle, ..] = medium_runs(parameters);
        Length::Fixed(contest::length(parameters, middle))
    }

    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        contest::check(spec)?;
        let longest = spec.parameters.medium_run();
        if longest.0 < SECTION_NS {
            return Err(format!(
                "--medium-run: {longest} is too short; use at least {}, the time for which the low \
                 thread holds the lock",
                Nanos(SECTION_NS)
            ));
        }
        Ok(())
    }

    fn sample_bytes(&self, spec: &RunSpec) -> u64 {
        contest::sample_bytes(spec)
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let medium_runs = medium_runs(&bench.spec.parameters);
        let of = |kind: &LockKind| contests(bench, *kind, Parties::All, &medium_runs);
        LockKind::ALL.iter().map(of).collect()
    }

    fn tracks(&self, spec: &RunSpec) -> Vec<TrackShape> {
        LockKind::ALL.iter().map(|kind| contest::shape(spec, *kind)).collect()
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        recording.tracks.iter().map(row).collect()
    }
}

fn row(track: &Track) -> Row {
    if let Some(row) = contest::unavailable(track) {
        return row;
    }
    let steps = steps(track);
    let points: Vec<(f64, f64)> = steps.iter().filter_map(Step::point).collect();
    let slope = slope(&points);
    let blocked = waits(track);
    let blocked_ns: Vec<i64> = blocked.iter().map(|wait| wait.value_ns).collect();
    Row::of(track.name.clone(), Distribution::of(blocked))
        .with(&fact::LOCK, &*track.name)
        .with(&fact::VULNERABLE, slope.map(|slope| slope > HELD_BACK))
        .with(&fact::SLOPE, slope)
        .with(&fact::BLOCKED_NS, median(&blocked_ns))
        .with(&fact::MEDIUM_RUN_NS, median(&medium_times(track)))
        .with(&fact::GAVE_UP, contest::gave_up(track))
        .with(&fact::BY_MEDIUM_RUN, json!(steps.iter().map(Step::run).collect::<Vec<_>>()))
}

/// The contests with one requested run time of the medium thread.
#[derive(Default)]
struct Step {
    medium_ns: Vec<i64>,
    blocked_ns: Vec<i64>,
    gave_up: i64,
}

impl Step {
    /// Returns the medium thread's run time and the high thread's blocking time, in nanoseconds.
    fn point(&self) -> Option<(f64, f64)> {
        let (medium, blocked) = (median(&self.medium_ns)?, median(&self.blocked_ns)?);
        Some((medium as f64, blocked as f64))
    }

    fn run(&self) -> MediumRun {
        MediumRun {
            medium_run_ns: median(&self.medium_ns),
            blocked_ns: median(&self.blocked_ns),
            contests: self.blocked_ns.len(),
            gave_up: self.gave_up,
        }
    }
}

/// Groups the contests by the requested run time of the medium thread, in ascending order.
fn steps(track: &Track) -> Vec<Step> {
    let mut steps: BTreeMap<i64, Step> = BTreeMap::new();
    let contests = track.values("medium_asked_ns").iter();
    let times = medium_times(track).into_iter().zip(waits(track));
    for ((asked, (medium, wait)), gave_up) in contests.zip(times).zip(track.values("gave_up")) {
        let step = steps.entry(*asked).or_default();
        step.medium_ns.push(medium);
        step.blocked_ns.push(wait.value_ns);
        step.gave_up += gave_up;
    }
    steps.into_values().collect()
}

fn medium_times(track: &Track) -> Vec<i64> {
    let ends = track.values("medium_end_ns").iter();
    ends.zip(track.values("medium_start_ns")).map(|(end, start)| end - start).collect()
}

/// Time from the high thread's request to its grant; a lower bound if a spin gave up.
pub(crate) fn waits(track: &Track) -> Vec<Sample> {
    between(track, "wish_ns", "granted_ns")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_runs::{measured, rows, spec};
    use base::Policy;
    use serde_json::Value;
    use testing::{REAL_TIME, needs};

    /// Contests in which the medium thread runs for 1000 and 2000 ns alternately.
    fn track(waits: [i64; 4], gave_up: [i64; 4]) -> Track {
        let wishes = [0, 10_000, 20_000, 30_000];
        let asked = [1_000, 2_000, 1_000, 2_000];
        let granted = std::array::from_fn::<i64, 4, _>(|k| wishes[k] + waits[k]);
        let ends = std::array::from_fn::<i64, 4, _>(|k| wishes[k] + asked[k]);
        Track::new("mutex")
            .column("wish_ns", wishes.into())
            .column("granted_ns", granted.into())
            .column("gave_up", gave_up.into())
            .column("medium_start_ns", wishes.into())
            .column("medium_end_ns", ends.into())
            .column("medium_asked_ns", asked.into())
    }

    fn facts(track: Track) -> BTreeMap<String, Value> {
        rows("priority_inversion", vec![track]).remove(0).facts
    }

    #[test]
    fn a_lock_is_vulnerable_when_high_waits_longer_the_longer_medium_runs() {
        let plain = facts(track([1_300, 2_300, 1_320, 2_320], [0; 4]));
        assert_eq!((&plain["slope"], &plain["vulnerable"]), (&json!(1.0), &json!(true)));
        // The high thread waits longer than the medium one runs, but not because of it.
        let inherits = facts(track([3_000, 3_100, 3_000, 3_100], [0; 4]));
        assert_eq!((&inherits["slope"], &inherits["vulnerable"]), (&json!(0.1), &json!(false)));
    }

    #[test]
    fn every_run_time_of_the_medium_thread_has_its_times() {
        let facts = facts(track([1_300, 4_300, 1_320, 4_320], [0, 1, 0, 1]));
        let step = |medium, blocked, gave_up| {
            json!({
                "medium_run_ns": medium, "blocked_ns": blocked, "contests": 2, "gave_up": gave_up,
            })
        };
        assert_eq!(facts["by_medium_run"], json!([step(1_000, 1_300, 0), step(2_000, 4_300, 2)]));
        assert_eq!(facts["gave_up"], 2);
    }

    #[test]
    fn one_contest_has_no_slope_and_no_verdict() {
        let mut short = track([1_300; 4], [0; 4]);
        for column in &mut short.columns {
            column.values.truncate(1);
        }
        let facts = facts(short);
        assert_eq!((&facts["slope"], &facts["vulnerable"]), (&Value::Null, &Value::Null));
    }

    #[test]
    fn inheritance_protects_and_plain_locks_do_not() {
        let Some(()) = needs(rt::sched::may_be_real_time(), REAL_TIME) else { return };
        let mut spec = spec("priority_inversion");
        spec.asked.policy = Policy::Fifo(50);
        let rows = measured(spec);
        for row in rows.iter().filter(|row| row.unavailable.is_none()) {
            let protects = ["mutex_inherit", "mutex_ceiling"].contains(&&*row.label);
            assert_eq!(row.facts["vulnerable"], !protects, "{}: {:?}", row.label, row.facts);
            assert_eq!(row.due, 20);
        }
    }
}
