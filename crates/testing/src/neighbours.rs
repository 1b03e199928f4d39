//! Simulated runs with neighbours.

use base::{CpuSet, Nanos, Policy, Vicinity};
use record::{LoadFound, Outcome, Row, RunSpec};

use crate::outcomes::{PERIOD, distribution, number_as, outcome};

/// Samples of a run: so few that only two of them are above p99.9.
const SAMPLES: usize = 2_000;

/// Returns a run of 2 s at 1 kHz with this place in the order, with this load in that place or
/// without load. Its median and its p99.9 have these values.
pub fn run(
    neighbour: Option<(&str, Vicinity)>,
    [median_ns, tail_ns]: [u64; 2],
    number: u64,
) -> Outcome {
    let mut run = outcome("wakeup", Policy::Fifo(80), &[PERIOD]);
    let mut values = [median_ns as i64; SAMPLES];
    values[SAMPLES - 3..].fill(tail_ns as i64);
    let (due, latency) = (SAMPLES as u64, distribution(&values));
    run.rows = vec![Row { due, executed: due, ..Row::of("all CPUs", latency) }];
    number_as(number, &mut run);
    let spec: &mut RunSpec = &mut run.header.spec;
    spec.asked.duration = Nanos(due * 1_000_000);
    if let Some((load, place)) = neighbour {
        let cpus = CpuSet::one(usize::from(place == Vicinity::SameCpu));
        let mut typed: record::LoadSpec = load.parse().expect("a load");
        typed.cpus = Some(cpus.clone());
        run.found.loads = vec![LoadFound {
            name: typed.to_string(),
            cpus,
            work_done: 6_000 * u64::from(typed.intensity_percent),
            unit: "MiB read and written".into(),
        }];
        spec.asked.loads = vec![typed];
        spec.vicinity = Some(place);
    }
    run
}

/// Neighbours, each with the factors on median and tail.
type Harms<'h> = &'h [(&'h str, Vicinity, [f64; 2])];

/// Returns rounds of runs with each of these neighbours, and a quiet run before every three.
/// `noise` returns median and tail of the next quiet run, in nanoseconds.
pub fn in_turns(rounds: usize, harms: Harms, mut noise: impl FnMut() -> [f64; 2]) -> Vec<Outcome> {
    let mut runs = Vec::new();
    for _ in 0..rounds {
        for group in harms.chunks(3) {
            let quiet = std::iter::once((None, [1.0; 2]));
            let beside = group.iter().map(|(load, place, times)| (Some((*load, *place)), *times));
            for (neighbour, times) in quiet.chain(beside) {
                let own = noise();
                let figures = [0, 1].map(|place| (own[place] * times[place]).round() as u64);
                runs.push(run(neighbour, figures, runs.len() as u64));
            }
        }
    }
    runs
}

/// Returns four rounds with neighbours: one harms the tail much, and memory harms by its bandwidth.
pub fn matrix() -> Vec<Outcome> {
    use Vicinity::{SameCpu, SharedCache};
    let mut turn = 0_u64;
    let noise = || {
        turn += 1;
        let part = |step: u64| 1.0 + 0.02 * ((turn * step % 17) as f64 / 17.0 - 0.5);
        [8_000.0 * part(5), 40_000.0 * part(7)]
    };
    let mut runs = in_turns(
        4,
        &[
            ("shootdown", SharedCache, [1.02, 3.1]),
            ("memory%25", SharedCache, [1.0, 1.01]),
            ("memory%50", SharedCache, [1.1, 1.4]),
            ("memory", SharedCache, [1.3, 1.9]),
            ("disk", SharedCache, [1.0, 1.0]),
            ("timers", SameCpu, [1.0, 1.5]),
            ("sham", SameCpu, [1.0, 1.0]),
            ("sham", SharedCache, [1.0, 1.0]),
        ],
        noise,
    );
    let refused = record::Warning::LoadNotStarted {
        load: "log@0".into(),
        reason: "/dev/kmsg: it needs root".into(),
    };
    let number = runs.len() as u64;
    let mut log = run(Some(("log", SharedCache)), [8_000, 40_000], number);
    log.warnings = vec![refused];
    runs.push(log);
    runs
}
