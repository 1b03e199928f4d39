//! Simulated runs of a gate.

#![allow(clippy::missing_panics_doc, reason = "what is made up is known to be well formed")]

use plan::{GateRun, GateSide, Outcome, Row, Value};
use stats::{Distribution, Sample};
use units::Nanos;

use crate::outcomes::outcome;

/// Time from the start of one run to that of the next.
const APART_NS: u64 = 3_000_000_000;
const SAMPLES: u64 = 100;
/// Median of A without noise.
const MEDIAN_NS: f64 = 1e6;

/// Returns rounds of A, A again and B, whose median is `ratio` times that of A. `noise` returns the
/// factor by which the next run differs. The margin is 5 %.
pub fn rounds(rounds: usize, ratio: f64, mut noise: impl FnMut() -> f64) -> Vec<Outcome> {
    let mut runs = Vec::new();
    for number in 0..rounds {
        let mut sides = GateSide::ALL;
        sides.rotate_left(number % 3);
        for side in sides {
            let ratio = if side == GateSide::B { ratio } else { 1.0 };
            runs.push(run(side, MEDIAN_NS * ratio * noise(), runs.len() as u64));
        }
    }
    runs
}

/// Returns a run of one side at this place in the order.
pub fn run(side: GateSide, median_ns: f64, number: u64) -> Outcome {
    let period = ("period", Value::Time(Nanos(1_000_000)));
    let mut run = outcome("wakeup", "fifo:80".parse().expect("a policy"), &[period]);
    let sample = |index| Sample { value_ns: median_ns as i64, index, at_ns: index * 1_000_000 };
    let latency = Distribution::of((0..SAMPLES).map(sample));
    run.rows = vec![Row { due: SAMPLES, executed: SAMPLES, ..Row::of("all CPUs", latency) }];
    run.header.started_unix_ns += number * APART_NS;
    run.header.run_id = format!("01890000-0000-7000-8000-{number:012x}");
    run.header.spec.gate = Some(GateRun {
        id: "made up".to_owned(),
        side,
        figure: "median".to_owned(),
        margin_ppm: 50_000,
    });
    run
}
