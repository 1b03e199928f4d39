//! Functions of measurements that do something in every period.

use base::Nanos;
use record::RunSpec;

use crate::measurement::LEAST_TIME;
use crate::pace::{Overrun, Pace};

/// Returns the minimum time: enough periods that a 99 % quantile means something.
pub fn least_time(period: Nanos) -> Nanos {
    Nanos(period.0.saturating_mul(100)).max(LEAST_TIME)
}

/// Refuses a `--period` below the minimum, and a run that is shorter than one period.
///
/// # Errors
/// Names the option and the minimum.
pub fn check(spec: &RunSpec, shortest: Nanos) -> Result<(), String> {
    let period = spec.parameters.period();
    if period < shortest {
        return Err(format!("--period: {period} is too short; use at least {shortest}"));
    }
    if spec.asked.duration < period {
        let time = spec.asked.duration;
        return Err(format!("--seconds: {time} is shorter than one period of {period}"));
    }
    Ok(())
}

/// Returns the pace of something that skips the periods that it misses.
pub fn pace(spec: &RunSpec) -> Pace {
    let period = spec.parameters.period().into();
    Pace { period, periods: due(spec), overrun: Overrun::Skip }
}

/// Returns how many periods are due; also called before `check` has ensured that there is one.
pub fn due(spec: &RunSpec) -> u64 {
    spec.asked.duration.0 / spec.parameters.period().0.max(1)
}
