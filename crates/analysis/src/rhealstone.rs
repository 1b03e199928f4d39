//! The six times of Rhealstone side by side, and their composite.
//!
//! Kar, Porter: Rhealstone. A Real-Time Benchmarking Proposal. Dr. Dobb's Journal,
//! February 1989. A view of results: nothing is run for it.

use base::{CpuSet, Nanos};
use record::{Asked, fact};
use serde::Serialize;

use crate::lists::each_once;
use crate::survey::{Series, System, told_apart};
use crate::words;

/// Its name, the measurement whose first row it is, and its time in nanoseconds.
type Component = (&'static str, &'static str, fn(&Series) -> Option<f64>);

/// The reason for a missing time if no run measured the component.
pub const NOT_MEASURED: &str = "not measured";

pub const COMPONENTS: [Component; 6] = [
    ("Task switch", "task_switch", |s| s.average_ns()),
    ("Preemption", "preemption", |s| s.average_ns()),
    ("Interrupt latency", "interrupt", |s| s.average_ns()),
    ("Semaphore shuffle", "semaphore_shuffle", |s| s.average_ns()),
    ("Deadlock break", "deadlock_break", |s| s.mean(&fact::BREAK_NS)),
    ("Message transfer", "mailbox_transfer", |s| s.average_ns()),
];

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rhealstone {
    #[serde(skip)]
    pub system: String,
    /// Identifier of the machine: 16 hexadecimal digits, the same for equal fingerprints.
    pub machine_id: String,
    /// Policy, load and other conditions that distinguish this set from others, as text.
    pub conditions: String,
    /// The six components, in Rhealstone's order.
    pub components: Vec<Time>,
    /// Inverse of the mean of the six times, in Rhealstones per second; null if one of them was not
    /// measured.
    pub rhealstones_per_second: Option<f64>,
    /// Why there is no composite; null if there is one.
    pub without_composite: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Time {
    /// Name of the component.
    pub component: &'static str,
    /// Measurement that the time comes from.
    pub measurement: &'static str,
    /// Average time, in nanoseconds; null if it was not measured.
    pub average_ns: Option<f64>,
    /// Why there is no time; null if there is one.
    pub missing: Option<String>,
}

/// Sets of conditions with at least two components; a single one cannot be compared.
pub fn rhealstone_times(systems: &[System]) -> Vec<Rhealstone> {
    systems.iter().flat_map(of_system).collect()
}

fn of_system(system: &System) -> Vec<Rhealstone> {
    let measured = COMPONENTS.iter().flat_map(|(_, name, _)| system.of(name));
    let conditions = each_once(measured.map(|series| anywhere(&series.spec.asked)));
    let others: Vec<&Asked> = conditions.iter().collect();
    let sets = conditions.iter().map(|asked| {
        let mut words = vec![asked.policy.to_string()];
        words.extend(told_apart(asked, &others));
        (words.join(", "), asked)
    });
    sets.map(|(words, asked)| side_by_side(system, words, asked))
        .filter(|set| set.components.iter().flat_map(|c| c.average_ns).count() > 1)
        .collect()
}

/// Without conditions that differ between components by nature: where and how long.
fn anywhere(asked: &Asked) -> Asked {
    Asked { cpus: CpuSet::default(), duration: Nanos(0), ..asked.clone() }
}

fn side_by_side(system: &System, conditions: String, asked: &Asked) -> Rhealstone {
    let components: Vec<Time> =
        COMPONENTS.iter().map(|component| time(system, asked, component)).collect();
    let missing = |time: &Time| Some(format!("{}: {}", time.component, time.missing.as_ref()?));
    let missing: Vec<String> = components.iter().filter_map(missing).collect();
    let times: Vec<f64> = components.iter().filter_map(|c| c.average_ns).collect();
    let complete = missing.is_empty();
    Rhealstone {
        system: system.name.clone(),
        machine_id: system.machine_id.clone(),
        conditions,
        components,
        rhealstones_per_second: complete
            .then(|| 1e9 * times.len() as f64 / times.iter().sum::<f64>()),
        without_composite: (!complete).then(|| missing.join("; ")),
    }
}

fn time(system: &System, asked: &Asked, (component, measurement, of): &Component) -> Time {
    let headlines = || system.headlines(measurement).filter(|s| anywhere(&s.spec.asked) == *asked);
    let average_ns = headlines().find_map(of);
    let missing = || {
        let needs = headlines().find_map(Series::unavailable);
        needs.map_or_else(|| NOT_MEASURED.to_owned(), words::unavailable)
    };
    Time { component, measurement, average_ns, missing: average_ns.is_none().then(missing) }
}
