//! The real-time run: one step a period.

use std::collections::BTreeMap;
use std::sync::Barrier;

use plan::{Recording, Row, Track};
use rt::clock;
use rt::memory::Samples;
use serde_json::json;
use stats::{Distribution, Sample};
use tire::Worker;

use super::schedule::Schedule;
use super::team::{self, Stepped};
use super::{label, with_facts};
use crate::{Abort, Bench};

/// From the threads' meeting to the first step.
const LEAD_NS: u64 = 20_000_000;

pub(crate) fn run(bench: &Bench) -> Result<Vec<Track>, Abort> {
    let parameters = &bench.spec.parameters;
    let (period, periods) = (parameters.time("rate").0, parameters.count("steps"));
    let schedule = Schedule::new(period, periods);
    let together = Barrier::new(parameters.count("threads") as usize);
    let mut tracks = team::run(bench, |worker| prepared(worker, &schedule, &together))?;
    tracks.push(
        Track::new("schedule")
            .with("t0_ns", schedule.t0())
            .with("period_ns", period)
            .with("periods", periods),
    );
    Ok(tracks)
}

/// The measured loop of one thread.
fn prepared<'a>(
    mut worker: Worker,
    schedule: &'a Schedule,
    together: &'a Barrier,
) -> impl FnOnce() -> Stepped + 'a {
    worker.settle();
    let room = || Samples::with_capacity(schedule.periods() as usize);
    let (mut indices, mut starts, mut ends) = (room(), room(), room());
    move || {
        if together.wait().is_leader() {
            schedule.start_at(clock::now() + LEAD_NS);
        }
        together.wait();
        let cpu_time = clock::thread_cpu_time();
        let (mut step, mut previous, mut end) = (0, None, 0);
        while let Some(period) = schedule.claim(step, previous, end) {
            clock::sleep_until(schedule.due(period));
            let start = clock::now();
            worker.step(&mut ())?;
            end = clock::now();
            indices.push(period);
            starts.push(start);
            ends.push(end);
            step += 1;
            previous = Some(period);
        }
        let cpu_time = clock::thread_cpu_time() - cpu_time;
        let track = Track::new("")
            .with("cpu_time_ns", cpu_time)
            .column("period_index", indices.to_column())
            .column("start_ns", starts.to_column())
            .column("end_ns", ends.to_column());
        Ok((worker, track))
    }
}

/// The latency of a step is its end, in its last thread, minus its due time. A
/// step has missed its deadline when that is beyond one period; a skipped period
/// has missed it too.
pub(crate) fn row(recording: &Recording) -> Row {
    let [threads @ .., _state, schedule] = &recording.tracks[..] else {
        return Row::default();
    };
    let (t0, period) = (schedule.number("t0_ns"), schedule.number("period_ns"));
    let due = schedule.number("periods");
    let ends = last_ends(threads);
    let executed = ends.len() as u64;
    let steps = ends.iter().map(|(index, end)| Sample {
        value_ns: end - (t0 + index * period),
        index: *index as u64,
        at_ns: (index * period) as u64,
    });
    let latency = Distribution::of(steps);
    let misses: Vec<_> = (0..due)
        .filter_map(|index| {
            let late = match ends.get(&index) {
                Some(end) => end - (t0 + (index + 1) * period),
                None => {
                    return Some(
                        json!({ "step": index, "at_ns": index * period, "skipped": true }),
                    );
                }
            };
            (late > 0).then(|| json!({ "step": index, "at_ns": index * period, "late_ns": late }))
        })
        .collect();
    let row = Row {
        label: label(recording),
        due: due as u64,
        executed,
        skipped: due as u64 - executed,
        latency,
        ..Row::default()
    };
    let row = row.with("missed", misses.len()).with("misses", misses);
    with_facts(row, recording, threads)
}

/// For each period that got a step, when its last thread ended it.
fn last_ends(threads: &[Track]) -> BTreeMap<i64, i64> {
    let mut ends = BTreeMap::new();
    for track in threads {
        for (index, end) in track
            .values("period_index")
            .iter()
            .zip(track.values("end_ns"))
        {
            let latest = ends.entry(*index).or_insert(*end);
            *latest = (*latest).max(*end);
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::tests::{recording, spec};

    fn thread(indices: &[i64], ends: &[i64]) -> Track {
        Track::new("solver 0")
            .column("period_index", indices.to_vec())
            .column("end_ns", ends.to_vec())
    }

    #[test]
    fn a_step_is_as_late_as_its_last_thread() {
        // Step 1 (due 10) ends at 35 in one thread: missed by 15, and periods 2
        // and 3 are skipped.
        let one = thread(&[0, 1, 4], &[5, 16, 45]);
        let other = thread(&[0, 1, 4], &[4, 35, 46]);
        let schedule = Track::new("schedule")
            .with("t0_ns", 0)
            .with("period_ns", 10)
            .with("periods", 5);
        let tracks = vec![one, other, Track::new("state"), schedule];
        let row = row(&recording(spec("tire"), tracks));
        assert_eq!((row.due, row.executed, row.skipped), (5, 3, 2));
        assert_eq!(row.facts["missed"], 3);
        let misses = row.facts["misses"].as_array().unwrap();
        assert_eq!(misses[0], json!({ "step": 1, "at_ns": 10, "late_ns": 15 }));
        assert_eq!(
            misses[1],
            json!({ "step": 2, "at_ns": 20, "skipped": true })
        );
        let latency = row.latency.unwrap();
        assert_eq!((latency.max.value_ns, latency.max.index), (25, 1));
    }
}
