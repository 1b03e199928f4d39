//! `steadfast frontier`: the largest tire that holds its rate, in a given time.

pub(crate) mod args;
mod economy;
mod plan;
mod question;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use analysis::Analysis;
use anyhow::{Result, bail};
use store::Store;
use units::Nanos;

use self::plan::Hunt;
use self::question::Question;
use crate::args::FrontierArgs;
use crate::driver::{Here, Keeping, Work};
use crate::files::{make_directory, write_reports};
use crate::output::print;
use crate::ready::{places, results};

/// The shortest budget: pilots and a report take a few seconds.
const LEAST_BUDGET: Nanos = Nanos(5_000_000_000);
/// What is kept of a budget for the report, as a share and at least.
const FOR_THE_REPORT: (u32, Duration) = (20, Duration::from_secs(2));

/// Searches within the budget, stores every run, writes the report and gives the answer.
pub(crate) fn frontier(args: &FrontierArgs) -> Result<ExitCode> {
    let started = Instant::now();
    if args.budget < LEAST_BUDGET {
        bail!(
            "--budget: {} is too short; give {LEAST_BUDGET} or more",
            args.budget
        );
    }
    let question = Question::of(args)?;
    let standards = args.standards();
    make_directory(&args.out)?;
    args.checks.check(question.templates())?;
    let target = args.target.open()?;
    let store = Store::open(&results(&args.out))?;
    let machine = args.target.machine()?;
    let mut keeping = Keeping::of(store, "frontier", question.templates(), machine);
    let known =
        keeping.take_up(|done| format!("Going on from an unfinished search with {done} runs."))?;
    let time = time_for_runs(args.budget);
    let mut hunt = Hunt::new(question, time);
    let work = Work::kept(Some(keeping))
        .knowing(known)
        .until(started + time);
    let mut here = Here {
        target: &*target,
        place: Some(&args.target),
    };
    let ended = work.carry_out(&mut hunt, &mut here)?;
    let analysis = Analysis::of(&ended.outcomes, &standards);
    let written = write_reports(&args.out, &analysis);
    let search = economy::words(&hunt, &ended.outcomes);
    print(&report::frontier(&analysis, args.size, &search))?;
    written?;
    print(&places(&args.out))?;
    args.checks.write(&ended.outcomes, &standards)?;
    ended.exit_code(&args.checks.fail_if)
}

/// What of a budget runs may use.
fn time_for_runs(budget: Nanos) -> Duration {
    let budget = Duration::from(budget);
    let (share, least) = FOR_THE_REPORT;
    budget.saturating_sub((budget / share).max(least))
}

/// What such a line asks for, and what its session is found by.
#[cfg(test)]
pub(crate) fn asked(line: &str) -> (Box<dyn crate::driver::Plan>, Vec<::plan::RunSpec>) {
    let args = crate::args::parse_frontier(line).unwrap();
    let question = Question::of(&args).unwrap();
    let templates = question.templates().to_vec();
    (
        Box::new(Hunt::new(question, time_for_runs(args.budget))),
        templates,
    )
}
