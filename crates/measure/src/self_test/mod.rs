//! The self-test: a periodic loop that is disturbed on purpose, by known lengths.
//!
//! Every disturbance is one constant, all in one table. The injector records when it disturbed; late
//! steps and their causes are compared with that record.

mod disturbance;
mod hog;
mod late_timer;
mod lock;
mod matching;
mod migration;
mod outside;
mod page_faults;
mod throttling;
mod timing;

use std::process::ChildStdin;

use base::{CpuSet, Policy};
use bench::causes::summary;
use bench::late::{EachThread, ThreadSamples};
use bench::measuring_thread::MeasuringThread;
use bench::shape::{Holds, TrackShape};
use bench::tally::{self, Tally};
use bench::{Abort, Bench, Description, Length, Measurement, REAL_TIME};
use blame::{Stamped, Wait};
use record::fact::DISTURBED;
use record::{
    Asked, DISTURBANCE, Disturbed, Kind, Outcome, Parameter, Parameters, Recording, Row, RunSpec,
    SELF_TEST, Track, Value,
};
use rt::memory::Samples;
use rt::{clock, sched, topology};
use stats::{Distribution, Sample};

use disturbance::{Disturbance, Log, Notes, Outside, STRETCHES, Within};
use matching::Injected;
use outside::Process;
use timing::{LIMIT, PERIOD, PERIODS_AN_EVENT, USUAL_LENGTH, events_of};

pub(crate) struct SelfTest;

const BYTES_A_PERIOD: u64 = 24;

/// Every disturbance; the undisturbed run comes first.
static DISTURBANCES: &[Disturbance] = &[
    Disturbance::QUIET,
    hog::HOG,
    hog::SAME_CPU,
    hog::STOP,
    page_faults::PAGE_FAULTS,
    lock::LOCK_HELD,
    migration::MIGRATION,
    late_timer::LATE_TIMER,
    hog::PRIORITY_NOT_APPLIED,
    throttling::THROTTLING,
];

fn find(name: &str) -> Option<&'static Disturbance> {
    DISTURBANCES.iter().find(|d| d.name == name)
}

/// Returns the runs of the self-test that are possible on this machine.
pub fn self_test_specs() -> Vec<RunSpec> {
    let usable = topology::usable();
    let can = |d: &&Disturbance| d.unavailable(&usable).is_none();
    let spec = |d: &Disturbance| {
        let mut parameters = Parameters::defaults(SelfTest.parameters());
        parameters.set(DISTURBANCE, Value::Word(d.name.to_owned()));
        let mut spec = RunSpec::new(SELF_TEST, parameters, (d.conditions)(usual(&usable)));
        spec.blame_beyond = Some(LIMIT);
        spec
    };
    DISTURBANCES.iter().filter(can).map(spec).collect()
}

/// Returns the findings for every disturbance; those that were not run say why.
pub fn self_test_found(outcomes: &[Outcome]) -> Vec<Disturbed> {
    let usable = topology::usable();
    let of = |d: &Disturbance| {
        let made = outcomes.iter().find(|o| disturbance_of(&o.header.spec) == d.name);
        let found = match (made, d.unavailable(&usable)) {
            (Some(outcome), _) => Disturbed::of(outcome).unwrap_or_default(),
            (None, why) => Disturbed {
                not_injected: Some(why.unwrap_or_else(|| "it was not run".to_owned())),
                ..Disturbed::default()
            },
        };
        with_words(d, found)
    };
    DISTURBANCES.iter().map(of).collect()
}

fn usual(usable: &CpuSet) -> Asked {
    let is_real_time = sched::may_be_real_time();
    let cpus = topology::spread(&topology::cores(), usable, 1);
    let policy = if is_real_time { REAL_TIME } else { Policy::OTHER };
    Asked { memory_lock: is_real_time, ..Asked::plain(cpus, policy, USUAL_LENGTH) }
}

fn disturbance_of(spec: &RunSpec) -> &str {
    spec.parameters.word(DISTURBANCE)
}

/// Adds the texts of the disturbance, because a run that could not be judged has none.
fn with_words(disturbance: &Disturbance, found: Disturbed) -> Disturbed {
    Disturbed {
        name: disturbance.name.to_owned(),
        what: disturbance.what.to_owned(),
        cause: disturbance.cause.to_owned(),
        ..found
    }
}

impl Measurement for SelfTest {
    fn description(&self) -> Description {
        const PARAMETERS: &[Parameter] = &[Parameter {
            name: DISTURBANCE,
            kind: Kind::Text("name"),
            default: "quiet",
            help: "the disturbance to inject",
        }];
        Description {
            name: SELF_TEST,
            summary: "periodic loop that is disturbed on purpose",
            source: "Steadfast",
            parameters: PARAMETERS,
            facts: &[&[DISTURBED]],
            ..Description::PINNED
        }
    }

    fn length(&self, _: &Parameters) -> Length {
        Length::Fixed(USUAL_LENGTH)
    }

    fn sample_bytes(&self, spec: &RunSpec) -> u64 {
        periods(spec).saturating_mul(BYTES_A_PERIOD + tally::bytes_a_period(spec))
    }

    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        let name = disturbance_of(spec);
        find(name).map(drop).ok_or_else(|| format!("unknown disturbance `{name}`"))
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let (spec, asked) = (&bench.spec, &bench.spec.asked);
        let disturbance = find(disturbance_of(spec)).ok_or(Abort::Conditions)?;
        let periods = periods(spec);
        let within = (disturbance.within)(asked)?;
        let outside = (disturbance.outside)(asked);
        let events = events_of(asked);
        let start = |outside: Outside| outside.start(events as u64);
        let mut process = outside.map(start).transpose()?;
        let go = process.as_mut().and_then(Process::go);
        let prepare = move || {
            let tally = Tally::of(spec, periods, rt::process::this());
            disturbed_loop(periods, within, go, Notes::with_capacity(events), tally)
        };
        let thread = MeasuringThread::prepared(asked.cpus.clone(), asked.policy, "loop", prepare);
        let mut tracks = Vec::new();
        for looped in bench.run(vec![thread])? {
            tracks.extend(looped.tracks(periods));
        }
        if let Some(process) = process {
            let bursts = process.bursts()?;
            let mut log = Log::with_capacity(bursts.len());
            bursts.into_iter().for_each(|[from, to, had]| log.push_had(from, to, had));
            tracks.retain(|track| track.name != INJECTED);
            tracks.push(log.track(INJECTED));
        }
        Ok(tracks)
    }

    fn tracks(&self, spec: &RunSpec) -> Vec<TrackShape> {
        let due = periods(spec);
        let looped = TrackShape::named(LOOP)
            .fact("t0_ns", Holds::Stamps)
            .fact("periods", Holds::Exactly(due));
        let columns = [
            ("period_index", Holds::UpTo(due)),
            ("woke_ns", Holds::Stamps),
            ("done_ns", Holds::Stamps),
        ];
        vec![
            tally::shape(spec, due, looped.rows(due, &columns)),
            TrackShape::named(INJECTED).rows_or_none(u64::MAX, &STRETCHES),
            TrackShape::named(WAITED).rows_or_none(u64::MAX, &STRETCHES),
        ]
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        let track = of_name(recording, LOOP);
        let (stamped, due) = (stamped(track), track.number("periods") as u64);
        let sample = |step: &Stamped| {
            let (value_ns, index) = (step.end - step.due, step.index as u64);
            Sample { value_ns, index, at_ns: index * PERIOD.0 }
        };
        let row = Row {
            due,
            skipped: due.saturating_sub(stamped.len() as u64),
            ..Row::of(LOOP, Distribution::of(stamped.iter().map(sample)))
        };
        let summary = summary(self, recording);
        let disturbance = find(disturbance_of(&recording.header.spec));
        let (Some(summary), Some(disturbance)) = (summary, disturbance) else {
            return vec![row];
        };
        let found = matching::matched(
            &injected(of_name(recording, INJECTED)),
            ran(&stamped),
            &summary,
            disturbance.is_cause,
            disturbance.takes_part,
        );
        let found = Disturbed {
            read_back: disturbance.is_to_be_read_back.then_some(false),
            clock_step_ns: coarse_step(track),
            ..with_words(disturbance, found)
        };
        let found = serde_json::to_value(found).expect("what was found is plain data");
        vec![row.with(&DISTURBED, found)]
    }

    fn each_thread(&self, recording: &Recording, each: EachThread) {
        let track = of_name(recording, LOOP);
        let waits = pairs(of_name(recording, WAITED));
        each(ThreadSamples {
            spec: &recording.header.spec,
            track,
            stamped: stamped(track),
            usual_limit: LIMIT,
            works: true,
            waits: waits.map(|[from, to]| Wait { from, to, on: lock::ON }).collect(),
            team: &[],
        });
    }
}

const LOOP: &str = "loop";
const INJECTED: &str = "injected";
const WAITED: &str = "waited";

fn periods(spec: &RunSpec) -> u64 {
    spec.asked.duration.0 / PERIOD.0
}

struct Looped {
    t0: u64,
    indices: Samples,
    woke: Samples,
    done: Samples,
    notes: Notes,
    tally: Tally,
}

/// Returns the measured loop. A period that has already passed is skipped.
fn disturbed_loop(
    periods: u64,
    mut within: Box<dyn Within>,
    go: Option<ChildStdin>,
    mut notes: Notes,
    mut tally: Tally,
) -> impl FnOnce(u64) -> Looped {
    let room = || Samples::with_capacity(periods as usize);
    let (mut indices, mut woke, mut done) = (room(), room(), room());
    move |t0| {
        within.begin();
        tally.begin();
        drop(go);
        let mut k = 0;
        while k < periods {
            let due = t0 + k * PERIOD.0;
            let is_disturbed = k % PERIODS_AN_EVENT == PERIODS_AN_EVENT / 2;
            clock::sleep_until(if is_disturbed { within.wake_at(due) } else { due });
            indices.push(k);
            woke.push(clock::now());
            if is_disturbed {
                within.disturb(due, &mut notes);
            }
            let end = clock::now();
            done.push(end);
            tally.after(due, end);
            k = (k + 1).max((end - t0) / PERIOD.0 + 1);
        }
        within.end(&mut notes);
        Looped { t0, indices, woke, done, notes, tally }
    }
}

impl Looped {
    fn tracks(&self, periods: u64) -> [Track; 3] {
        let track = Track::new(LOOP)
            .with("t0_ns", self.t0)
            .with("periods", periods)
            .column("period_index", self.indices.to_column())
            .column("woke_ns", self.woke.to_column())
            .column("done_ns", self.done.to_column());
        [
            self.tally.onto(track),
            self.notes.injected.track(INJECTED),
            self.notes.waited.track(WAITED),
        ]
    }
}

/// The step in which the clock of the loop's stamps advances, if it is coarse; else 0.
fn coarse_step(track: &Track) -> u64 {
    /// Clocks advance in steps of up to 52 ns (19.2 MHz on Arm); a kernel's tick takes 1 ms and more.
    const COARSE_NS: u64 = 10_000;
    let stamps = ["woke_ns", "done_ns"].into_iter().flat_map(|column| track.values(column));
    let step = stamps.fold(0, |step, stamp| common_divisor(step, stamp.unsigned_abs()));
    if step >= COARSE_NS { step } else { 0 }
}

fn common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { common_divisor(other, one % other) }
}

fn pairs(track: &Track) -> impl Iterator<Item = [i64; 2]> {
    let to = track.values("to_ns").iter();
    track.values("from_ns").iter().zip(to).map(|(from, to)| [*from, *to])
}

fn injected(track: &Track) -> Vec<Injected> {
    let had = track.values("had_ns").iter();
    let event = |([from, to], had): ([i64; 2], &i64)| Injected { from, to, had: *had };
    pairs(track).zip(had).map(event).collect()
}

fn of_name<'a>(recording: &'a Recording, name: &str) -> &'a Track {
    static NONE: std::sync::LazyLock<Track> = std::sync::LazyLock::new(Track::default);
    let found = recording.tracks.iter().find(|track| track.name == name);
    found.unwrap_or(&NONE)
}

/// Returns from when to when the loop could see injected events.
fn ran(stamped: &[Stamped]) -> [i64; 2] {
    stamped.first().zip(stamped.last()).map_or([0, 0], |(first, last)| [first.due, last.end])
}

fn stamped(track: &Track) -> Vec<Stamped> {
    let t0 = track.number("t0_ns");
    let stamps = track.values("woke_ns").iter().zip(track.values("done_ns"));
    let each = track.values("period_index").iter().zip(stamps);
    let stamped = |(index, (woke, done)): (&i64, (&i64, &i64))| {
        let due = t0 + index * PERIOD.0 as i64;
        // Its periods have no deadlines.
        Stamped { index: *index, due, start: *woke, end: *done, missed: 0 }
    };
    each.map(stamped).collect()
}

#[cfg(test)]
mod tests {
    use super::timing::EVERY;
    use super::*;
    use crate::test_runs::{measured, spec_with};
    use base::Nanos;
    use bench::made_run::recording;
    use testing::within_tries;

    fn spec_of(name: &str) -> RunSpec {
        let mut spec = spec_with(SELF_TEST, &[(DISTURBANCE, name)]);
        spec.asked.cpus = topology::spread(&topology::cores(), &topology::usable(), 1);
        spec.asked.duration = Nanos(5 * EVERY.0);
        spec.blame_beyond = Some(LIMIT);
        spec
    }

    #[test]
    fn names_are_unique_and_found() {
        for disturbance in DISTURBANCES {
            let name = disturbance.name;
            assert_eq!(DISTURBANCES.iter().filter(|d| d.name == name).count(), 1);
            assert_eq!(find(name).map(|d| d.name), Some(name));
        }
        assert!(SelfTest.check(&spec_of("nonsense")).is_err());
    }

    #[test]
    fn disturbances_within_the_loop_are_recorded_and_make_it_late() {
        for name in ["late_timer", "lock", "page_faults"] {
            let mut spec = spec_of(name);
            spec.asked.duration = Nanos(15 * EVERY.0);
            let found = || -> Disturbed {
                let rows = measured(spec.clone());
                assert_eq!(rows[0].due, rows[0].executed + rows[0].skipped);
                serde_json::from_value(rows[0].facts[&*DISTURBED].clone()).unwrap()
            };
            // Where others use the CPU, no event may have a known length, or all may be skipped.
            let found = within_tries(5, found, |found| found.injected + found.spoilt > 0);
            assert_eq!(found.seen, found.injected, "{name}");
        }
    }

    #[test]
    fn a_clock_that_advances_in_milliseconds_is_coarse() {
        let stamps = |step: i64| {
            let woke = (1..50).map(|count| (count * 1_000_301 + count % 7) / step * step).collect();
            coarse_step(&Track::new(LOOP).column("woke_ns", woke).column("done_ns", vec![]))
        };
        assert_eq!([stamps(1_000_000), stamps(52), stamps(1)], [1_000_000, 0, 0]);
    }

    #[test]
    fn a_quiet_loop_injects_nothing() {
        let spec = spec_of("quiet");
        let tracks = SelfTest.run(&Bench::new(spec.clone())).unwrap();
        let recording = recording(spec, tracks);
        assert!(!stamped(of_name(&recording, LOOP)).is_empty());
        assert_eq!(pairs(of_name(&recording, INJECTED)).count(), 0);
    }

    #[test]
    fn disturbances_that_were_not_run_are_reported() {
        let found = self_test_found(&[]);
        assert_eq!(found.len(), DISTURBANCES.len());
        assert!(found.iter().all(|disturbed| disturbed.not_injected.is_some()));
    }
}
