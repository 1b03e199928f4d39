//! Statements about the findings of published studies.

use std::array;

use super::said::statements;
use crate::effect::FALSE_DISCOVERIES;
use crate::phrases::{maybe, some};
use crate::words::{counted, percent};

statements! { AboutStudies {
    StudiesJudged {
        findings: usize, holds: usize, reversed: usize, undecided: usize, not_measured: usize, not_testable: usize
    }
        "Answer", Plain = {
            let counts = [*holds, *reversed, *undecided, *not_measured, *not_testable];
            let [hold, _, undecided, not_measured, not_testable] = verdict_counts(counts);
            let (all, are) = (counted(*findings, "finding"), if *reversed == 1 { "is" } else { "are" });
            format!("Of {all}: {hold}, {reversed} {are} reversed, {undecided}, {not_measured}, {not_testable}.")
        };

    StudiesEvidence
        "Evidence": "False-discovery rate of the verdicts: {}; unit of analysis: the run.", percent(FALSE_DISCOVERIES);

    /// A published finding that is shown not to hold, and a known reason for it, which may be empty.
    StudyReversed { id: String, statement: String, reason: String }
        "Reversed": "{id}: {statement}.{}", maybe(some(reason.as_str()), |why| format!(" A known reason: {why}."));
}}

/// Returns how many findings hold, are reversed, are undecided, are not measured yet and are not
/// testable here.
pub fn verdict_counts(counts: [usize; 5]) -> [String; 5] {
    let hold = if counts[0] == 1 { "holds" } else { "hold" };
    let words = [hold, "reversed", "undecided", "not measured yet", "not testable here"];
    array::from_fn(|at| format!("{} {}", counts[at], words[at]))
}
