//! A model of step times, what it was fitted to, and the size whose step takes a period as it
//! predicts, compared with where misses began.

use std::rc::Rc;

use plan::RunSpec;
use serde::{Serialize, Serializer};
use serde_json::json;
use stats::frontier::Edge;

use super::fit::{Fit, Prediction, Refusal};
use super::work::{Run, Way, Work};
use crate::capacity::{Grid, Line, alike, shared, solution};
use crate::lists::sorted;

/// Runs of a system that differ only in size and threads, and the model fitted to them.
#[derive(Debug, Serialize)]
pub struct Model<'a> {
    pub system: String,
    pub(super) machine_id: String,
    /// The specification of any of the runs.
    #[serde(flatten, serialize_with = "shared")]
    pub spec: &'a RunSpec,
    pub runs: Vec<Run>,
    #[serde(flatten, serialize_with = "told")]
    pub fit: Result<Fit, Refusal>,
    #[serde(rename = "last_cache_bytes")]
    pub cache_bytes: Option<u64>,
    /// Its predictions for its rate, one per number of threads; empty if it could not be fitted.
    pub capacities: Vec<Capacity>,
}

fn told<S: Serializer>(fit: &Result<Fit, Refusal>, serializer: S) -> Result<S::Ok, S::Error> {
    let (fit, refusal) = (fit.as_ref().ok(), fit.as_ref().err());
    json!({
        "refused": refusal,
        "coefficients": fit.map(Fit::coefficients),
        "typical_error": fit.map(|fit| fit.typical_error),
        "worst_error": fit.map(|fit| fit.worst_error),
    })
    .serialize(serializer)
}

impl Model<'_> {
    /// Without involuntary switches, on as many CPUs as runs with this number of threads had.
    pub(super) fn undisturbed(&self, size: u64, threads: u64) -> (Work, f64) {
        let same = self.runs.iter().filter(|run| run.threads == threads);
        let way = Way {
            spec: self.spec,
            cpus: same.map(|run| run.cpus).max().unwrap_or(threads),
            cache_bytes: self.cache_bytes,
        };
        (way.work(size, threads), 0.0)
    }
}

/// A prediction for one number of threads.
#[derive(Debug, Serialize)]
pub struct Capacity {
    pub threads: u64,
    pub period_ns: f64,
    /// The largest size whose mean step ends within the period; `None` if no size takes that long.
    #[serde(rename = "masses")]
    pub size: Option<u64>,
    /// From this size on, the step of a run may take longer than the period, at 95 % confidence.
    pub lower: Option<u64>,
    /// Above this size, it takes longer.
    pub upper: Option<u64>,
    #[serde(flatten, serialize_with = "parts")]
    pub step: Option<Prediction>,
    #[serde(flatten, serialize_with = "beside")]
    pub measured: Edge,
}

fn parts<S: Serializer>(step: &Option<Prediction>, serializer: S) -> Result<S::Ok, S::Error> {
    let limited_by = step.as_ref().and_then(|step| step.limit);
    let shares = step.as_ref().map(Prediction::shares);
    json!({ "limited_by": limited_by, "shares": shares }).serialize(serializer)
}

fn beside<S: Serializer>(measured: &Edge, serializer: S) -> Result<S::Ok, S::Error> {
    let (clean, first) = (measured.held, measured.missed);
    json!({ "measured_no_miss_up_to": clean, "measured_first_miss": first }).serialize(serializer)
}

/// Masses are a multiple of this.
const QUARTERS: u64 = 4;
const MOST_MASSES: u64 = 100_000_000;

/// Returns predictions for the model's rate, one for each number of threads.
pub(super) fn capacities(model: &Model, fit: &Fit, grids: &[Rc<Grid>]) -> Vec<Capacity> {
    let period_ns = model.spec.parameters.rate_period().0 as f64;
    let measured = measured(model, grids);
    let threads = sorted(model.runs.iter().map(|run| run.threads));
    let step = |size, threads| {
        let (work, switches) = model.undisturbed(size, threads);
        fit.of(&work, switches)
    };
    let of_line = |threads| measured?.lines.iter().find(|line| line.threads == threads);
    let of_threads = |threads: u64| {
        let fits =
            |of: fn(&Prediction) -> f64| largest(|size| of(&step(size, threads)) <= period_ns);
        let size = fits(|step| step.ns);
        Capacity {
            threads,
            period_ns,
            size,
            lower: fits(|step| step.ns + step.margin_ns),
            upper: fits(|step| step.ns - step.margin_ns),
            step: size.map(|size| step(size, threads)),
            measured: of_line(threads).map(Line::first_miss).unwrap_or_default(),
        }
    };
    threads.into_iter().map(of_threads).collect()
}

fn measured<'g, 'a>(model: &Model, grids: &'g [Rc<Grid<'a>>]) -> Option<&'g Grid<'a>> {
    let own = || grids.iter().filter(|grid| grid.system == model.system);
    let same_tire = |grid: &&Rc<Grid>| {
        let parameters = [&grid.spec.parameters, &model.spec.parameters];
        let is_same = |name| parameters[0].get(name) == parameters[1].get(name);
        solution(grid.spec) == solution(model.spec) && is_same("model") && is_same("rate")
    };
    let same_runs = own().find(|grid| alike(grid.spec, model.spec));
    same_runs.or_else(|| own().find(same_tire)).map(Rc::as_ref)
}

/// The largest fitting number of masses if all below fit too; `None` if none fits, or all.
fn largest(fits: impl Fn(u64) -> bool) -> Option<u64> {
    let most = MOST_MASSES / QUARTERS;
    let fits = |quarter: u64| fits(quarter * QUARTERS);
    if !fits(1) || fits(most) {
        return None;
    }
    let (mut fitting, mut too_large) = (1, most);
    while too_large - fitting > 1 {
        let middle = u64::midpoint(fitting, too_large);
        if fits(middle) {
            fitting = middle;
        } else {
            too_large = middle;
        }
    }
    Some(fitting * QUARTERS)
}
