//! A made-up measurement, as `docs/add-a-measurement.md` shows it: what one hint to spin takes.

use std::hint::spin_loop;

use plan::{Fact, Parameters, Recording, Row, RunSpec, Track, Unit, fact};
use rt::clock;
use stats::{Distribution, mean};
use units::{CpuSet, Nanos};

use crate::burst::{Bursts, bursts_in, bursts_shape, with_bursts};
use crate::measurement::{Description, Length, Measurement, pinned};
use crate::measuring_thread::MeasuringThread;
use crate::shape::{Holds, TrackShape};
use crate::stamps::between;
use crate::{Abort, Bench};

pub(crate) struct SpinHint;

/// Hints between two stamps.
const HINTS: u64 = 100;

/// A fact of its own. What a report reads stands in `plan::fact`.
const HINT_NS: Fact = Fact {
    name: "hint_ns",
    unit: Unit::Nanoseconds,
    meaning: "mean time of one hint to spin",
};

impl Measurement for SpinHint {
    fn description(&self) -> Description {
        Description {
            name: "spin_hint",
            summary: "what one hint to spin takes",
            source: "made up",
            parameters: &[],
            facts: &[&[HINT_NS], fact::BURSTS],
        }
    }

    fn length(&self, _: &Parameters) -> Length {
        Length::Seconds(Nanos::SECOND)
    }

    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        pinned(spec)
    }

    fn sample_bytes(&self, spec: &RunSpec) -> u64 {
        bursts_in(spec.asked.duration).saturating_mul(16)
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let asked = &bench.spec.asked;
        let bursts = Bursts::within(asked.duration, 1)?;
        let (mut before, mut after) = (bursts.room_for(1), bursts.room_for(1));
        let work = || {
            bursts.run(|_| {
                before.push(clock::now());
                (0..HINTS).for_each(|_| spin_loop());
                after.push(clock::now());
            });
        };
        let cpu = CpuSet::one(bench.cpu(0));
        bench.run(vec![MeasuringThread::on(
            cpu,
            asked.policy,
            "spinner",
            work,
        )])?;
        let track = bursts.noted_on(Track::new("hints"));
        let track = track.column("before_ns", before.to_column());
        Ok(vec![track.column("after_ns", after.to_column())])
    }

    fn tracks(&self, _: &RunSpec) -> Vec<TrackShape> {
        let columns = [("before_ns", Holds::Stamps), ("after_ns", Holds::Stamps)];
        let shape = TrackShape::named("hints");
        vec![bursts_shape(shape.rows(u64::MAX, &columns))]
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        let row = |track: &Track| {
            let hints = between(track, "before_ns", "after_ns");
            let times: Vec<i64> = hints.iter().map(|hints| hints.value_ns).collect();
            let hint = mean(&times).map(|time| time / HINTS as f64);
            let row = Row::of(&*track.name, Distribution::of(hints));
            with_bursts(row, track).with(&HINT_NS, hint)
        };
        recording.tracks.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::tests::{recording, spec};

    #[test]
    fn it_is_found_measured_and_told_as_every_other() {
        let spec = spec("spin_hint");
        let tracks = SpinHint.run(&Bench::new(spec.clone())).unwrap();
        let outcome = crate::outcome(&recording(spec, tracks));
        let [row] = &outcome.rows[..] else {
            panic!("{} rows", outcome.rows.len());
        };
        assert_eq!(row.fact(&fact::BURSTS_MADE).unwrap(), row.executed);
        assert!(row.fact(&HINT_NS).unwrap().as_f64().unwrap() > 0.0);
    }
}
