//! The cost of one time stamp: the difference between a loop with stamps and the same loop without.

use std::hint::black_box;

use base::Nanos;
use bench::burst::{Bursts, bursts_shape, with_bursts};
use bench::shape::{Holds, TrackShape};
use bench::{Abort, Bench, Description, Measurement};
use record::{Family, Recording, Row, RunSpec, Track, fact};
use rt::clock;
use stats::{Distribution, Sample, median};

pub(crate) struct ClockOverhead;

/// Iterations of each of the two loops in one burst.
const ITERATIONS: u64 = 10_000;
/// Stamps kept per burst for the distribution of single stamps.
const KEPT: u64 = 100;

impl Measurement for ClockOverhead {
    fn description(&self) -> Description {
        Description {
            name: "clock_overhead",
            summary: "cost of one time stamp: a loop with stamps minus the same loop without",
            source: "MPE 3.4",
            family: Some(Family::Clock),
            facts: &[fact::CLOCK, fact::BURSTS],
            usual_time: Nanos(1_000_000_000),
            bytes_a_burst: 8 * (KEPT + 2),
            ..Description::PINNED
        }
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let bursts = Bursts::within(bench.spec.asked.duration, 1)?;
        let (mut with, mut without) = (bursts.room_for(1), bursts.room_for(1));
        let mut stamps = bursts.room_for(KEPT);
        let work = || {
            bursts.run(|_| {
                let start = clock::now();
                for iteration in 0..ITERATIONS {
                    black_box(iteration);
                }
                let middle = clock::now();
                for iteration in 0..ITERATIONS {
                    black_box(iteration);
                    black_box(clock::now());
                }
                let end = clock::now();
                without.push(middle - start);
                with.push(end - middle);
                for _ in 0..KEPT {
                    stamps.push(clock::now());
                }
            });
        };
        bench.run_alone("stamper", work)?;
        Ok(vec![
            bursts
                .noted_on(Track::new("loops"))
                .with("iterations", ITERATIONS)
                .column("with_ns", with.to_column())
                .column("without_ns", without.to_column()),
            Track::new("stamps").with("lost", stamps.lost()).column("stamp_ns", stamps.to_column()),
        ])
    }

    fn tracks(&self, _: &RunSpec) -> Vec<TrackShape> {
        let times = [("with_ns", Holds::Times), ("without_ns", Holds::Times)];
        let loops = TrackShape::named("loops")
            .fact("iterations", Holds::Exactly(ITERATIONS))
            .rows(u64::MAX, &times);
        let stamps = TrackShape::named("stamps");
        vec![bursts_shape(loops), stamps.rows(u64::MAX, &[("stamp_ns", Holds::Stamps)])]
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        let [loops, stamps] = &recording.tracks[..] else {
            return Vec::new();
        };
        let steps = steps(stamps);
        let resolution = steps.iter().map(|s| s.value_ns).filter(|step| *step > 0).min();
        let cost = median(loops.values("with_ns"))
            .zip(median(loops.values("without_ns")))
            .map(|(with, without)| (with - without) as f64 / loops.number("iterations") as f64);
        let row = Row::of("one stamp", Distribution::of(steps))
            .with(&fact::STAMP_COST_NS, cost)
            .with(&fact::RESOLUTION_NS, resolution);
        vec![with_bursts(row, loops)]
    }
}

/// Returns the time from each stamp to the next one in the same burst.
fn steps(stamps: &Track) -> Vec<Sample> {
    let values = stamps.values("stamp_ns");
    let first = values.first().copied().unwrap_or(0);
    let pairs = values.chunks(KEPT as usize).flat_map(|burst| burst.windows(2));
    let step = |(index, pair): (usize, &[i64])| {
        let (value_ns, at_ns) = (pair[1] - pair[0], (pair[0] - first) as u64);
        Sample { value_ns, index: index as u64, at_ns }
    };
    pairs.enumerate().map(step).collect()
}
