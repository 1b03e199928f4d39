//! Simulated runs of a gate.

use base::Policy;
use record::{GateRun, GateSide, Outcome, Row};

use crate::outcomes::{PERIOD, distribution, number_as, outcome};

const SAMPLES: usize = 100;
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
    let mut run = outcome("wakeup", Policy::Fifo(80), &[PERIOD]);
    let (due, latency) = (SAMPLES as u64, distribution(&[median_ns as i64; SAMPLES]));
    run.rows = vec![Row { due, executed: due, ..Row::of("all CPUs", latency) }];
    number_as(number, &mut run);
    run.header.spec.gate = Some(GateRun {
        id: "made up".to_owned(),
        side,
        figure: "median".to_owned(),
        margin_ppm: 50_000,
    });
    run
}
