//! A model of step times, what it was fitted to, and the size whose step takes a period as it
//! predicts, compared with where misses began.

use std::rc::Rc;

use record::RunSpec;
use serde::{Serialize, Serializer};
use stats::frontier::Edge;

use super::fit::{Fit, FittedTerm, Prediction, Refusal, Shares};
use super::work::{Run, Way, Work};
#[cfg(feature = "schema")]
use crate::capacity::SharedSpec;
use crate::capacity::{Grid, Line, alike, shared, solution};
use crate::lists::sorted;

/// Runs of a system that differ only in size and threads, and the model fitted to them.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Model<'a> {
    /// Name of the machine.
    pub system: String,
    /// Identifier of the machine: 16 hexadecimal digits, the same for equal fingerprints.
    pub(super) machine_id: String,
    /// The specification of any of the runs.
    #[serde(flatten, serialize_with = "shared")]
    #[cfg_attr(feature = "schema", schemars(with = "SharedSpec"))]
    pub spec: &'a RunSpec,
    /// Runs to which the model is fitted.
    pub runs: Vec<Run>,
    #[serde(flatten, serialize_with = "fitted")]
    #[cfg_attr(feature = "schema", schemars(with = "Fitted"))]
    pub fit: Result<Fit, Refusal>,
    /// Size of the last-level cache, in bytes; null if the machine does not report it.
    #[serde(rename = "last_cache_bytes")]
    pub cache_bytes: Option<u64>,
    /// Predicted sizes, one entry for each number of threads; empty if the model was refused.
    pub capacities: Vec<Capacity>,
}

/// The model that was fitted, or why none was.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Fitted {
    /// Reason why no model could be fitted; null if there is a model.
    refused: Option<Refusal>,
    /// Cost of each part of a step, without parts that occur in fewer than three runs; null if the
    /// model was refused.
    coefficients: Option<Vec<FittedTerm>>,
    /// Typical error of a predicted mean step, as a share of the measured one; null if the model
    /// was refused.
    typical_error: Option<f64>,
    /// Largest error of a predicted mean step, as a share of the measured one; null if the model
    /// was refused.
    worst_error: Option<f64>,
}

fn fitted<S: Serializer>(fit: &Result<Fit, Refusal>, serializer: S) -> Result<S::Ok, S::Error> {
    let (fit, refusal) = (fit.as_ref().ok(), fit.as_ref().err());
    let fitted = Fitted {
        refused: refusal.copied(),
        coefficients: fit.map(Fit::coefficients),
        typical_error: fit.map(|fit| fit.typical_error),
        worst_error: fit.map(|fit| fit.worst_error),
    };
    fitted.serialize(serializer)
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Capacity {
    /// Number of threads.
    pub threads: u64,
    /// Period, the longest time that a step may take, in nanoseconds.
    pub period_ns: f64,
    /// Predicted size, in masses, whose mean step takes the whole period; null if there is none.
    #[serde(rename = "masses")]
    pub size: Option<u64>,
    /// Size above which the mean step of a run may exceed the period, at 95 % confidence; null if
    /// there is none.
    pub lower: Option<u64>,
    /// Size above which the mean step of a run exceeds the period, at 95 % confidence; null if
    /// there is none.
    pub upper: Option<u64>,
    #[serde(flatten, serialize_with = "parts")]
    #[cfg_attr(feature = "schema", schemars(with = "Parts"))]
    pub step: Option<Prediction>,
    #[serde(flatten, serialize_with = "edge")]
    #[cfg_attr(feature = "schema", schemars(with = "MeasuredEdge"))]
    pub measured: Edge,
}

/// What a predicted step consists of.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Parts {
    /// Largest part of the step of size `masses`; null if there is no such size or if the runs do
    /// not show that this part costs anything.
    limited_by: Option<&'static str>,
    /// Share of each part in the step of size `masses`, 0 to 1; null if there is no such size.
    shares: Option<Shares>,
}

fn parts<S: Serializer>(step: &Option<Prediction>, serializer: S) -> Result<S::Ok, S::Error> {
    let limited_by = step.as_ref().and_then(|step| step.limit);
    Parts { limited_by, shares: step.as_ref().map(Prediction::shares) }.serialize(serializer)
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct MeasuredEdge {
    /// Largest size measured without a miss, with no miss at a smaller size; null if there is none.
    measured_no_miss_up_to: Option<u64>,
    /// Smallest size measured with a miss; null if there is none.
    measured_first_miss: Option<u64>,
}

fn edge<S: Serializer>(measured: &Edge, serializer: S) -> Result<S::Ok, S::Error> {
    let (measured_no_miss_up_to, measured_first_miss) = (measured.held, measured.missed);
    MeasuredEdge { measured_no_miss_up_to, measured_first_miss }.serialize(serializer)
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
    let of_system = || grids.iter().filter(|grid| grid.system == model.system);
    let same_tire = |grid: &&Rc<Grid>| {
        let parameters = [&grid.spec.parameters, &model.spec.parameters];
        let is_same = |name| parameters[0].get(name) == parameters[1].get(name);
        solution(grid.spec) == solution(model.spec) && is_same("model") && is_same("rate")
    };
    let same_runs = of_system().find(|grid| alike(grid.spec, model.spec));
    same_runs.or_else(|| of_system().find(same_tire)).map(Rc::as_ref)
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
