//! INVALID runs.

use record::Outcome;

use crate::finding::{AboutDeadlines, Finding};
use crate::survey::invalidating;

/// Reports how many runs are INVALID and why the first is; `None` if none is.
pub fn finding(outcomes: &[&Outcome]) -> Option<Finding> {
    let first = outcomes.iter().find_map(|outcome| invalidating(outcome))?;
    Some(Finding::Deadlines(AboutDeadlines::InvalidRuns {
        invalid: outcomes.iter().filter(|outcome| !outcome.is_valid()).count(),
        runs: outcomes.len(),
        cause: Some([first.cause(), first.remedy()]),
    }))
}

pub fn nothing(outcomes: &[&Outcome]) -> Finding {
    let is_any = !outcomes.is_empty();
    Finding::Deadlines(if is_any { AboutDeadlines::NoValidRun } else { AboutDeadlines::NoRun })
}
