//! `steadfast map`: which sizes of the tire meet every deadline, on which numbers of threads.

pub(crate) mod args;
mod plan;
mod pretest;
mod question;
mod refine;
mod sizes;

use std::process::ExitCode;

use analysis::Analysis;
use analysis::words::grouped;
use anyhow::Result;
use store::Store;

pub(crate) use self::sizes::Spacing;

use self::plan::Mapping;
use self::question::Question;
use self::refine::Refinement;
use crate::args::MapArgs;
use crate::driver::{Ended, Here, Keeping, Work};
use crate::files::{make_directory, write_reports};
use crate::output::print;
use crate::ready::{places, results};

/// Tries the sizes, stores every run, writes the report and prints the map.
pub(crate) fn map(args: &MapArgs) -> Result<ExitCode> {
    let standards = args.limits.standards(&args.checks);
    let question = Question::of(args)?;
    make_directory(&args.out)?;
    args.checks.check(&question.rows)?;
    let store = Store::open(&results(&args.out))?;
    let mut keeping = Keeping::of(store, "map", &question.rows, args.target.machine()?);
    let known = keeping.take_up_all()?;
    let target = args.target.open()?;
    let mut mapping = Mapping::of(question, &standards);
    let work = Work::kept(Some(keeping)).knowing(known);
    let mut here = Here {
        target: &*target,
        place: Some(&args.target),
    };
    let ended = work.carry_out(&mut mapping, &mut here)?;
    let ended = Ended {
        outcomes: mapping.own(ended.outcomes),
        ..ended
    };
    let analysis = Analysis::of(&ended.outcomes, &standards);
    let written = write_reports(&args.out, &analysis);
    print(&report::map(&analysis))?;
    written?;
    print(&summary(&ended, mapping.refinement()))?;
    print(&places(&args.out))?;
    args.checks.write(&ended.outcomes, &standards)?;
    ended.exit_code(&args.checks.fail_if)
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

/// What such a line asks for, and what its session is found by.
#[cfg(test)]
pub(crate) fn asked(line: &str) -> (Box<dyn crate::driver::Plan>, Vec<::plan::RunSpec>) {
    let args = crate::args::parse_map(line).unwrap();
    let question = Question::of(&args).unwrap();
    let rows = question.rows.clone();
    let standards = args.limits.standards(&args.checks);
    (Box::new(Mapping::of(question, &standards)), rows)
}
