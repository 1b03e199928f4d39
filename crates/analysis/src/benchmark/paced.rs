//! Real-time steps, by how their threads get ready for them.

use record::{NOWHERE, RunSpec, fact};
use serde::Serialize;

use super::entry::{Entry, instructions_of};
use crate::capacity::is_real_time;
use crate::survey::{Series, of_no_duration};

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Paced {
    /// Name of the solver.
    pub solver: String,
    /// Floating-point precision: `f64` or `f32`.
    pub precision: String,
    /// Number of threads.
    pub threads: u64,
    /// Number of masses in the ring.
    pub masses: u64,
    /// Warm-up of the threads before a step: `none`, `touch:TIME` or `spin:TIME`.
    pub warm_up: String,
    /// Median time from the due time of a step to its end, in nanoseconds.
    pub step_ns: f64,
    /// `step_ns` divided by the time of a step that runs back to back with others; null if that was
    /// not measured.
    pub times_back_to_back: Option<f64>,
    /// Share of the threads' time that the warm-up took, 0 to 1.
    pub ready_share: f64,
}

/// Real-time series whose threads warm up, and equal ones without a warm-up.
pub(super) fn series<'s, 'a: 's>(
    tires: impl Iterator<Item = &'s Series<'a>>,
) -> Vec<&'s Series<'a>> {
    let mut paced: Vec<&Series> = tires.filter(|series| is_real_time(series)).collect();
    let ready = paced.iter().filter(|series| ready_share(series) > 0.0);
    let ready: Vec<RunSpec> = ready.map(|series| without_warm_up(series.spec)).collect();
    paced.retain(|series| !ready.is_empty() && ready.contains(&without_warm_up(series.spec)));
    paced
}

fn without_warm_up(spec: &RunSpec) -> RunSpec {
    let mut spec = of_no_duration(spec);
    spec.parameters.set_warm_up(NOWHERE.to_owned());
    spec
}

pub(super) fn cost_of_sleep(series: &Series, entries: &[Entry]) -> Option<Paced> {
    let parameters = &series.spec.parameters;
    let step_ns = series.latency.as_ref()?.quantile_ns(0.5) as f64;
    let paced = Paced {
        solver: parameters.solver().to_owned(),
        precision: parameters.precision().to_owned(),
        threads: series.count(&fact::THREADS),
        masses: series.count(&fact::MASSES),
        warm_up: parameters.warm_up().to_owned(),
        step_ns,
        times_back_to_back: None,
        ready_share: ready_share(series),
    };
    let instructions = instructions_of(series);
    let alike = entries.iter().find(|entry| {
        (&entry.solver, &entry.precision) == (&paced.solver, &paced.precision)
            && (entry.threads, entry.masses) == (paced.threads, paced.masses)
            && entry.instructions == instructions
    });
    let back_to_back = alike.map(|entry| entry.masses as f64 / entry.rate_per_s * 1e9);
    Some(Paced { times_back_to_back: back_to_back.map(|ns| step_ns / ns), ..paced })
}

fn ready_share(series: &Series) -> f64 {
    let ready_ns: f64 = series.facts(&fact::WARM_UP_NS).filter_map(serde_json::Value::as_f64).sum();
    let period = series.spec.parameters.rate_period().0 as f64;
    let paced_ns = series.due() as f64 * series.count(&fact::THREADS) as f64 * period;
    Some(ready_ns / paced_ns).filter(|share| share.is_normal()).unwrap_or(0.0)
}
