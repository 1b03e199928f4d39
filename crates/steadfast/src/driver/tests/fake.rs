//! Machines that make no run and say what came of it.

use plan::{Found, Header, Machine, Outcome, Recording, Row, RunSpec, fact};
use stats::{Distribution, Sample};

/// What came of a run on a machine whose tires miss every deadline from a size on.
pub(crate) fn outcome(spec: &RunSpec, number: usize, edge: u64) -> Outcome {
    let rows = match spec.measurement.as_str() {
        "tire" => vec![steps(spec, edge)],
        _ => Vec::new(),
    };
    let recording = recording(spec, number);
    Outcome {
        header: recording.header,
        found: recording.found,
        warnings: recording.warnings,
        rows,
    }
}

/// A recording in which nothing was recorded.
pub(crate) fn recording(spec: &RunSpec, number: usize) -> Recording {
    Recording {
        header: Header {
            run_id: format!("run {number}"),
            tool_version: String::new(),
            spec: spec.clone(),
            machine: Machine::default().into(),
            started_unix_ns: number as u64,
        },
        found: Found::default(),
        warnings: Vec::new(),
        tracks: Vec::new(),
        evidence: Vec::new(),
    }
}

/// The steps of a tire take as much of their period as its size does of the edge.
fn steps(spec: &RunSpec, edge: u64) -> Row {
    let [masses, steps] = ["masses", "steps"].map(|name| spec.parameters.count(name));
    let period = spec.parameters.time("rate").0;
    let missed = if masses > edge { steps } else { 0 };
    let step = |index| Sample {
        value_ns: (u128::from(period) * u128::from(masses) / u128::from(edge)) as i64,
        index,
        at_ns: index * period,
    };
    // A median needs no more of them.
    let latency = Distribution::of((0..steps.min(3)).map(step));
    let row = Row {
        due: steps,
        executed: steps,
        ..Row::of("steps", latency)
    };
    row.with(&fact::MISSED, missed)
        .with(&fact::OVERRUNS, missed)
}
