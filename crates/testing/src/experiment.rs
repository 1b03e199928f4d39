//! A simulated experiment with knobs.

use base::{Nanos, Policy};
use record::{KnobBarrier, KnobFound, Outcome, Row, Tried, Warning};
use stats::{Distribution, Screening};

use crate::outcomes::{PERIOD, distribution, outcome};

/// The knobs with the values that were tried, and the factor by which each changes p99.
const KNOBS: [(&str, &str, f64); 5] = [
    ("guest_halt_poll", "200000", 0.72),
    ("numa_balancing", "0", 1.0),
    ("swappiness", "1", 1.0),
    ("thp", "never", 0.93),
    ("sham", "100", 1.0),
];
const KNOWN: (&str, &str, f64) = ("known", "200us/5ms", 2.6);
const IN_TURNS: [bool; 12] =
    [false, true, true, false, false, true, true, false, false, true, true, false];

/// Returns an experiment in which one knob helps, one cannot be set, and the others have no
/// detectable effect.
pub fn tried_knobs() -> Vec<Outcome> {
    let mut runs = vec![rehearsed("clock_source", "hpet")];
    let design = Screening::of(KNOBS.len()).expect("a design for few knobs");
    for _ in 0..2 {
        for point in &design.points {
            let on: Vec<OnOff> = KNOBS.into_iter().zip(point.iter().copied()).collect();
            runs.push(run(&on, runs.len()));
        }
    }
    for knob in [KNOBS[4], KNOWN, KNOBS[0]] {
        for on in IN_TURNS {
            runs.push(run(&[(knob, on)], runs.len()));
        }
    }
    for (place, run) in runs.iter_mut().enumerate() {
        run.header.started_unix_ns += place as u64 * 2_500_000_000;
        run.header.run_id.push_str(&format!("-{place}"));
    }
    runs
}

type OnOff = ((&'static str, &'static str, f64), bool);

fn run(knobs: &[OnOff], place: usize) -> Outcome {
    let mut run = outcome("wakeup", Policy::Fifo(80), &[PERIOD]);
    run.header.spec.asked.duration = Nanos(2_000_000_000);
    let on = || knobs.iter().filter(|(_, on)| *on);
    run.header.spec.asked.tried = knobs
        .iter()
        .map(|((knob, value, _), on)| Tried {
            knob: (*knob).to_owned(),
            value: on.then(|| (*value).to_owned()),
        })
        .collect();
    run.found.knobs = on()
        .map(|((knob, value, _), _)| KnobFound {
            knob: (*knob).to_owned(),
            asked: (*value).to_owned(),
            before: "0".to_owned(),
            during: (*value).to_owned(),
            at_end: (*value).to_owned(),
            given_back: true,
        })
        .collect();
    let times: f64 = on().map(|((.., times), _)| times).product();
    run.rows = vec![Row::of("all CPUs", wakeups(times, place))];
    run
}

/// Returns wake-ups of which five in a hundred are late; no two runs are equal.
fn wakeups(times: f64, place: usize) -> Option<Distribution> {
    let drift = |steps: usize| (place * 37 % steps) as f64 / steps as f64 - 0.5;
    let usual = 30e3 * (1.0 + 0.02 * drift(13));
    let late = 110e3 * times * (1.0 + 0.04 * drift(11));
    let value = |index: i64| match index % 100 {
        rare @ 0..5 => late * (1.0 + 0.01 * rare as f64),
        index => usual * (0.9 + 0.002 * index as f64),
    };
    let values: Vec<i64> = (0..2_000).map(|index| value(index * 7919) as i64).collect();
    distribution(&values)
}

fn rehearsed(knob: &str, value: &str) -> Outcome {
    let mut run = outcome("wakeup", Policy::Fifo(80), &[]);
    run.header.spec.asked.duration = Nanos(100_000_000);
    run.header.spec.asked.tried =
        vec![Tried { knob: knob.to_owned(), value: Some(value.to_owned()) }];
    run.warnings = vec![Warning::KnobRefused {
        knob: knob.to_owned(),
        asked: value.to_owned(),
        place: String::new(),
        reason: "made up".to_owned(),
        barrier: KnobBarrier::Other,
    }];
    run
}
