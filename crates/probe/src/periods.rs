//! Measurements that do something at every period.

use plan::RunSpec;
use units::Nanos;

use crate::measurement::LEAST_TIME;

/// Time for so many periods that a 99 % quantile means something.
pub(crate) fn least_time(period: Nanos) -> Nanos {
    Nanos(period.0.saturating_mul(100)).max(LEAST_TIME)
}

/// Refuses a `--period` below the shortest that makes sense, and a run that is
/// shorter than one period.
///
/// # Errors
/// Names the flag.
pub(crate) fn check(spec: &RunSpec, shortest: Nanos) -> Result<(), String> {
    let period = spec.parameters.time("period");
    if period < shortest {
        return Err(format!("--period: {period} is too short; at least {shortest}"));
    }
    if spec.asked.duration < period {
        return Err(format!(
            "--seconds: {} is shorter than one period of {period}",
            spec.asked.duration
        ));
    }
    Ok(())
}

/// How many periods are due; `check` has found at least one. It is also asked before that.
pub(crate) fn due(spec: &RunSpec) -> u64 {
    spec.asked.duration.0 / spec.parameters.time("period").0.max(1)
}
