//! `steadfast map`: which sizes of the tire, or what else of a person's own model, meet every
//! deadline, on which numbers of threads.

pub(crate) mod args;
mod plan;
mod pretest;
mod question;
mod refine;
mod sizes;
#[cfg(test)]
pub(crate) mod tests;

use std::process::ExitCode;

use analysis::Analysis;
use analysis::answer::Answer;
use analysis::words::grouped;
use anyhow::Result;

pub(crate) use self::sizes::Spacing;

use self::args::MapArgs;
use self::plan::Mapping;
use self::question::Question;
use self::refine::Refinement;
use crate::args::Telling;
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
    let told = Mapped { cost: summary(&ended, mapping.refinement()) };
    kept.give(ended, &standards, &told, "")
}

/// What was drawn.
struct Mapped {
    cost: String,
}

impl Telling for Mapped {
    fn answer(&self, analysis: &Analysis) -> Answer {
        analysis::map::glance(&analysis.systems, &analysis.maps)
    }

    fn details(&self, analysis: &Analysis) -> String {
        report::map(analysis) + &self.cost
    }
}

/// What it took.
fn summary(ended: &Ended, map: Option<&Refinement>) -> String {
    let runs = grouped(ended.outcomes.len() as u64);
    match map {
        Some(map) => format!(
            "\n{runs} runs in all; a full grid at this resolution up to the largest \
             size has {}.\n",
            grouped(map.grid() as u64)
        ),
        None => format!("\n{runs} runs are kept; the same command goes on from here.\n"),
    }
}
