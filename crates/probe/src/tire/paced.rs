//! The real-time run: one step a period.

use plan::{Recording, Row, Track};
use rt::clock;
use rt::memory::Samples;
use serde_json::{Value, json};
use stats::{Distribution, Sample};
use tire::Worker;

use super::overrun::Overrun;
use super::phases::{self, PhaseStamps};
use super::schedule::Schedule;
use super::show::{self, Show, Witness};
use super::team::{self, Stepped};
use super::{label, with_facts};
use crate::{Abort, Bench};

pub(crate) fn run(bench: &Bench) -> Result<Vec<Track>, Abort> {
    let parameters = &bench.spec.parameters;
    let (period, periods) = (parameters.time("rate").0, parameters.count("steps"));
    let overrun = Overrun::named(parameters.word("overrun"));
    let schedule = Schedule::new(period, periods, overrun);
    let show = Show::of(&bench.spec, &schedule)?;
    let show = show.as_ref();
    let substeps = parameters.count("substeps");
    let work = || {
        team::run(bench, |thread, mut worker| {
            worker.settle();
            let witness = show.map(|show| show.witness(thread, &worker));
            prepared(worker, &schedule, substeps, witness)
        })
    };
    let (mut tracks, shown) = match show {
        Some(show) => show
            .during(work)
            .map(|(tracks, shown)| (tracks, Some(shown)))?,
        None => (work()?, None),
    };
    tracks.push(
        Track::new("schedule")
            .with("t0_ns", schedule.t0())
            .with("period_ns", period)
            .with("periods", periods),
    );
    tracks.extend(shown);
    Ok(tracks)
}

/// What a solver thread brings back.
struct Stamps {
    cpu_time: u64,
    dues: Samples,
    starts: Samples,
    ends: Samples,
    phases: PhaseStamps,
}

/// The measured loop of one thread.
fn prepared(
    mut worker: Worker,
    schedule: &Schedule,
    substeps: u64,
    mut witness: Option<Witness>,
) -> impl FnOnce(u64) -> Stepped<Stamps> {
    let mut phases = PhaseStamps::for_substeps(schedule.periods().saturating_mul(substeps));
    let room = || Samples::with_capacity(schedule.periods() as usize);
    let (mut dues, mut starts, mut ends) = (room(), room(), room());
    move |start| {
        schedule.start_at(start);
        let cpu_time = clock::thread_cpu_time();
        let (mut step, mut last) = (0, None);
        while let Some(due) = schedule.claim(step, last) {
            clock::sleep_until(due);
            let start = clock::now();
            worker.step(&mut phases)?;
            let end = clock::now();
            dues.push(due);
            starts.push(start);
            ends.push(end);
            if let Some(witness) = &mut witness {
                witness.after(&worker, step, [due, start, end]);
            }
            step += 1;
            last = Some((due, end));
        }
        let stamps = Stamps {
            cpu_time: clock::thread_cpu_time() - cpu_time,
            dues,
            starts,
            ends,
            phases,
        };
        Ok((worker, stamps))
    }
}

impl From<Stamps> for Track {
    fn from(stamps: Stamps) -> Self {
        let track = Track::new("")
            .with("cpu_time_ns", stamps.cpu_time)
            .column("due_ns", stamps.dues.to_column())
            .column("start_ns", stamps.starts.to_column())
            .column("end_ns", stamps.ends.to_column());
        stamps.phases.onto(track)
    }
}

/// The latency of a step is its end, in its last thread, minus its due time. A
/// step has missed its deadline when that is beyond one period; periods without a
/// step are skipped and missed too. The result of a skipped period comes with the
/// next step's end; after the last step it never came, and the last end is a
/// lower bound.
pub(crate) fn row(recording: &Recording) -> Row {
    let (tracks, show) = show::split(&recording.tracks);
    let [threads @ .., _state, schedule] = tracks else {
        return Row::default();
    };
    let parameters = &recording.header.spec.parameters;
    let overrun = parameters.word("overrun");
    let pace = Pace {
        overrun: Overrun::named(overrun),
        t0: schedule.number("t0_ns"),
        period: schedule.number("period_ns"),
        periods: schedule.number("periods"),
    };
    let steps = steps(threads, &pace);
    let executed = steps.len() as u64;
    let misses: Vec<_> = steps.iter().filter_map(|step| pace.miss(step)).collect();
    let late = misses.len() as u64;
    let skipped = pace.periods as u64 - executed;
    let slipped = steps
        .last()
        .map_or(0, |step| step.due - pace.due(step.index));
    let row = Row {
        label: label(recording),
        due: pace.periods as u64,
        executed,
        skipped,
        latency: Distribution::of(steps.iter().flat_map(|step| pace.latencies(step))),
        ..Row::default()
    };
    let worst = (0..steps.len()).max_by_key(|step| steps[*step].end - steps[*step].due);
    let timeline = worst.map(|worst| phases::timeline(threads, worst, steps[worst].due));
    let row = phases::means(threads)
        .into_iter()
        .fold(row, |row, (name, mean)| row.with(&name, mean));
    let row = row
        .with("step_run_ns", mean_run(threads))
        .with("stamps_share", stamps_share(recording, threads))
        .with("timeline", timeline)
        .with("overrun_policy", overrun)
        .with("missed", late + skipped)
        .with("slipped_ns", slipped)
        .with("misses_listed", misses.len().min(MOST_LISTED))
        .with("misses", &misses[..misses.len().min(MOST_LISTED)]);
    let row = match show {
        Some(show) => show::with_frames(row, show, parameters),
        None => row,
    };
    with_facts(row, recording, threads)
}

/// Longer lists of misses are cut; their number is told.
const MOST_LISTED: usize = 10_000;

/// When periods are due, where nothing slips.
struct Pace {
    overrun: Overrun,
    t0: i64,
    period: i64,
    periods: i64,
}

/// A step that was executed: its period, when it was due, when its last thread
/// ended it, and the period and end of the step after it.
struct Step {
    index: i64,
    due: i64,
    end: i64,
    next: i64,
    next_end: i64,
}

impl Pace {
    fn due(&self, index: i64) -> i64 {
        self.t0 + index * self.period
    }

    /// The step's own latency, then that of the periods that it hid. Periods that
    /// were still to come when a run stopped have none.
    fn latencies(&self, step: &Step) -> impl Iterator<Item = Sample> {
        (step.index..step.next).filter_map(|index| {
            let due = step.due + (index - step.index) * self.period;
            let result = if index == step.index {
                step.end
            } else {
                step.next_end
            };
            (result >= due).then_some(Sample {
                value_ns: result - due,
                index: index as u64,
                at_ns: (due - self.t0) as u64,
            })
        })
    }

    fn miss(&self, step: &Step) -> Option<Value> {
        let late = step.end - (step.due + self.period);
        (late > 0).then(|| {
            json!({
                "step": step.index,
                "at_ns": step.due - self.t0,
                "late_ns": late,
                "skipped": step.next - step.index - 1,
            })
        })
    }
}

/// The steps in order.
fn steps(threads: &[Track], pace: &Pace) -> Vec<Step> {
    let dues = threads
        .first()
        .map_or(&[][..], |track| track.values("due_ns"));
    let ends = last_ends(threads);
    let index = |step: usize| match dues.get(step) {
        None => pace.periods,
        Some(_) if pace.overrun == Overrun::Slip => step as i64,
        Some(due) => (due - pace.t0) / pace.period,
    };
    (0..dues.len())
        .map(|step| Step {
            index: index(step),
            due: dues[step],
            end: ends[step],
            next: index(step + 1),
            next_end: ends.get(step + 1).copied().unwrap_or(ends[step]),
        })
        .collect()
}

/// Mean time from a step's first start to its last end, in nanoseconds.
fn mean_run(threads: &[Track]) -> Option<f64> {
    let start = |step: usize| {
        threads
            .iter()
            .filter_map(move |t| t.values("start_ns").get(step))
    };
    let ends = last_ends(threads);
    let runs: Vec<i64> = ends
        .iter()
        .enumerate()
        .filter_map(|(step, end)| Some(end - start(step).min()?))
        .collect();
    stats::mean(&runs)
}

/// Share of a step's run time that its own stamps take, in the thread that makes
/// most: start, end and phases, at the cost of a stamp found on this machine.
fn stamps_share(recording: &Recording, threads: &[Track]) -> Option<f64> {
    let stamps = |track: &Track| track.values("end_ns").len() * 2 + phases::kept(track);
    let most = threads.iter().map(stamps).max()? as f64;
    let steps = threads.first()?.values("end_ns").len() as f64;
    let cost = recording.found.system.stamp_cost_ns;
    Some(most / steps * cost / mean_run(threads)?)
}

/// For each step, when its last thread ended it.
fn last_ends(threads: &[Track]) -> Vec<i64> {
    let steps = threads
        .first()
        .map_or(0, |track| track.values("end_ns").len());
    let end = |step: usize| {
        threads
            .iter()
            .filter_map(move |t| t.values("end_ns").get(step))
    };
    (0..steps)
        .map(|step| end(step).copied().max().unwrap_or(0))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::tests::{recording, spec};

    fn row_of(overrun: &str, dues: &[i64], ends: &[i64]) -> Row {
        let thread = |ends: &[i64]| {
            Track::new("solver 0")
                .column("due_ns", dues.to_vec())
                .column("end_ns", ends.to_vec())
        };
        let earlier: Vec<i64> = ends.iter().map(|end| end - 1).collect();
        let schedule = Track::new("schedule")
            .with("t0_ns", 0)
            .with("period_ns", 10)
            .with("periods", 5);
        let mut spec = spec("tire");
        spec.parameters
            .set("overrun", plan::Value::Word(overrun.to_owned()));
        let tracks = vec![
            thread(&earlier),
            thread(ends),
            Track::new("state"),
            schedule,
        ];
        row(&recording(spec, tracks))
    }

    fn counts(row: &Row) -> (u64, u64, u64, u64) {
        let missed = row.facts["missed"].as_u64().unwrap();
        (row.due, row.executed, row.skipped, missed)
    }

    #[test]
    fn a_step_is_as_late_as_its_last_thread_and_hides_the_periods_it_took() {
        // Step 1 (due 10) ends at 35: missed by 15, and periods 2 and 3 are
        // skipped; their result comes with step 4 at 46.
        let row = row_of("skip", &[0, 10, 40], &[5, 35, 46]);
        assert_eq!(counts(&row), (5, 3, 2, 3));
        let miss = json!([{ "step": 1, "at_ns": 10, "late_ns": 15, "skipped": 2 }]);
        assert_eq!(row.facts["misses"], miss);
        let latency = row.latency.unwrap();
        assert_eq!((latency.max.value_ns, latency.max.index), (26, 2));
        assert_eq!(latency.count(), 5);
        assert_eq!(latency.sum_ns, 5 + 25 + 26 + 16 + 6);
    }

    #[test]
    fn the_cost_of_own_stamps_is_told_as_a_share_of_the_step() {
        let thread = Track::new("solver 0")
            .column("start_ns", vec![0, 1000])
            .column("end_ns", vec![100, 1300])
            .column("phase_end_ns", vec![50, 100, 1250, 1300]);
        let mut recording = recording(spec("tire"), vec![]);
        recording.found.system.stamp_cost_ns = 10.0;
        // Start, end and two phases a step of 200 ns on average.
        let share = stamps_share(&recording, &[thread]).unwrap();
        assert!((share - 0.2).abs() < 1e-12, "{share}");
        assert_eq!(stamps_share(&recording, &[]), None);
    }

    #[test]
    fn the_other_policies_count_as_their_definitions_say() {
        let caught_up = row_of("catch-up", &[0, 10, 20, 30, 40], &[5, 35, 37, 39, 45]);
        assert_eq!(counts(&caught_up), (5, 5, 0, 2));
        let slipped = row_of("slip", &[0, 10, 35, 45, 55], &[5, 35, 40, 50, 60]);
        assert_eq!(counts(&slipped), (5, 5, 0, 1));
        assert_eq!(slipped.facts["slipped_ns"], 15);
        let stopped = row_of("stop", &[0, 10], &[5, 35]);
        assert_eq!(counts(&stopped), (5, 2, 3, 4));
        assert_eq!(
            stopped.latency.unwrap().count(),
            4,
            "period 4 was never reached"
        );
    }
}
