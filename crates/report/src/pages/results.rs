//! The page of results: the answer, its evidence, a section for each kind of measurement, the
//! machines and every run.

use analysis::published::{self, Source};
use analysis::{Analysis, survey, words};

use super::{glance, machines, runs, verdict};
use crate::answer::Answer;
use crate::document::{Document, Section};
use crate::figure::Figure;
use crate::measurements;
use crate::view::{Telling, View};
use crate::views::{self, VIEWS, leading};

pub(crate) fn results(analysis: &Analysis) -> Document {
    let Analysis { verdict, outcomes, .. } = analysis;
    let answer = views::answer(analysis);
    let is_nothing_else = verdict.runs == 0 && !outcomes.is_empty();
    let evidence = if is_nothing_else { None } else { verdict::verdict(verdict) };
    let of_views = VIEWS.iter().flat_map(|view| view.sections(analysis));
    let between = of_views.chain(measurements::measured(analysis)).collect();
    let picture = leading(analysis).picture(analysis);
    let mut all = around(analysis, &answer, picture, evidence, between);
    if !verdict.notes.is_empty() && !is_nothing_else {
        all.extend(verdict::reach(&verdict.notes));
        all.extend(verdict::sources(&sources(analysis)));
    }
    let (title, subtitle) = (title(analysis, &answer), subtitle(analysis, &answer));
    Document { title, subtitle, sections: all, ..Document::default() }.with_first_chart_once()
}

/// Returns the publications with figures of what was measured.
fn sources(analysis: &Analysis) -> Vec<Source> {
    let Analysis { systems, frontiers, .. } = analysis;
    let is_measured = |test: &str| !survey::on_all(systems, test).is_empty();
    let latencies = published::latencies().into_iter().filter(|latency| is_measured(&latency.test));
    let sizes = frontiers.iter().flat_map(|frontier| frontier.grid.published_sizes());
    let frames = published::frames().into_iter().filter(|_| is_measured("frame"));
    let names = latencies.map(|latency| latency.source).chain(sizes.map(|size| size.source));
    published::sources(&names.chain(frames.map(|frame| frame.source)).collect::<Vec<_>>())
}

/// Returns the page of a view: its answer and sections, the machines and every run.
pub(crate) fn page_of_view(view: &dyn View, analysis: &Analysis) -> Document {
    let answer = view.answer(analysis);
    let subtitle = subtitle(analysis, &answer);
    let sections = around(analysis, &answer, view.picture(analysis), None, view.sections(analysis));
    Document { title: answer.subject, subtitle, sections, ..Document::default() }
        .headed(&analysis.heading)
}

/// Puts sections between what every page begins and ends with: the answer and its `evidence`, the
/// machines and every run.
fn around(
    analysis: &Analysis,
    answer: &Answer,
    picture: Option<Figure>,
    evidence: Option<Section>,
    between: Vec<Section>,
) -> Vec<Section> {
    let Analysis { verdict, outcomes, .. } = analysis;
    let mut all = verdict::alarms(verdict);
    all.push(glance::glance(analysis, answer, picture));
    all.extend(evidence);
    all.extend(verdict::clock_meaning(verdict, true));
    let counted = survey::without_self_tests(outcomes.iter().copied());
    let counts = [verdict.invalid, verdict.runs];
    all.extend(runs::invalid(counted, counts, survey::summarised));
    all.extend(between);
    all.extend(machines::machines(analysis));
    all.extend(runs::runs(outcomes));
    all
}

fn title(Analysis { systems, .. }: &Analysis, answer: &Answer) -> String {
    match &**systems {
        [] => "No machine measured".to_owned(),
        [_] => answer.subject.clone(),
        several => format!("{} compared", words::counted(several.len(), "machine")),
    }
}

fn subtitle(Analysis { systems, outcomes, .. }: &Analysis, answer: &Answer) -> String {
    if outcomes.is_empty() {
        return "No run to report on.".to_owned();
    }
    let start = outcomes.iter().filter_map(|run| run.header.known_start_unix_ns()).min();
    let versions = survey::versions(outcomes.iter().copied());
    let several = (systems.len() > 1).then(|| answer.subject.clone());
    let start = start.map(|start| format!("from {}", words::moment(start)));
    let facts = [several, Some(answer.effort.clone()), start];
    let version = format!("steadfast {}", versions.join(", "));
    facts.into_iter().flatten().chain([version]).collect::<Vec<String>>().join(" · ")
}
