//! The verdict, by fixed rules: what the machine holds, what limits it, what to change first, and
//! the validity of these results.

mod frames;
mod holds;
mod limits;
mod platform;
mod reach;

use std::rc::Rc;

use doctor::Diagnosis;
use record::Outcome;
use serde::Serialize;

use crate::capacity::Grid;
use crate::finding::{AboutDeadlines, Finding, OnMachine};
use crate::frontier::{self, Frontier};
use crate::standards::{Limits, Standards, Strictness};
use crate::survey::{System, measurements};
use crate::{clock, samples};
pub use limits::{Change, How};

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Verdict {
    /// Number of runs.
    pub runs: usize,
    /// Number of INVALID runs; no finding uses their figures.
    pub invalid: usize,
    /// Findings on equal lab setups whose samples differ; their results are not reliable.
    pub errors: Vec<Finding>,
    /// Which machines count instructions and which measure time, so that their figures are not
    /// comparable; null if their clocks do not differ.
    pub clocks_differ: Option<Finding>,
    /// How the lab counts time; null if no run is from the lab.
    pub clock: Option<Finding>,
    /// Findings on what the machine holds, such as deadlines, model sizes and latencies.
    pub holds: Vec<Finding>,
    /// Findings on the time that the platform (hypervisor and firmware) takes, whatever the kernel
    /// does.
    pub platform: Vec<Finding>,
    /// Findings on what limits the machine, the most urgent first.
    pub limits: Vec<Finding>,
    /// The first change to make: the first of `Fix first` in the answer about deadlines, or else
    /// the change for the first of `limits`; null if there is neither.
    pub first: Option<Change>,
    /// Findings on what was measured and what the results can and cannot show.
    pub notes: Vec<Finding>,
}

/// From the advice and the tried sizes of each system; the limits define what is held.
pub fn verdict_on<'d>(
    systems: &[System],
    advice: impl Iterator<Item = &'d Diagnosis>,
    grids: &[Rc<Grid>],
    judged_by: &Limits,
) -> Verdict {
    let hard =
        Standards { strictness: Strictness::Hard, limits: *judged_by, ..Standards::default() };
    let frontiers = frontier::grid_frontiers(grids.iter().cloned(), &hard);
    let several = systems.len() > 1;
    let named = |system: &System, found: Vec<Finding>| -> Vec<Finding> {
        let machine = |finding| {
            let (machine, finding) = (system.name.clone(), Box::new(finding));
            Finding::OnMachine(OnMachine { machine, finding })
        };
        if several { found.into_iter().map(machine).collect() } else { found }
    };
    let outcomes = systems.iter().flat_map(|system| &system.outcomes);
    let mut verdict = Verdict {
        runs: systems.iter().map(|s| s.outcomes.len()).sum(),
        invalid: systems.iter().flat_map(System::invalid).count(),
        errors: samples::conflicts(outcomes.copied()),
        clocks_differ: clock::differ(systems),
        clock: clock::of_lab(systems),
        ..Verdict::default()
    };
    for (system, advice) in systems.iter().zip(advice) {
        let (limits, first) = limits::limits_and_change(system, advice);
        let of_system = |frontier: &&Frontier| frontier.grid.system == system.name;
        let of_system: Vec<&Frontier> = frontiers.iter().filter(of_system).collect();
        verdict.holds.extend(named(system, holds::what_holds(system, &of_system, judged_by)));
        verdict.platform.extend(named(system, platform::what_the_platform_takes(system)));
        verdict.limits.extend(named(system, limits));
        verdict.first = verdict.first.or(first);
        verdict.notes.extend(named(system, reach::notes_on_reach(system, &of_system, judged_by)));
    }
    if verdict.holds.is_empty() {
        verdict.holds.push(nothing_known(systems));
    }
    verdict.notes.extend(reach::always(verdict.runs));
    verdict
}

fn nothing_known(systems: &[System]) -> Finding {
    let valid: Vec<&Outcome> = systems.iter().flat_map(System::valid).collect();
    let runs: usize = systems.iter().map(|system| system.outcomes.len()).sum();
    Finding::Deadlines(match (runs, valid.as_slice()) {
        (0, _) if systems.iter().any(|system| !system.disturbed.is_empty()) => {
            AboutDeadlines::OnlySelfTests
        }
        (0, _) => AboutDeadlines::NoRun,
        (_, []) => AboutDeadlines::NoValidRun,
        (_, valid) => AboutDeadlines::OnlyInTables {
            measurements: measurements(valid).into_iter().map(str::to_owned).collect(),
        },
    })
}
