//! What is typed after `steadfast map`, for the tests of its parts and of the driver.

use ::plan::RunSpec;

use super::*;
use crate::args::after;
use crate::driver::Plan;

/// Reads what is typed after `steadfast map`.
pub(super) fn parse(line: &str) -> Result<MapArgs, clap::Error> {
    after(line)
}

/// What such a line asks for, and what its session is found by.
pub(crate) fn asked(line: &str) -> (Box<dyn Plan>, Vec<RunSpec>) {
    let args = parse(line).unwrap();
    let question = Question::of(&args).unwrap();
    let rows = question.rows.clone();
    let standards = args.varied.kept.answer.standards();
    (Box::new(Mapping::of(question, &standards)), rows)
}
