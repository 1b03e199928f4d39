//! Runs of models.

use bench::Measurement;
use bench::made_run::Named;
use record::{Row, RunSpec};

const MEASUREMENTS: Named = Named(find);

pub(crate) fn find(name: &str) -> Option<&'static dyn Measurement> {
    const MODELS: [&dyn Measurement; 4] = [&crate::Tire, &crate::Own, &crate::Mix, &crate::Wait];
    MODELS.into_iter().find(|model| model.name() == name)
}

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
