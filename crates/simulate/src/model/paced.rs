//! The real-time run: one step per period.

use bench::late::{EachThread, ThreadSamples};
use bench::pace::{Overrun, Pace, STAMPS, Stamps, Steps};
use bench::shape::{Holds, TrackShape};
use bench::tally::{self, Tally};
use bench::{Abort, Bench};
use record::{Recording, Row, RunSpec, Track, fact};
use rt::clock;
use serde_json::json;

use super::phases::{self, PhaseKind, PhaseStamps};
use super::schedule::Schedule;
use super::team::{self, Stepped};
use super::warm_up::{self, WarmUp};
use super::{Model, Part};

pub(crate) fn pace(spec: &RunSpec) -> Pace {
    Pace::of(&spec.parameters, super::steps(spec))
}

/// Runs a model at the due times of its schedules: one for all threads, or one for each.
pub(crate) fn run<M: Model>(
    bench: &Bench,
    model: &mut M,
    schedules: &[Schedule],
) -> Result<Vec<Track>, Abort> {
    let spec = &bench.spec;
    let mut tracks = team::run(bench, model, |thread, part| {
        let schedule = &schedules[thread.min(schedules.len() - 1)];
        let tally = Tally::of(spec, schedule.periods(), rt::process::this());
        prepared(part, schedule, tally, WarmUp::of(&spec.parameters))
    })?;
    tracks.extend(tracks_of(schedules));
    Ok(tracks)
}

pub(crate) fn tracks_of<'s>(
    schedules: impl IntoIterator<Item = &'s Schedule>,
) -> impl Iterator<Item = Track> {
    let numbered = schedules.into_iter().enumerate();
    numbered.map(|(at, schedule)| schedule.onto(Track::new(schedule_name(at))))
}

pub(super) fn schedule_name(at: usize) -> String {
    match at {
        0 => "schedule".to_owned(),
        _ => format!("schedule {at}"),
    }
}

/// The column with the numbers of the steps that a model did not make as requested, if any.
pub(crate) const NOT_MADE: &str = "not_made";

pub(crate) struct Brought {
    cpu_time: u64,
    stamps: Stamps,
    phases: PhaseStamps,
    tally: Tally,
    warm_up: WarmUp,
}

pub(crate) fn prepared<P: Part>(
    mut part: P,
    schedule: &Schedule,
    mut tally: Tally,
    mut warm_up: WarmUp,
) -> impl FnOnce(u64) -> Stepped<P, Brought> {
    let steps = schedule.periods();
    let mut phases = PhaseStamps::with_room(steps.saturating_mul(part.phases_per_step()));
    let mut stamps = Stamps::with_room(&STAMPS, steps);
    move |start| {
        schedule.start_at(start);
        tally.begin();
        let cpu_time = clock::thread_cpu_time();
        let (mut step, mut last) = (0, None);
        while let Some(due) = schedule.claim(step, last) {
            warm_up.wait_until(due, &mut part);
            let start = clock::now();
            part.step(&mut phases)?;
            let end = clock::now();
            stamps.push([due, start, end]);
            tally.after(due, end);
            part.after(Some((step, [due, start, end])));
            step += 1;
            last = Some((due, end));
        }
        let cpu_time = clock::thread_cpu_time() - cpu_time;
        let brought = Brought { cpu_time, stamps, phases, tally, warm_up };
        part.finish();
        Ok((part, brought))
    }
}

impl From<Brought> for Track {
    fn from(brought: Brought) -> Self {
        let track = Track::new("").with(&fact::CPU_TIME_NS, brought.cpu_time);
        let track = brought.warm_up.onto(track);
        let track = brought.phases.onto(brought.stamps.onto(track));
        brought.tally.onto(track)
    }
}

pub(crate) fn shape(
    spec: &RunSpec,
    pace: &Pace,
    phases: &[PhaseKind],
    shape: TrackShape,
) -> TrackShape {
    let mut shape = shape.fact(&fact::CPU_TIME_NS, Holds::Times);
    if warm_up::is_asked(&spec.parameters) {
        shape = shape.fact(&fact::WARM_UP_NS, Holds::Times);
    }
    let not_made = [(NOT_MADE, Holds::RisingUpTo(pace.periods))];
    let shape = shape.rows(pace.periods, &STAMPS).rows_if_any(pace.periods, &not_made);
    let shape = PhaseStamps::shape(shape, phases);
    tally::shape(spec, pace.periods, shape)
}

pub(crate) fn shape_of_schedule(at: usize, pace: &Pace) -> TrackShape {
    pace.shape(TrackShape::named(schedule_name(at)))
}

/// The threads of a recording that share a schedule, and the schedule's track.
#[derive(Clone, Copy)]
pub(crate) struct Paced<'t> {
    /// The specification that defined their pace.
    pub(crate) spec: &'t RunSpec,
    pub(crate) threads: &'t [Track],
    pub(crate) schedule: &'t Track,
}

impl<'t> Paced<'t> {
    /// Returns all threads, if they share one schedule.
    pub(super) fn all(spec: &'t RunSpec, tracks: &'t [Track]) -> Option<Self> {
        match tracks {
            [threads @ .., _state, schedule] => Some(Self { spec, threads, schedule }),
            _ => None,
        }
    }

    /// Returns each thread separately, if each has its own schedule.
    pub(crate) fn each(spec: &'t RunSpec, tracks: &'t [Track]) -> impl Iterator<Item = Self> {
        let (threads, schedules) = tracks.split_at(tracks.len() / 2);
        let pairs = threads.iter().zip(schedules.iter().skip(1));
        pairs.map(move |(thread, schedule)| Self {
            spec,
            threads: std::slice::from_ref(thread),
            schedule,
        })
    }
}

/// Returns the row of threads that share a schedule; in an interval of a soak they kept no phases.
/// The latency of a step is its end, in its last thread, minus its due time. A step has missed its
/// deadline if its latency exceeds one period; periods without a step are skipped and count as
/// missed too.
pub(crate) fn row_of(
    recording: &Recording,
    Paced { spec, threads, schedule }: Paced,
    kinds: &[PhaseKind],
    label: String,
) -> Row {
    let has_phases = threads.iter().any(|thread| phases::phases_kept(thread) > 0);
    let overrun = Overrun::of(&spec.parameters);
    let dues = threads.first().map_or(&[][..], |t| t.values("due_ns"));
    let not_made = threads.iter().flat_map(|thread| thread.values(NOT_MADE)).copied().collect();
    let steps = Steps::of(schedule, overrun, dues, &last_ends(threads)).without(not_made);
    let executed = &steps.executed;
    let worst = (0..executed.len()).max_by_key(|step| executed[*step].end - executed[*step].due);
    let worst = worst.filter(|_| has_phases);
    let timeline = worst.map(|worst| phases::timeline(threads, kinds, worst, executed[worst].due));
    let means = has_phases.then(|| phases::means(threads, kinds)).into_iter().flatten();
    let row = steps.row(label, steps.latency());
    let row = means.fold(row, |row, (fact, mean)| row.with(&fact, mean));
    row.with(&fact::STEP_RUN_NS, mean_run(threads))
        .with(&fact::STAMPS_SHARE, has_phases.then(|| stamps_share(recording, threads)))
        .with(&fact::PHASES_NOT_KEPT, has_phases.then(|| phases::not_kept(threads)))
        .with(&fact::TIMELINE, json!(timeline))
}

/// Passes on the samples of threads that share the schedule of the run.
pub(crate) fn each_thread<M: Model>(spec: &RunSpec, tracks: &[Track], each: EachThread) {
    if let Some(paced) = Paced::all(spec, tracks) {
        each_of(paced, M::PHASES, each);
    }
}

/// Passes on the samples of threads that share a schedule.
pub(crate) fn each_of(
    Paced { spec, threads, schedule }: Paced,
    kinds: &[PhaseKind],
    each: EachThread,
) {
    let overrun = Overrun::of(&spec.parameters);
    // A single thread waits for no other thread, and represents itself.
    let team = if threads.len() > 1 { threads } else { &[] };
    let dues = threads.first().map_or(&[][..], |thread| thread.values("due_ns"));
    let steps = Steps::of(schedule, overrun, dues, &last_ends(threads));
    for track in threads {
        let mut stamped = steps.stamped(track.values("start_ns"));
        for (step, end) in stamped.iter_mut().zip(track.values("end_ns")) {
            step.end = *end;
        }
        each(ThreadSamples {
            spec,
            track,
            stamped,
            usual_limit: spec.parameters.rate_period(),
            works: true,
            waits: if team.is_empty() { Vec::new() } else { phases::waits(track, kinds) },
            team,
        });
    }
}

/// Returns the mean time from a step's first start to its last end, in nanoseconds.
fn mean_run(threads: &[Track]) -> Option<f64> {
    let start = |step: usize| threads.iter().filter_map(move |t| t.values("start_ns").get(step));
    let ends = last_ends(threads).into_iter().enumerate();
    let runs: Vec<i64> = ends.filter_map(|(step, end)| Some(end - start(step).min()?)).collect();
    stats::mean(&runs)
}

/// Returns the share of a step's run time that its stamps take, in the thread with the most stamps:
/// start, end and phases, at the cost of a stamp on this machine.
fn stamps_share(recording: &Recording, threads: &[Track]) -> Option<f64> {
    let stamps = threads.iter().map(|thread| 2.0 + phases::phases_per_step(thread));
    let cost = recording.found.system.stamp_cost_ns;
    Some(stamps.max_by(f64::total_cmp)? * cost / mean_run(threads)?)
}

/// Returns for each step the time when its last thread ended it.
pub(super) fn last_ends(threads: &[Track]) -> Vec<i64> {
    let steps = threads.first().map_or(0, |track| track.values("end_ns").len());
    let end = |step: usize| threads.iter().filter_map(move |t| t.values("end_ns").get(step));
    (0..steps).map(|step| end(step).copied().max().unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_runs::{spec, spec_with};
    use bench::made_run::recording;

    fn row_of(overrun: &str, dues: &[i64], ends: &[i64]) -> Row {
        row_without(overrun, dues, ends, &[])
    }

    fn row_without(overrun: &str, dues: &[i64], ends: &[i64], not_made: &[i64]) -> Row {
        let thread = |ends: &[i64]| {
            let track = Track::new("model 0").column("due_ns", dues.to_vec());
            track.column("end_ns", ends.to_vec()).column(NOT_MADE, not_made.to_vec())
        };
        let earlier: Vec<i64> = ends.iter().map(|end| end - 1).collect();
        let schedule =
            Track::new("schedule").with("t0_ns", 0).with("period_ns", 10).with("periods", 5);
        let spec = spec_with("tire", &[("overrun", overrun)]);
        let tracks = vec![thread(&earlier), thread(ends), Track::new("state"), schedule];
        let paced = Paced::all(&spec, &tracks).unwrap();
        super::row_of(&recording(spec.clone(), vec![]), paced, &[], String::new())
    }

    fn counts(row: &Row) -> (u64, u64, u64, u64) {
        let missed = row.facts["missed"].as_u64().unwrap();
        (row.due, row.executed, row.skipped, missed)
    }

    #[test]
    fn a_step_that_was_not_made_is_missed_once_whether_late_or_not() {
        let missed = |not_made: &[i64]| {
            let row = row_without("catch-up", &[0, 10, 20, 30, 40], &[5, 25, 28, 35, 45], not_made);
            row.facts["missed"].as_u64().unwrap()
        };
        assert_eq!([missed(&[]), missed(&[1]), missed(&[0, 1, 4])], [1, 1, 3]);
    }

    #[test]
    fn a_step_is_as_late_as_its_last_thread_and_skips_the_periods_it_took() {
        // Step 1 (due 10) ends at 35, 15 too late; the result of periods 2 and 3 comes with step 4.
        let row = row_of("skip", &[0, 10, 40], &[5, 35, 46]);
        assert_eq!(counts(&row), (5, 3, 2, 2));
        let miss = json!([{ "step": 1, "at_ns": 10, "late_ns": 15, "skipped": 2 }]);
        assert_eq!(row.facts["misses"], miss);
        let latency = row.latency.unwrap();
        assert_eq!((latency.max.value_ns, latency.max.index), (26, 2));
        assert_eq!(latency.count(), 5);
        assert_eq!(latency.sum_ns, 5 + 25 + 26 + 16 + 6);
    }

    #[test]
    fn threads_of_a_step_form_a_group_and_steps_of_other_members_do_not() {
        const LOCK: PhaseKind =
            PhaseKind { name: "lock", mean: fact::LOCK_NS, waits_for: Some("lock") };
        let mut spec = spec("tire");
        spec.blame_beyond = Some(base::Nanos(10));
        let schedule =
            Track::new("schedule").with("t0_ns", 0).with("period_ns", 10).with("periods", 3);
        let late = |numbers: &[i64]| {
            let thread = |number: &i64| {
                Track::new("model")
                    .with("thread_number", *number)
                    .column("due_ns", vec![0, 10, 20])
                    .column("start_ns", vec![0, 15, 35])
                    .column("end_ns", vec![15, 35, 45])
                    .column("phase", vec![0, 0, 0])
                    .column("phase_end_ns", vec![5, 20, 40])
            };
            let threads: Vec<Track> = numbers.iter().map(thread).collect();
            let paced = Paced { spec: &spec, threads: &threads, schedule: &schedule };
            let (recording, mut late) = (recording(spec.clone(), vec![]), Vec::new());
            each_of(paced, &[LOCK], &mut |thread| late.extend(thread.late(&recording)));
            late
        };
        let groups = |numbers: &[i64]| late(numbers).iter().map(|late| late.group).collect();
        let both: Vec<Option<(i64, i64)>> = groups(&[7, 8]);
        let steps = [Some((7, 0)), Some((7, 1)), Some((7, 2))];
        assert_eq!(both, [steps, steps].concat());
        let alone: Vec<Option<(i64, i64)>> = groups(&[7]);
        assert_eq!(alone, [None; 3], "two members that are late in the same step stay two");
        let waits = late(&[7, 8]).into_iter().map(|late| late.waits.iter().map(|w| w.to).collect());
        let waits: Vec<Vec<i64>> = waits.take(3).collect();
        assert_eq!(waits, [vec![5], vec![20], vec![40]]);
        assert!(late(&[7]).iter().all(|late| late.waits.is_empty()));
    }

    #[test]
    fn the_cost_of_stamps_is_reported_as_a_share_of_the_step() {
        let thread = Track::new("model 0")
            .column("start_ns", vec![0, 1000])
            .column("end_ns", vec![100, 1300])
            .column("phase_end_ns", vec![50, 100, 1250, 1300]);
        let mut recording = recording(spec("tire"), vec![]);
        recording.found.system.stamp_cost_ns = 10.0;
        // Start, end and two phases per step; a step takes 200 ns on average.
        let share = stamps_share(&recording, &[thread]).unwrap();
        assert!((share - 0.2).abs() < 1e-12, "{share}");
        assert_eq!(stamps_share(&recording, &[]), None);
    }

    #[test]
    fn the_other_policies_count_as_defined() {
        let caught_up = row_of("catch-up", &[0, 10, 20, 30, 40], &[5, 35, 37, 39, 45]);
        assert_eq!(counts(&caught_up), (5, 5, 0, 2));
        let slipped = row_of("slip", &[0, 10, 35, 45, 55], &[5, 35, 40, 50, 60]);
        assert_eq!(counts(&slipped), (5, 5, 0, 1));
        assert_eq!(slipped.facts["slipped_ns"], 15);
        let stopped = row_of("stop", &[0, 10], &[5, 35]);
        assert_eq!(counts(&stopped), (5, 2, 3, 3));
        assert_eq!(stopped.latency.unwrap().count(), 4, "period 4 was never reached");
    }
}
