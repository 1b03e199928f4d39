//! Makes a run of days, and writes a recording of each interval while the next one is measured.

use std::fs::File;
use std::io::{Read, Write};
use std::time::Duration;

use base::Nanos;
use measure::{Abort, Bench, Continuous, Interval, Place};
use record::{Header, IntervalFound, Recording, RunSpec, write_recording};
use rt::watchdog::Watchdog;
use rt::{clock, process, read};

use crate::alone::Alone;
use crate::evidence::Gathering;
use crate::setup::Setup;
use crate::written::{header, without_tracks, write};
use crate::{Here, INTERVALS, begun, hosted};

/// The role that makes intervals: reads the specification of one interval, and writes a recording of
/// each of `intervals` to standard output. If its conditions cannot be set up, it writes one recording
/// without tracks.
///
/// # Errors
/// One line if the run could not be made at all.
pub fn serve_intervals(intervals: u64, from: &mut impl Read) -> Result<(), String> {
    let role = [INTERVALS, &intervals.to_string()];
    let spec = begun(from)?;
    let whole = whole(&spec, intervals)?;
    let measured = |to: &mut File| measure(spec.clone(), &whole, intervals, to);
    match hosted::serve_isolated(&spec, &whole, &role, measured)? {
        None => Ok(()),
        // Half of an interval may be written: no recording can follow.
        Some(failure) => Err(format!("{}; {}", failure.cause(), failure.remedy())),
    }
}

fn continuous(spec: &RunSpec) -> Result<&'static dyn Continuous, String> {
    let found = measure::find(&spec.measurement).and_then(|measurement| measurement.continuous());
    found.ok_or_else(|| {
        format!("{}: cannot be measured in intervals without a pause", spec.measurement)
    })
}

/// Returns all intervals as one run: a thread that does not wait in one may not wait in the next.
fn whole(spec: &RunSpec, intervals: u64) -> Result<RunSpec, String> {
    let mut whole = spec.clone();
    let length = Nanos(spec.asked.duration.0.saturating_mul(intervals));
    continuous(spec)?.set_interval(&mut whole, length)?;
    Ok(whole)
}

fn measure(spec: RunSpec, whole: &RunSpec, intervals: u64, to: &mut File) -> Result<(), String> {
    let measurement = Here::found()?.check(&spec)?;
    let continuous = continuous(&spec)?;
    continuous.check_continuous(&spec)?;
    let alone = Alone::among_measurements(&spec.asked)?;
    let _watchdog = Watchdog::start(longest(&spec, intervals), &spec.asked.cpus)
        .map_err(|error| error.to_string())?;
    let first = header(spec.clone());
    let setup = Setup::new(&spec, measurement, measurement.longest_spin(whole))?;
    let mut bench = Bench::new(spec.clone());
    bench.warn(alone.warning());
    if !setup.is_as_asked() {
        return not_as_asked(first, setup, bench, to);
    }
    let gathering = Gathering::of_run(&spec, measurement);
    gathering.iter().for_each(|gathering| bench.announce_to(gathering.announce()));
    let mut watch = Watch { spec, watch: first.run_id.clone(), setup, alone, gathering, to };
    let mut each = |interval| watch.write(interval);
    match continuous.run_intervals(&bench, intervals, &mut each) {
        Ok(()) => Ok(()),
        Err(Abort::Conditions) => not_as_asked(first, watch.setup, bench, watch.to),
        Err(Abort::Failed(why)) => Err(format!("{}: {why}", measurement.name())),
    }
}

fn not_as_asked(header: Header, setup: Setup, bench: Bench, to: &mut File) -> Result<(), String> {
    let (threads, warnings) = bench.into_findings();
    let (found, warnings) = setup.finish(threads, warnings);
    write(&without_tracks(header, found, warnings), to)
}

/// Returns how long all intervals may take before the run is ended because it hangs.
fn longest(spec: &RunSpec, intervals: u64) -> Duration {
    let all = u32::try_from(intervals).unwrap_or(u32::MAX);
    spec.longest() + Duration::from(spec.asked.duration).saturating_mul(all)
}

struct Watch<'t> {
    spec: RunSpec,
    /// Its name, which all its intervals have.
    watch: String,
    setup: Setup,
    alone: Alone,
    gathering: Option<Gathering>,
    to: &'t mut File,
}

impl Watch<'_> {
    fn write(&mut self, interval: Interval) {
        let Interval { tracks, threads, mut warnings } = interval;
        let Some(place) = Place::of(&tracks) else {
            return;
        };
        warnings.extend(self.alone.warning_now());
        let (mut found, warnings) = self.setup.next_interval(threads, warnings);
        let age = clock::now().saturating_sub(place.began);
        found.interval = Some(IntervalFound {
            watch: self.watch.clone(),
            number: place.number,
            stalled_before: place.stalled,
            is_same_program: false,
            boot: read::text("/proc/sys/kernel/random/boot_id").unwrap_or_default(),
            suspended_ns: clock::suspended(),
            began_since_boot_ns: Some(clock::since_boot().saturating_sub(age)),
        });
        let mut header = header(self.spec.clone());
        // The wall clock labels the begin of the interval, which the stamps know.
        header.started_unix_ns = clock::unix_time_of(place.began);
        let evidence =
            self.gathering.as_ref().map_or_else(Vec::new, |one| one.hand_over(Vec::new()));
        let recording = Recording { header, found, warnings, tracks, evidence };
        let mut packed = Vec::new();
        let written = write_recording(&recording, &mut packed);
        let sent = written.and_then(|()| self.to.write_all(&packed)).and_then(|()| self.to.flush());
        if sent.is_err() {
            // The program that reads has gone.
            process::end_at_once();
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use base::{CpuSet, Policy};
    use record::{Asked, Parameters};

    use super::*;

    /// A run of five minutes with a measurement's default parameters.
    pub(crate) fn five_minutes(measurement: &str) -> RunSpec {
        let declared = measure::find(measurement).unwrap().parameters();
        let asked = Asked::plain(CpuSet::one(0), Policy::Fifo(80), Nanos(300_000_000_000));
        RunSpec::new(measurement, Parameters::defaults(declared), asked)
    }

    #[test]
    fn a_frame_may_spin_through_all_intervals_and_a_wakeup_may_not() {
        let of = |name: &str, intervals| {
            let whole = whole(&five_minutes(name), intervals).unwrap();
            measure::find(name).unwrap().longest_spin(&whole)
        };
        assert!(of("frame", 2016) >= Nanos(2016 * 300_000_000_000));
        assert_eq!(of("wakeup", 2016), of("wakeup", 1));
    }
}
