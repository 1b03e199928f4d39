//! Simulated outcomes and recordings, for tests without real runs.

use record::{Axis, Outcome, Recording, Row, RunSpec, fact};
use stats::{Distribution, Sample};

use super::{Due, Known, Plan};

/// Returns a run on a machine whose models miss every deadline from a place of their axis on.
pub(crate) fn outcome(spec: &RunSpec, number: usize, edge: u64) -> Outcome {
    let rows = match spec.measurement.as_str() {
        "tire" | "model" => vec![steps(spec, edge)],
        _ => Vec::new(),
    };
    let recording = recording(spec, number);
    Outcome { header: recording.header, found: recording.found, warnings: recording.warnings, rows }
}

/// Makes the runs that a plan still wants, with the outcome that `made` gives each of them.
pub(crate) fn make_all(
    plan: &mut dyn Plan,
    known: &mut Known,
    mut made: impl FnMut(&Due) -> Outcome,
) {
    while let Some(due) = plan.next(known) {
        known.add(Some(due.ordinal), made(&due));
    }
}

pub(crate) fn recording(spec: &RunSpec, number: usize) -> Recording {
    let mut recording = Recording::empty(format!("run {number}"), spec.clone());
    recording.header.started_unix_ns = number as u64;
    recording
}

/// Returns steps that take the same share of the period as the model's place is of the edge.
fn steps(spec: &RunSpec, edge: u64) -> Row {
    let place = Axis::of(spec).map_or(0, |axis| axis.place(spec));
    let steps = measure::steps(spec);
    let period = spec.parameters.rate_period().0;
    let missed = if place > edge { steps } else { 0 };
    let step = |index| Sample {
        value_ns: (u128::from(period) * u128::from(place) / u128::from(edge)) as i64,
        index,
        at_ns: index * period,
    };
    // Three steps are enough for a median.
    let latency = Distribution::of((0..steps.min(3)).map(step));
    let row = Row { due: steps, executed: steps, ..Row::of("steps", latency) };
    row.with(&fact::MISSED, missed).with(&fact::OVERRUNS, missed)
}
