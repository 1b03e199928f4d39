//! `steadfast map`: maps which sizes of the tire, or which settings of a user's own model, meet
//! every deadline on which numbers of threads.

pub(crate) mod args;
mod plan;
mod pretest;
mod question;
mod refine;
mod sizes;
#[cfg(test)]
pub(crate) mod tests;

use std::process::ExitCode;

use ::plan::Axis;
use analysis::finding::Finding;
use anyhow::Result;

pub(crate) use self::sizes::Spacing;

use self::args::MapArgs;
use self::plan::Mapping;
use self::question::Question;
use self::refine::Refinement;
use crate::driver::{Ended, Here, Work};

/// Tries the sizes, stores every run, writes the report and prints the map.
pub(crate) fn map(args: &MapArgs) -> Result<ExitCode> {
    let standards = args.varied.kept.answer.standards();
    let question = Question::of(args)?;
    let (kept, place) = (&args.varied.kept, &args.varied.place.target);
    let mut keeping = kept.session("map", &question.rows, place.machine()?)?;
    let known = keeping.take_up_all()?;
    let target = place.open()?;
    let mut mapping = Mapping::of(question, &standards);
    let work = Work::kept(Some(keeping)).knowing(known);
    let mut here = Here { target: &*target, place: Some(place) };
    let ended = work.carry_out(&mut mapping, &mut here)?;
    let ended = Ended { outcomes: mapping.own(ended.outcomes), ..ended };
    let search = findings(mapping.axis(), &ended, mapping.refinement());
    kept.give(ended, &standards, &report::map(search), "")
}

/// What the map took.
fn findings(axis: &Axis, ended: &Ended, map: Option<&Refinement>) -> Vec<Finding> {
    let durations = ended.outcomes.iter().map(|outcome| outcome.header.spec.asked.duration.0);
    let runs = ended.outcomes.len() as u64;
    let effort = Finding::SearchEffort { runs, measured_ns: durations.sum() };
    let grid = map.map_or(Finding::Resumable, |map| {
        let places = map.grid() as u64;
        Finding::FullGrid { axis: axis.clone(), places, of_papers: None }
    });
    vec![effort, grid]
}
