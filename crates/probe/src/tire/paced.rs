//! The real-time run: one step a period.

use plan::{Recording, Row, Track};
use rt::clock;
use rt::memory::Samples;
use serde_json::{Value, json};
use stats::{Distribution, Sample};
use std::collections::BTreeMap;
use tire::Worker;

use super::schedule::Schedule;
use super::team::{self, Stepped};
use super::{label, with_facts};
use crate::{Abort, Bench};

pub(crate) fn run(bench: &Bench) -> Result<Vec<Track>, Abort> {
    let parameters = &bench.spec.parameters;
    let (period, periods) = (parameters.time("rate").0, parameters.count("steps"));
    let schedule = Schedule::new(period, periods);
    let mut tracks = team::run(bench, |worker| prepared(worker, &schedule))?;
    tracks.push(
        Track::new("schedule")
            .with("t0_ns", schedule.t0())
            .with("period_ns", period)
            .with("periods", periods),
    );
    Ok(tracks)
}

/// What a solver thread brings back.
struct Stamps {
    cpu_time: u64,
    indices: Samples,
    starts: Samples,
    ends: Samples,
}

/// The measured loop of one thread.
fn prepared(mut worker: Worker, schedule: &Schedule) -> impl FnOnce(u64) -> Stepped<Stamps> {
    worker.settle();
    let room = || Samples::with_capacity(schedule.periods() as usize);
    let (mut indices, mut starts, mut ends) = (room(), room(), room());
    move |start| {
        schedule.start_at(start);
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
        let stamps = Stamps {
            cpu_time: clock::thread_cpu_time() - cpu_time,
            indices,
            starts,
            ends,
        };
        Ok((worker, stamps))
    }
}

impl From<Stamps> for Track {
    fn from(stamps: Stamps) -> Self {
        Track::new("")
            .with("cpu_time_ns", stamps.cpu_time)
            .column("period_index", stamps.indices.to_column())
            .column("start_ns", stamps.starts.to_column())
            .column("end_ns", stamps.ends.to_column())
    }
}

/// The latency of a step is its end, in its last thread, minus its due time. A
/// step has missed its deadline when that is beyond one period; the periods that
/// came due meanwhile are skipped and missed too. The result of a skipped period
/// comes with the next step's end; after the last step, it never came, and the
/// last end is a lower bound.
pub(crate) fn row(recording: &Recording) -> Row {
    let [threads @ .., _state, schedule] = &recording.tracks[..] else {
        return Row::default();
    };
    let pace = Pace {
        t0: schedule.number("t0_ns"),
        period: schedule.number("period_ns"),
        periods: schedule.number("periods"),
    };
    let steps = steps(threads, &pace);
    let executed = steps.len() as u64;
    let misses: Vec<_> = steps.iter().filter_map(|step| pace.miss(step)).collect();
    let late = misses.len() as u64;
    let skipped = pace.periods as u64 - executed;
    let row = Row {
        label: label(recording),
        due: pace.periods as u64,
        executed,
        skipped,
        latency: Distribution::of(steps.iter().flat_map(|step| pace.latencies(step))),
        ..Row::default()
    };
    let row = row
        .with("overrun_policy", "skip")
        .with("missed", late + skipped)
        .with("misses_listed", misses.len().min(MOST_LISTED))
        .with("misses", &misses[..misses.len().min(MOST_LISTED)]);
    with_facts(row, recording, threads)
}

/// Longer lists of misses are cut; their number is told.
const MOST_LISTED: usize = 10_000;

/// When periods are due.
struct Pace {
    t0: i64,
    period: i64,
    periods: i64,
}

/// A step that was executed: its period and when its last thread ended it, and
/// the same of the step after it.
struct Step {
    index: i64,
    end: i64,
    next: i64,
    next_end: i64,
}

impl Pace {
    fn due(&self, index: i64) -> i64 {
        self.t0 + index * self.period
    }

    /// The step's own latency, then that of the periods it hid.
    fn latencies(&self, step: &Step) -> impl Iterator<Item = Sample> {
        (step.index..step.next).map(|index| {
            let result = if index == step.index {
                step.end
            } else {
                step.next_end
            };
            Sample {
                value_ns: result - self.due(index),
                index: index as u64,
                at_ns: (index * self.period) as u64,
            }
        })
    }

    fn miss(&self, step: &Step) -> Option<Value> {
        let late = step.end - self.due(step.index + 1);
        (late > 0).then(|| {
            json!({
                "step": step.index,
                "at_ns": step.index * self.period,
                "late_ns": late,
                "skipped": step.next - step.index - 1,
            })
        })
    }
}

fn steps(threads: &[Track], pace: &Pace) -> Vec<Step> {
    let ends: Vec<(i64, i64)> = last_ends(threads).into_iter().collect();
    let last = ends.last().map_or(0, |(_, end)| *end);
    let nexts = ends.iter().skip(1).copied().chain([(pace.periods, last)]);
    ends.iter()
        .zip(nexts)
        .map(|((index, end), (next, next_end))| Step {
            index: *index,
            end: *end,
            next,
            next_end,
        })
        .collect()
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
        let miss = json!([{ "step": 1, "at_ns": 10, "late_ns": 15, "skipped": 2 }]);
        assert_eq!(row.facts["misses"], miss);
        let latency = row.latency.unwrap();
        assert_eq!((latency.max.value_ns, latency.max.index), (26, 2));
        assert_eq!(latency.count(), 5);
        assert_eq!(latency.sum_ns, 5 + 25 + 26 + 16 + 6);
    }
}
