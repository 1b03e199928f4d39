//! What size the step-time model predicts to hold, beside what was measured.

use super::{Model, Prediction};
use crate::capacity::{Grid, Threshold, alike, grids, solution};
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
    /// Where misses began, where that was measured.
    pub measured: Option<Threshold>,
}

impl Capacity {
    /// The largest size without a miss, below the first that missed.
    pub fn clean(&self) -> Option<u64> {
        Some(self.measured?.clean?.0)
    }

    /// The smallest size with a miss.
    pub fn missed(&self) -> Option<u64> {
        Some(self.measured?.missed?.0)
    }
}

/// The predictions of a model for its rate, one for each number of threads that it was
/// fitted to. A model that could not be fitted predicts nothing.
pub fn capacities(model: &Model, system: &System) -> Vec<Capacity> {
    let Ok(fit) = &model.fit else {
        return Vec::new();
    };
    let period_ns = model.spec.parameters.time("rate").0 as f64;
    let thresholds = measured(model, &grids(system));
    let mut threads: Vec<u64> = model.runs.iter().map(|run| run.threads).collect();
    threads.sort_unstable();
    threads.dedup();
    let step = |masses, threads| {
        let (work, switches) = model.undisturbed(masses, threads);
        fit.of(&work, switches)
    };
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
            measured: thresholds.iter().find(|t| t.threads == threads).copied(),
        }
    };
    threads.into_iter().map(of_threads).collect()
}

/// Where misses began on the runs of the model, or on those that were paced the same way.
fn measured(model: &Model, grids: &[Grid]) -> Vec<Threshold> {
    let word =
        |grid: &Grid, name| grid.spec.parameters.get(name) == model.spec.parameters.get(name);
    let same_tire = |grid: &&Grid| {
        solution(grid.spec) == solution(model.spec) && word(grid, "model") && word(grid, "rate")
    };
    let own = grids.iter().find(|grid| alike(grid.spec, model.spec));
    own.or_else(|| grids.iter().find(same_tire))
        .map_or_else(Vec::new, Grid::thresholds)
}

/// The largest number of masses that holds, where those below it hold too; `None` where
/// none does, or every one.
fn largest(holds: impl Fn(u64) -> bool) -> Option<u64> {
    let most = MOST_MASSES / QUARTERS;
    let holds = |quarter: u64| holds(quarter * QUARTERS);
    if !holds(1) || holds(most) {
        return None;
    }
    let (mut held, mut lost) = (1, most);
    while lost - held > 1 {
        let middle = u64::midpoint(held, lost);
        if holds(middle) {
            held = middle;
        } else {
            lost = middle;
        }
    }
    Some(held * QUARTERS)
}
