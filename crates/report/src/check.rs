//! The result of a deadline check.

use analysis::Analysis;
use analysis::check::{CheckResult, Checked};
use analysis::phrases::share_of;
use analysis::words::time;
use record::Heading;
use serde::Serialize;

use crate::answer::{Answer, effort, subject};
use crate::general::GeneralView;
use crate::render::formats::{CHECK, Case, NotJudged, Status};
use crate::view::{Telling, View, worded};

/// Output of `steadfast check --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckReport<'c> {
    #[serde(flatten)]
    heading: Heading,
    #[serde(flatten)]
    checked: &'c Checked,
    /// The short answer, as a terminal shows it without `--verbose`.
    pub answer: Answer,
}

impl Telling for CheckReport<'_> {
    fn answer(&self, _: &Analysis) -> Answer {
        self.answer.clone()
    }

    fn details(&self, analysis: &Analysis) -> String {
        crate::terminal(analysis)
    }
}

impl CheckReport<'_> {
    /// Returns the check itself as a test case.
    pub fn case(&self, name: String) -> Case {
        let why = vec![self.answer.verdict.clone()];
        let status = match self.checked.result {
            CheckResult::Pass => Status::Passed,
            CheckResult::Fail => Status::Failed("check", why.clone()),
            CheckResult::NotShownYet => Status::NotJudged(NotJudged::NotShownYet, why.clone()),
            CheckResult::Invalid => Status::NotJudged(NotJudged::Invalid, why.clone()),
        };
        Case { output: why, ..Case::of(name, CHECK, status) }
    }
}

pub fn check<'c>(checked: &'c Checked, analysis: &Analysis) -> CheckReport<'c> {
    let mut lines = GeneralView.figures(analysis);
    if let (Some(limit), Some(line)) = (checked.limit_ns(), lines.first_mut()) {
        // "Missed" has one meaning; events that break another limit are late.
        let late = share_of(checked.broken(), checked.due);
        line.figures[0] = format!("over {}: {late}", time(limit as f64));
        line.figures.retain(|figure| !figure.starts_with('('));
    }
    let (subject, effort) = (subject(&analysis.systems), effort(analysis.outcomes.iter().copied()));
    let answer = worded(subject, effort, &checked.findings(analysis), lines);
    CheckReport { heading: analysis.heading.clone(), checked, answer }
}
