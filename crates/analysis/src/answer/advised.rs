//! Why it is so, and what to do first, on the machine that a verdict is about.

use blame::{Cause, Summary};
use doctor::{Diagnosis, Finding, State};
use plan::Warning;

use super::deadlines::Case;
use super::parts::{Remark, Standing};
use super::subject::Named;
use super::to_keep_off::to_keep_off;
use crate::causes::summaries;
use crate::{advice, words};

/// The name of the remark that tells what to change first.
pub const FIRST: &str = "Do first";
/// Changes that a person makes before they measure again.
const FIRST_CHANGES: usize = 3;
/// Letters of all of them together: two lines beside their name on the narrowest usual terminal.
const GLANCE: usize = 130;
/// Main causes that are told.
const TOLD: usize = 2;

/// What explains a verdict on a machine, and what is advised there.
pub(super) struct Advised<'s, 'a> {
    machine: &'s Named<'s, 'a>,
    advice: &'s Diagnosis,
    /// What was late in runs that looked for causes.
    blamed: Vec<Summary>,
}

impl<'s, 'a> Advised<'s, 'a> {
    /// Of the machine of a case.
    pub(super) fn of(
        machines: &'s [Named<'s, 'a>],
        advice: &[&'s Diagnosis],
        case: &Case,
    ) -> Option<Self> {
        let mut all = machines.iter().zip(advice);
        let (machine, advice) = all.find(|(machine, _)| machine.name == case.machine)?;
        let blamed = machine.system.series.iter().flat_map(summaries);
        Some(Self { machine, advice, blamed: blamed.filter(|summary| summary.late > 0).collect() })
    }

    /// The main causes of what was late, where a run looked for them; else what was counted that
    /// the doctor warns of. Nothing where nothing is wrong.
    pub(super) fn why(&self, standing: Standing) -> Option<Remark> {
        let why = match (standing, self.counted()) {
            _ if !self.blamed.is_empty() => self.main_causes(),
            (Standing::Bad | Standing::Open, Some(found)) => {
                format!("probably{}: {}", self.machine.place(), found.found)
            }
            (Standing::Bad, None) => {
                "no cause was counted; the same with --blame looks for one".to_owned()
            }
            _ => return None,
        };
        Some(Remark::new("Why", why))
    }

    /// What the doctor warns of, the weightiest first.
    fn warnings(&self) -> impl Iterator<Item = &'s Finding> {
        let findings = self.advice.findings.iter();
        findings.filter(|one| one.state == State::Warning)
    }

    /// The first that rests on something that runs counted, and is not told already as what made
    /// them INVALID.
    fn counted(&self) -> Option<&'s Finding> {
        let counted = advice::counted(self.machine.system);
        let refused: Vec<String> = self.invalidating().map(Warning::cause).collect();
        let is_told = |found: &str| refused.iter().any(|cause| found.starts_with(cause));
        let mut warnings = self.warnings();
        warnings.find(|one| counted.contains(&one.name) && !is_told(&one.found))
    }

    fn invalidating(&self) -> impl Iterator<Item = &'a Warning> + use<'s, 'a> {
        let warnings = self.machine.system.outcomes.iter();
        let warnings = warnings.flat_map(|outcome| &outcome.warnings);
        warnings.filter(|warning| warning.invalidates())
    }

    /// Causes with how many late things each is the main one of, the most first.
    fn causes(&self) -> Vec<(&Cause, u64)> {
        let mut causes: Vec<(&Cause, u64)> = Vec::new();
        for total in self.blamed.iter().flat_map(|summary| &summary.causes) {
            match causes.iter_mut().find(|(cause, _)| **cause == total.cause) {
                Some((_, count)) => *count += total.main_of,
                None => causes.push((&total.cause, total.main_of)),
            }
        }
        causes.retain(|(_, count)| *count > 0);
        causes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        causes
    }

    /// `of 12 late, 10 by task `hog` (fifo:90)`.
    fn main_causes(&self) -> String {
        let late: u64 = self.blamed.iter().map(|summary| summary.late).sum();
        let late = words::grouped(late);
        let causes = self.causes();
        let told = causes.iter().take(TOLD);
        let told =
            told.map(|(cause, count)| format!("{} by {}", words::grouped(*count), cause.words()));
        match told.collect::<Vec<String>>().as_slice() {
            [] => format!("{late} late; no cause seen"),
            told => format!("of {late} late, {}", told.join(", ")),
        }
    }

    /// What to change first: what mends INVALID runs, what keeps away the task or interrupt that
    /// made most late, and what the doctor advises; as many as are read at a glance.
    pub(super) fn first(&self) -> Option<Remark> {
        let others = &self.advice.housekeeping_cpus;
        let main = self.causes().first().map(|(cause, _)| *cause);
        let blamed = main.and_then(|cause| to_keep_off(cause, &self.advice.cpus, others));
        let advised = self.warnings().map(|one| in_at_most(one, GLANCE));
        let all = self.repeated().into_iter().chain(blamed).chain(advised);
        let all: Vec<String> = all.take(FIRST_CHANGES).collect();
        let changes = match all.as_slice() {
            [] => return None,
            [only] => only.clone(),
            several => numbered(several),
        };
        let changes = match self.machine.place().trim_start() {
            "" => changes,
            place => format!("{place}: {changes}"),
        };
        Some(Remark::new(FIRST, changes))
    }

    /// How the INVALID runs come to something, where the machine is not what to change.
    fn repeated(&self) -> Option<String> {
        let warning = self.invalidating().next()?;
        match advice::about(self.advice, warning, self.machine.system.machine) {
            Some(_) => None,
            None => Some(warning.remedy()),
        }
    }
}

/// As many of the changes as fit, none of them cut off: half a command does harm.
fn numbered(changes: &[String]) -> String {
    let mut text = String::new();
    for (place, change) in changes.iter().enumerate() {
        let separator = if place == 0 { "" } else { ";  " };
        let more = format!("{separator}{}. {change}", place + 1);
        if place > 0 && text.chars().count() + more.chars().count() > GLANCE {
            break;
        }
        text += &more;
    }
    text
}

/// What to change in at most so many letters; where that is not enough, where to read it.
pub(crate) fn in_at_most(finding: &Finding, letters: usize) -> String {
    let change = finding.in_short();
    match change.chars().count() {
        all if all <= letters => change,
        _ => format!("{}: see steadfast doctor --verbose", finding.in_words()),
    }
}
