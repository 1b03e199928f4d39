//! Arguments of `steadfast map`, for the tests of its parts and of the driver.

use ::plan::{Outcome, RunSpec};

use super::*;
use crate::args::after;
use crate::driver::{self, Known, Plan, fake};

/// Parses what is typed after `steadfast map`.
pub(super) fn parse(line: &str) -> Result<MapArgs, clap::Error> {
    after(line)
}

/// Returns the plan of such a line, and the specifications by which its session is found.
pub(crate) fn asked(line: &str) -> (Box<dyn Plan>, Vec<RunSpec>) {
    let args = parse(line).unwrap();
    let question = Question::of(&args).unwrap();
    let rows = question.rows.clone();
    let standards = args.varied.kept.answer.standards();
    (Box::new(Mapping::of(question, &standards)), rows)
}

#[test]
fn a_cell_that_something_disturbed_is_tried_again_a_few_times() {
    let ended = |disturbed: usize| {
        let args = parse("--threads 1 --full-grid --to 1600 --resolution 400 --rate 1kHz").unwrap();
        let standards = args.varied.kept.answer.standards();
        let mut map = Mapping::of(Question::of(&args).unwrap(), &standards);
        let (mut known, mut outcomes) = (Known::default(), Vec::new());
        while let Some(due) = map.next(&known) {
            let mut outcome = fake::outcome(&due.spec, due.ordinal, 800);
            if due.ordinal < disturbed {
                outcome.warnings = vec![driver::disturbed()];
            }
            outcomes.push(outcome.clone());
            known.add(Some(due.ordinal), outcome);
        }
        (map.is_done(), map.own(outcomes))
    };
    let (is_done, own) = ended(3);
    assert!(is_done && own.len() == 4);
    assert!(own.iter().all(Outcome::is_valid));
    let (is_done, own) = ended(usize::MAX);
    assert!(!is_done && own.len() <= 4);
}
