//! Wake-up of a periodic thread: its actual minus its scheduled activation.

use std::io;

use base::{CpuSet, Nanos, Policy, Rate};
use bench::interval::{self, Continuous, Exchange, HandOver, Reader, Writer};
use bench::late::{EachThread, ThreadSamples};
use bench::measuring_thread::MeasuringThread;
use bench::pace::Pace;
use bench::shape::{Holds, TrackShape};
use bench::tally::{self, Tally};
use bench::{Abort, Bench, Description, Measurement, periods, strip};
use blame::Stamped;
use record::{Family, Parameters, Recording, Row, RunSpec, Track, fact, parameters};
use rt::clock;
use rt::memory::Samples;
use rt::timer::Timer;
use serde_json::json;
use stats::{Distribution, Sample};

mod followed;
mod paced;

use paced::{INTERVAL, Next, WOKEN, places, timer, track_of, wake_until};

pub(crate) struct Wakeup;

/// Bytes per period: its number and its stamp.
const BYTES_A_PERIOD: u64 = 16;
/// Default limit above which causes of a late wake-up are searched for: a tenth of the period.
const USUAL_LIMIT: Nanos = Nanos(100_000);
/// Minimum period: a shorter one ends before a thread has fallen asleep.
const SHORTEST_PERIOD: Nanos = Nanos(10_000);

impl Measurement for Wakeup {
    fn description(&self) -> Description {
        parameters! {
            PARAMETERS;
            "period" Time, "1ms", "time from one activation to the next";
            "timer" Choice(&["sleep", INTERVAL]), "sleep",
                "its own sleep until each due time, or an interval timer of the kernel";
        }
        Description {
            name: "wakeup",
            summary: "lateness of a periodic thread on each CPU: actual minus scheduled activation",
            source: "FRA 4.3",
            family: Some(Family::Wakeups),
            parameters: PARAMETERS,
            facts: &[fact::PLACES, fact::OVER_TIME],
            usual_time: Nanos(10_000_000_000),
            ..Description::PINNED
        }
    }

    fn least_time(&self, parameters: &Parameters) -> Nanos {
        periods::least_time(parameters.period())
    }

    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        periods::check(spec, SHORTEST_PERIOD)?;
        let period = spec.parameters.period();
        if let Policy::Deadline { period: granted, .. } = spec.asked.policy
            && granted > period
        {
            return Err(format!(
                "--policy: a deadline thread that is granted time every {granted} cannot wake \
                 every {period}; make its PERIOD at most {period}"
            ));
        }
        Ok(())
    }

    fn sample_bytes(&self, spec: &RunSpec) -> u64 {
        let threads = places(spec).len() as u64;
        let room = if spec.hands_over() { followed::periods_of_room(spec) } else { 0 };
        periods::due(spec)
            .saturating_add(room)
            .saturating_mul(threads)
            .saturating_mul(BYTES_A_PERIOD + tally::bytes_a_period(spec))
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let spec = &bench.spec;
        if spec.hands_over() {
            return followed::run(bench);
        }
        let pace = periods::pace(spec);
        let places = places(spec);
        let thread = |(name, cpus): &(String, CpuSet)| {
            let timer = timer(spec)?;
            let prepare = move || {
                let tally = Tally::of(spec, pace.periods, rt::process::this());
                wake_periodically(pace, timer, tally)
            };
            let policy = spec.asked.policy;
            Ok(MeasuringThread::prepared(cpus.clone(), policy, name.clone(), prepare))
        };
        let measuring = places.iter().map(thread).collect::<io::Result<_>>()?;
        let woken = bench.run(measuring)?;
        let tracks = places.into_iter().zip(&woken);
        Ok(tracks.map(|((name, cpus), woken)| woken.track(&name, &cpus, pace)).collect())
    }

    fn continuous(&self) -> Option<&dyn Continuous> {
        Some(self)
    }

    fn can_be_followed(&self) -> bool {
        true
    }

    fn tracks(&self, spec: &RunSpec) -> Vec<TrackShape> {
        let pace = periods::pace(spec);
        let [(index, _), woke] = WOKEN;
        let columns = [(index, Holds::RisingUpTo(pace.periods)), woke];
        let of = |(name, _)| {
            let shape = pace.shape(TrackShape::named(name)).left_out("skipped");
            tally::shape(spec, pace.periods, shape.rows(pace.periods, &columns))
        };
        places(spec).into_iter().map(of).collect()
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        let mut rows: Vec<Row> = recording.tracks.iter().map(row).collect();
        if rows.len() > 1 {
            rows.insert(0, together(&rows));
        }
        if let Some(headline) = rows.first_mut() {
            over_time(headline, recording);
        }
        rows
    }

    fn usual_limit(&self, _: &Parameters) -> Option<Nanos> {
        Some(USUAL_LIMIT)
    }

    fn each_thread(&self, recording: &Recording, each: EachThread) {
        for track in &recording.tracks {
            each(ThreadSamples {
                spec: &recording.header.spec,
                track,
                stamped: stamped(track),
                usual_limit: USUAL_LIMIT,
                works: false,
                waits: Vec::new(),
                team: &[],
            });
        }
    }
}

impl Continuous for Wakeup {
    fn check_continuous(&self, _: &RunSpec) -> Result<(), String> {
        Ok(())
    }

    fn rate(&self, spec: &RunSpec) -> Result<Rate, String> {
        Ok(Rate::of_period(spec.parameters.period()))
    }

    fn run_intervals(&self, bench: &Bench, count: u64, hand_over: HandOver) -> Result<(), Abort> {
        let spec = &bench.spec;
        let pace = periods::pace(spec);
        let (places, policy) = (places(spec), spec.asked.policy);
        let (mut measuring, mut readers) = (Vec::new(), Vec::new());
        for (name, cpus) in &places {
            let (timer, exchange) = (timer(spec)?, Exchange::new());
            readers.push(Reader::of(&exchange, name, policy, cpus.clone()));
            let prepare = move || {
                let runner = rt::process::this();
                let writer = Writer::prepared(exchange, &WOKEN, spec, pace.periods, runner);
                wake_in_intervals(pace, count, timer, writer)
            };
            measuring.push(MeasuringThread::prepared(cpus.clone(), policy, name, prepare));
        }
        let track = |place: usize, samples: &interval::Samples<2>| {
            let (name, cpus) = &places[place];
            let skipped = pace.periods - samples.columns.rows();
            samples.onto(track_of(pace, name, cpus, samples.t0, skipped))
        };
        interval::run_threads(bench, measuring, &mut readers, pace.span(), track, hand_over)?;
        Ok(())
    }
}

/// Returns the same loop as [`wake_periodically`]; between intervals it only exchanges samples.
fn wake_in_intervals(
    pace: Pace,
    intervals: u64,
    mut timer: Timer,
    mut writer: Writer<2>,
) -> impl FnOnce(u64) {
    move |t0| {
        let period = pace.period_ns();
        timer.start(t0, period).expect("the period is above 0");
        writer.begin();
        let mut next = Next { period: 0, due: t0 };
        for number in 0..intervals {
            let first = number * pace.periods;
            wake_until(first + pace.periods, &mut next, pace, &mut timer, |k, due, woke| {
                writer.push([k - first, woke], due, woke);
            });
            writer.hand_over(number, t0 + number * pace.span(), number + 1 == intervals);
        }
    }
}

struct Woken {
    t0: u64,
    skipped: u64,
    indices: Samples,
    stamps: Samples,
    tally: Tally,
}

/// Returns the measured loop. A period that is over at the wake-up is skipped and counted.
fn wake_periodically(pace: Pace, mut timer: Timer, mut tally: Tally) -> impl FnOnce(u64) -> Woken {
    let (period, periods) = (pace.period_ns(), pace.periods);
    let room = || Samples::with_capacity(periods as usize);
    let (mut indices, mut stamps) = (room(), room());
    move |t0| {
        timer.start(t0, period).expect("the period is above 0");
        tally.begin();
        let mut skipped = 0;
        let mut due = t0;
        let mut k = 0;
        while k < periods {
            timer.wait(k, due);
            let woke = clock::now();
            indices.push(k);
            stamps.push(woke);
            tally.after(due, woke);
            k += 1;
            due += period;
            while due <= woke && k < periods {
                skipped += 1;
                k += 1;
                due += period;
            }
        }
        Woken { t0, skipped, indices, stamps, tally }
    }
}

impl Woken {
    fn track(&self, name: &str, cpus: &CpuSet, pace: Pace) -> Track {
        let track = track_of(pace, name, cpus, self.t0, self.skipped)
            .with("lost", self.stamps.lost())
            .column("period_index", self.indices.to_column())
            .column("woke_ns", self.stamps.to_column());
        self.tally.onto(track)
    }
}

/// Returns the row of a thread. Its distribution contains every due period: an executed one with
/// its lateness, a skipped one with how late it already was when the thread found that it was
/// missed.
fn row(track: &Track) -> Row {
    Row {
        label: track.name.clone(),
        due: track.number("periods") as u64,
        executed: track.values("period_index").len() as u64,
        skipped: track.number("skipped") as u64,
        latency: Distribution::of(lateness(track)),
        ..Row::default()
    }
    .with(&fact::CPUS, track.attributes.get(&*fact::CPUS).cloned())
}

/// Returns the stamps of each executed period; a thread that wakes up does no other work.
fn stamped(track: &Track) -> Vec<Stamped> {
    let (t0, period) = (track.number("t0_ns"), track.number("period_ns"));
    let woken = track.values("woke_ns").iter();
    let indices = track.values("period_index").iter();
    let nexts = indices.clone().skip(1).copied().chain([track.number("periods")]);
    let stamped = |((index, woke), next): ((&i64, &i64), i64)| {
        let due = t0 + index * period;
        let missed = (next - index - 1).max(0).cast_unsigned();
        Stamped { index: *index, due, start: due, end: *woke, missed }
    };
    indices.zip(woken).zip(nexts).map(stamped).collect()
}

fn lateness(track: &Track) -> impl Iterator<Item = Sample> {
    let (t0, period) = (track.number("t0_ns"), track.number("period_ns"));
    let periods = track.number("periods");
    let indices = track.values("period_index");
    let woken = track.values("woke_ns");
    let ends = indices.iter().skip(1).copied().chain([periods]);
    indices
        .iter()
        .zip(woken)
        .zip(ends)
        .flat_map(|((first, woke), end)| (*first..end).map(move |k| (k, *woke)))
        .map(move |(k, woke)| Sample {
            value_ns: woke - (t0 + k * period),
            index: k as u64,
            at_ns: (k * period) as u64,
        })
}

/// Adds the wake-ups of all threads over time to the headline, and the time stolen from them.
fn over_time(headline: &mut Row, recording: &Recording) {
    let lateness = recording.tracks.iter().flat_map(lateness);
    headline.tell(&fact::STRIP, json!(strip::strip(lateness)));
    let start = recording.tracks.iter().map(|track| track.number("t0_ns"));
    let readings = blame::Evidence::of(&recording.evidence).steal_steps();
    let is_counted = recording.found.cpus.iter().any(|cpu| cpu.steal_ns.is_some());
    if let (Some(start), true) = (start.min(), is_counted && !readings.is_empty()) {
        let after_start = |(at, stolen): (i64, i64)| {
            Some((u64::try_from(at.saturating_sub(start)).ok()?, stolen))
        };
        let readings: Vec<(u64, i64)> = readings.into_iter().filter_map(after_start).collect();
        headline.tell(&fact::STOLEN, json!(strip::taken(&readings)));
    }
}

fn together(rows: &[Row]) -> Row {
    let mut all = Row { label: "all CPUs".to_owned(), ..Row::default() };
    for row in rows {
        all.due += row.due;
        all.executed += row.executed;
        all.skipped += row.skipped;
        if row.max_ns() > all.max_ns() {
            all.tell(&fact::MAX_ON, row.label.clone());
        }
        match (&mut all.latency, &row.latency) {
            (Some(all), Some(other)) => all.merge(other),
            (None, other) => all.latency.clone_from(other),
            (Some(_), None) => {}
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_runs::{measured, rows, spec_with};

    fn track(indices: &[i64], woken: &[i64], skipped: u64) -> Track {
        Track::new("CPU 0")
            .with("t0_ns", 1000)
            .with("period_ns", 100)
            .with("periods", 10)
            .with("skipped", skipped)
            .column("period_index", indices.to_vec())
            .column("woke_ns", woken.to_vec())
    }

    #[test]
    fn a_stall_is_accounted_for_period_by_period() {
        // Wakes at 1003, then at 1455 for period 1 (due 1100): periods 2, 3, 4 are missed, found
        // 255, 155 and 55 late. Periods 5 to 9 are in time.
        let indices = [0, 1, 5, 6, 7, 8, 9];
        let woken = [1003, 1455, 1504, 1601, 1702, 1801, 1903];
        let rows = rows("wakeup", vec![track(&indices, &woken, 3)]);
        let row = &rows[0];
        assert_eq!((row.due, row.executed, row.skipped), (10, 7, 3));
        let latency = row.latency.as_ref().unwrap();
        assert_eq!(latency.count(), 10);
        assert_eq!((latency.max.value_ns, latency.max.index, latency.max.at_ns), (355, 1, 100));
        assert_eq!(latency.sum_ns, 3 + 355 + 255 + 155 + 55 + 4 + 1 + 2 + 1 + 3);
        let missed = stamped(&track(&indices, &woken, 3)).into_iter().map(|step| step.missed);
        assert_eq!(missed.collect::<Vec<_>>(), [0, 3, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn several_cpus_have_a_row_together_and_one_each() {
        let on_time = track(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], &[1000; 10], 0);
        let rows = rows("wakeup", vec![on_time.clone(), on_time]);
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[0].facts["max_on"], "CPU 0");
        assert_eq!((rows[0].due, rows[0].executed), (20, 20));
        assert_eq!(rows[0].latency.as_ref().unwrap().count(), 20);
    }

    #[test]
    fn due_is_executed_plus_skipped_on_this_machine() {
        for timer in ["sleep", INTERVAL] {
            let rows = measured(spec_with("wakeup", &[("timer", timer)]));
            assert_eq!(rows[0].due, 50);
            assert_eq!(rows[0].due, rows[0].executed + rows[0].skipped);
            assert_eq!(rows[0].latency.as_ref().unwrap().early, 0);
        }
    }
}
