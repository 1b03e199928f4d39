//! An example measurement, as `docs/add-a-measurement.md` shows it: the time that one spin hint
//! takes.

use std::hint::spin_loop;

use base::Nanos;
use bench::burst::Bursts;
use bench::measurement::{Description, Measurement};
use bench::shape::TrackShape;
use bench::stamps::Pair;
use bench::{Abort, Bench};
use record::{Fact, Recording, Row, RunSpec, Track, Unit, fact};
use rt::clock;
use stats::Distribution;

pub(crate) struct SpinHint;

const STAMPS: Pair = Pair("before_ns", "after_ns");
/// Spin hints between two stamps.
const HINTS: u64 = 100;

/// A fact of this measurement alone. Facts that a report reads are in `record::fact`.
const HINT_NS: Fact = Fact {
    name: "hint_ns",
    unit: Unit::Nanoseconds,
    meaning: "mean time of one spin hint",
    may_be_null: false,
};

impl Measurement for SpinHint {
    fn description(&self) -> Description {
        Description {
            name: "spin_hint",
            summary: "time of one spin hint",
            source: "made up",
            facts: &[&[HINT_NS], fact::BURSTS],
            usual_time: Nanos::SECOND,
            bytes_a_burst: 16,
            ..Description::PINNED
        }
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let bursts = Bursts::within(bench.spec.asked.duration, 1)?;
        let (mut before, mut after) = (bursts.room_for(1), bursts.room_for(1));
        let work = || {
            bursts.run(|_| {
                before.push(clock::now());
                (0..HINTS).for_each(|_| spin_loop());
                after.push(clock::now());
            });
        };
        bench.run_alone("spinner", work)?;
        let track = Track::new("hints");
        Ok(vec![STAMPS.onto(track, &bursts, [&before, &after])])
    }

    fn tracks(&self, _: &RunSpec) -> Vec<TrackShape> {
        vec![STAMPS.shape(TrackShape::named("hints"), u64::MAX)]
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        let row = |track: &Track| {
            let row = STAMPS.row(track);
            let mean = row.latency.as_ref().map(Distribution::mean_ns);
            row.with(&HINT_NS, mean.map(|time| time / HINTS as f64))
        };
        recording.tracks.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_runs::spec;
    use bench::made_run::recording;

    #[test]
    fn it_is_found_measured_and_reported_like_every_other() {
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
