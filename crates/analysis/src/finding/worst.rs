//! The longest times of systems.

use serde::Serialize;

use crate::phrases::{joined, list, maybe, some};
use crate::words::{listed, time};

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
    pub ns: f64,
    pub period_ns: f64,
}

/// `a 20 µs (load x); b 3 ms (load y)`.
pub(super) fn worst_cases(worst: &[WorstCase]) -> String {
    let case = |worst_case: &WorstCase| {
        let range = if worst_case.least_ns < worst_case.ns {
            time(worst_case.least_ns) + " to "
        } else {
            String::new()
        };
        format!("{} {range}{} ({})", worst_case.system, time(worst_case.ns), worst_case.under)
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
            time(late_wakeup.ns),
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
