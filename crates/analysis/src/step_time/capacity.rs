//! The size whose step takes a period, as the step-time model predicts, beside where misses began.

use stats::frontier::Edge;

use super::{Model, Prediction};
use crate::capacity::{Grid, Line, alike, grids, solution};
use crate::survey::System;

/// Masses are a multiple of this.
const QUARTERS: u64 = 4;
/// No tire is larger.
const MOST_MASSES: u64 = 100_000_000;

/// A prediction for one number of threads.
pub struct Capacity {
    /// Number of threads.
    pub threads: u64,
    /// The period of a step, in nanoseconds.
    pub period_ns: f64,
    /// The largest size whose mean step ends within the period; `None` where no size
    /// takes so long.
    pub masses: Option<u64>,
    /// From this size on the step of a run may take longer, at 95 % confidence.
    pub lower: Option<u64>,
    /// Above this size it does.
    pub upper: Option<u64>,
    /// The step of that size.
    pub step: Option<Prediction>,
    /// The largest size without a miss and the smallest with one, where these were measured.
    pub measured: Edge,
}

/// The predictions of a model for its rate, one for each number of threads that it was
/// fitted to. A model that could not be fitted predicts nothing.
pub fn capacities(model: &Model, system: &System) -> Vec<Capacity> {
    let Ok(fit) = &model.fit else {
        return Vec::new();
    };
    let period_ns = model.spec.parameters.time("rate").0 as f64;
    let grids = grids(system);
    let measured = measured(model, &grids);
    let mut threads: Vec<u64> = model.runs.iter().map(|run| run.threads).collect();
    threads.sort_unstable();
    threads.dedup();
    let step = |masses, threads| {
        let (work, switches) = model.undisturbed(masses, threads);
        fit.of(&work, switches)
    };
    let of_line = |threads| measured?.lines.iter().find(|line| line.threads == threads);
    let of_threads = |threads: u64| {
        let fits =
            |of: fn(&Prediction) -> f64| largest(|masses| of(&step(masses, threads)) <= period_ns);
        let masses = fits(|step| step.ns);
        Capacity {
            threads,
            period_ns,
            masses,
            lower: fits(|step| step.ns + step.margin_ns),
            upper: fits(|step| step.ns - step.margin_ns),
            step: masses.map(|masses| step(masses, threads)),
            measured: of_line(threads).map(Line::first_miss).unwrap_or_default(),
        }
    };
    threads.into_iter().map(of_threads).collect()
}

/// The runs of the model, or those that were paced the same way.
fn measured<'g, 'a>(model: &Model, grids: &'g [Grid<'a>]) -> Option<&'g Grid<'a>> {
    let word =
        |grid: &Grid, name| grid.spec.parameters.get(name) == model.spec.parameters.get(name);
    let same_tire = |grid: &&Grid| {
        solution(grid.spec) == solution(model.spec) && word(grid, "model") && word(grid, "rate")
    };
    let own = grids.iter().find(|grid| alike(grid.spec, model.spec));
    own.or_else(|| grids.iter().find(same_tire))
}

/// The largest number of masses that fits, where those below it fit too; `None` where
/// none does, or every one.
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
