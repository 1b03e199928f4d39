//! Predictions of a model for its rate, compared with where misses began.

use std::rc::Rc;

use super::capacity::Capacity;
use super::fit::{Fit, Prediction};
use super::model::Model;
use crate::capacity::{Grid, Line, alike, solution};

/// Masses are a multiple of this.
const QUARTERS: u64 = 4;
const MOST_MASSES: u64 = 100_000_000;

/// Returns predictions for the model's rate, one for each number of threads.
pub(super) fn capacities(model: &Model, fit: &Fit, grids: &[Rc<Grid>]) -> Vec<Capacity> {
    let period_ns = model.spec.parameters.time("rate").0 as f64;
    let measured = measured(model, grids);
    let mut threads: Vec<u64> = model.runs.iter().map(|run| run.threads).collect();
    threads.sort_unstable();
    threads.dedup();
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
    let word =
        |grid: &Grid, name| grid.spec.parameters.get(name) == model.spec.parameters.get(name);
    let same_tire = |grid: &&Rc<Grid>| {
        solution(grid.spec) == solution(model.spec) && word(grid, "model") && word(grid, "rate")
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
