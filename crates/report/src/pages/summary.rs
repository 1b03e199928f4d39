//! The summary of outcomes for a terminal: a table of every row, the warnings, the figures of
//! merit, the hard, firm and soft grades, the worst case beyond the samples, the verdict, and the
//! results of limits.

use analysis::finding::{Finding, unlabelled};
use analysis::{Analysis, fail_if, imported, lateness, self_test, summary};

use super::{results_table, verdict};
use crate::answer::Remark;
use crate::document::{Document, Section, Tone};
use crate::experiment::ExperimentView;
use crate::view::View;
use crate::{measurements, solvers};

pub(crate) fn summary(analysis: &Analysis) -> Document {
    let Analysis { systems, verdict, outcomes, standards, .. } = analysis;
    let limits = &standards.limits;
    let mut sections = verdict::alarms(verdict);
    sections.extend(results_table::results(systems));
    sections.extend(solvers::section::solvers(analysis));
    sections.extend(ExperimentView.sections(analysis));
    let is_experiment_alone = verdict.runs == 0 && analysis.experiment.is_some();
    let holds = if is_experiment_alone { Vec::new() } else { unlabelled(&verdict.holds) };
    let real_time: Vec<Finding> =
        systems.iter().flat_map(|system| summary::real_time(system, limits)).collect();
    let first = verdict.first.iter().map(|first| match &first.command {
        Some(command) => format!("{} `{command}`", first.words()),
        None => first.words(),
    });
    let own_models = measurements::of_own_models(analysis);
    let self_tests: Vec<_> = systems.iter().filter_map(self_test::tested).collect();
    for (title, sentences) in [
        ("Warnings", unlabelled(&summary::warnings(outcomes))),
        ("Imported files", imported::findings(outcomes).iter().map(Finding::named).collect()),
        ("Not available", unlabelled(&summary::unavailable(outcomes))),
        ("What was late, and why", unlabelled(&lateness::causes(systems))),
        ("Figures of merit", unlabelled(&summary::figures_of_merit(&analysis.figures_of_merit))),
        (&format!("Real time ({limits})"), unlabelled(&real_time)),
        ("Beyond what was seen", unlabelled(&summary::beyond(systems))),
        ("What it holds", holds),
        ("Your own models", own_models.iter().map(Remark::sentence).collect()),
        ("What the platform takes", unlabelled(&verdict.platform)),
        ("What limits it", unlabelled(&verdict.limits)),
        ("Self-test", unlabelled(&self_tests)),
        ("What to change first", first.collect()),
        ("Limits (--fail-if)", fail_if::sentences(&standards.fail_if, outcomes)),
    ] {
        sections.extend(Section::told("", title, Tone::Detail, sentences));
    }
    sections.extend(verdict::clock_meaning(verdict, false));
    Document::untitled(sections)
}
