//! Arguments of `steadfast frontier`, for the tests of its parts and of the driver.

use ::plan::RunSpec;

use super::*;
use crate::args::after;
use crate::driver::Plan;

/// Parses what is typed after `steadfast frontier`.
pub(crate) fn parse(line: &str) -> Result<FrontierArgs, clap::Error> {
    after(line)
}

/// Returns the plan of such a line, and the specifications by which its session is found.
pub(crate) fn asked(line: &str) -> (Box<dyn Plan>, Vec<RunSpec>) {
    let args = parse(line).unwrap();
    let question = Question::of(&args).unwrap();
    let templates = question.templates().to_vec();
    (Box::new(Hunt::new(question, time_for_runs(args.budget))), templates)
}
