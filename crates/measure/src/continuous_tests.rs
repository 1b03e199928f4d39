//! Tests of all measurements that can record intervals.

use base::{Nanos, Rate};
use bench::made_run::recording;
use bench::{Bench, Interval, Place};
use record::{RunSpec, Value};
use testing::refuses;

use crate::test_runs::{spec, spec_with};

const INTERVALS: u64 = 8;
const PERIODS: u64 = 50;

/// A small tire with as many steps per interval as the wake-up has periods.
fn tire(threads: &str, overrun: &str) -> RunSpec {
    let paced = [("mode", "real-time"), ("rate", "1kHz"), ("overrun", overrun)];
    let small = [("masses", "40"), ("threads", threads)];
    spec_with("tire", &[&paced[..], &small].concat())
}

#[test]
fn an_interval_has_whole_periods() {
    let period = 3_000_000_000;
    let every = [
        ("period", Value::Time(Nanos(period))),
        ("rate", Value::Rate(Rate::of_period(Nanos(period)))),
    ];
    for name in crate::MEASUREMENTS.iter().map(|measurement| measurement.name()) {
        let Some(continuous) = crate::find(name).unwrap().continuous() else { continue };
        let mut spec = spec(name);
        let is_declared = |(flag, _): &&(&str, Value)| spec.parameters.get(flag).is_some();
        let Some((flag, value)) = every.iter().find(is_declared) else { continue };
        spec.parameters.set(flag, value.clone());
        continuous.set_interval(&mut spec, Nanos(10_000_000_000)).unwrap();
        assert_eq!(spec.asked.duration, Nanos(3 * period), "{name}");
        refuses(continuous.set_interval(&mut spec, Nanos(period - 1)), "--interval");
    }
}

#[test]
fn intervals_follow_each_other_and_conserve_what_is_due() {
    for mut spec in [spec("wakeup"), tire("1", "skip"), tire("2", "catch-up")] {
        let measurement = crate::find(&spec.measurement).unwrap();
        let continuous = measurement.continuous().unwrap();
        continuous.check_continuous(&spec).unwrap();
        let asked = spec.asked.duration;
        continuous.set_interval(&mut spec, asked).unwrap();
        let length = spec.asked.duration.0;
        let bench = Bench::new(spec.clone());
        let mut intervals = Vec::new();
        let mut hand_over = |interval: Interval| {
            intervals.push((Place::of(&interval.tracks).unwrap(), interval));
        };
        continuous.run_intervals(&bench, INTERVALS, &mut hand_over).unwrap();
        let mut expected = 0;
        let start = intervals[0].0.began - intervals[0].0.number * length;
        for (place, Interval { tracks, threads, .. }) in intervals {
            assert!(place.number >= expected + place.stalled);
            expected = place.number + 1;
            assert_eq!(place.began, start + place.number * length);
            assert_eq!(threads[0].asked_cpus, threads[0].cpus);
            let rows = measurement.rows(&recording(spec.clone(), tracks));
            assert_eq!(rows[0].due, PERIODS);
            assert_eq!(rows[0].executed + rows[0].skipped, PERIODS);
        }
        assert!(expected <= INTERVALS);
    }
}
