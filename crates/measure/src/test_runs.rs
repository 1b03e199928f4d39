//! Runs of the measurements of the table.

use bench::made_run::Named;
use record::{Row, RunSpec, Track};

const MEASUREMENTS: Named = Named(crate::find);

pub(crate) fn spec(measurement: &str) -> RunSpec {
    MEASUREMENTS.spec(measurement)
}

pub(crate) fn spec_with(measurement: &str, parameters: &[(&str, &str)]) -> RunSpec {
    MEASUREMENTS.spec_with(measurement, parameters)
}

pub(crate) fn set(spec: &mut RunSpec, parameters: &[(&str, &str)]) {
    MEASUREMENTS.set(spec, parameters);
}

pub(crate) fn measured(spec: RunSpec) -> Vec<Row> {
    MEASUREMENTS.measured(spec)
}

pub(crate) fn rows(measurement: &str, tracks: Vec<Track>) -> Vec<Row> {
    MEASUREMENTS.rows(measurement, tracks)
}
