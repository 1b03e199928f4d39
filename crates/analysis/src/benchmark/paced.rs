//! Real-time steps, by how their threads get ready for them.

use plan::fact;
use serde::Serialize;

use super::entry::Entry;
use super::solvers::{TIRE, instructions_of};
use crate::capacity::is_real_time;
use crate::survey::{Series, System};

/// Real-time steps of one tire after one way to get ready.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Paced {
    /// The solver.
    pub solver: String,
    /// `f64` or `f32`.
    pub precision: String,
    /// Number of threads.
    pub threads: u64,
    /// Masses.
    pub masses: u64,
    /// `none`, `touch:TIME` or `spin:TIME`.
    pub warm_up: String,
    /// Median time of a step, in nanoseconds.
    pub step_ns: f64,
    /// How many times as long that is as a step back to back, where that was measured.
    pub times_back_to_back: Option<f64>,
    /// Share of the threads' time that getting ready took; 0 without.
    pub ready_share: f64,
}

/// One for each real-time tire, where threads of any get ready.
pub(super) fn of(system: &System, entries: &[Entry]) -> Vec<Paced> {
    let tires = system.of(TIRE).filter(|series| is_real_time(series));
    let paced: Vec<Paced> = tires.filter_map(|series| one(series, entries)).collect();
    match paced.iter().any(|paced| paced.ready_share > 0.0) {
        true => paced,
        false => Vec::new(),
    }
}

fn one(series: &Series, entries: &[Entry]) -> Option<Paced> {
    let word = |name| series.spec.parameters.word(name).to_owned();
    let step_ns = series.latency.as_ref()?.quantile_ns(0.5) as f64;
    let paced = Paced {
        solver: word("solver"),
        precision: word("precision"),
        threads: series.count(&fact::THREADS),
        masses: series.count(&fact::MASSES),
        warm_up: word("warm-up"),
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
    Some(Paced {
        times_back_to_back: back_to_back.map(|ns| step_ns / ns),
        ..paced
    })
}

fn ready_share(series: &Series) -> f64 {
    let [ready, wall, threads] =
        [fact::WARM_UP_NS, fact::WALL_NS, fact::THREADS].map(|fact| series.median(&fact));
    let share = || Some(ready? / (wall? * threads?));
    share().filter(|share| share.is_finite()).unwrap_or(0.0)
}
