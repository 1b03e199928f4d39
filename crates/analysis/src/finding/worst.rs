//! The longest times of systems.

use serde::Serialize;

use crate::phrases::{joined, list, maybe, some};
use crate::words::{listed, time, time_range};

/// The longest time of a system, and under what it came.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WorstCase {
    pub system: String,
    /// The longest of all draws.
    pub ns: f64,
    /// The worst case of the draw with the shortest one.
    pub least_ns: f64,
    pub under: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LateWakeup {
    pub load: String,
    /// The longest of all draws.
    pub ns: f64,
    /// The worst case of the draw with the shortest one.
    pub least_ns: f64,
    pub period_ns: f64,
}

/// `a 20 µs (load x); b 1 ms to 3 ms (load y)`.
pub(super) fn worst_cases(worst: &[WorstCase]) -> String {
    let case = |worst_case: &WorstCase| {
        let range = time_range([worst_case.least_ns, worst_case.ns]);
        format!("{} {range} ({})", worst_case.system, worst_case.under)
    };
    joined(worst.iter().map(case), "; ")
}

pub(super) fn late_wakeups(
    limit: &str,
    late: &[(String, Vec<LateWakeup>)],
    never: &[String],
) -> String {
    let load = |late_wakeup: &LateWakeup| {
        format!(
            "{} ({}, period {})",
            late_wakeup.load,
            time_range([late_wakeup.least_ns, late_wakeup.ns]),
            time(late_wakeup.period_ns)
        )
    };
    let system = |(name, loads): &(String, Vec<LateWakeup>)| {
        format!("{name} under {}", list(loads.iter().map(load)))
    };
    let late = maybe(some(joined(late.iter().map(system), "; ")), |late| {
        format!("real-time wake-ups above {limit}, at any period: {late}. ")
    });
    let never = maybe(some(listed(never)), |names| format!("None above {limit} seen: {names}."));
    (late + &never).trim_end().to_owned()
}
