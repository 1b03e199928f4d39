//! The page that compares systems: the answer, the meaning of the clock, then a section for each
//! part of the papers' comparisons.

use std::ptr;

use analysis::comparison::Comparison;
use analysis::lists::{each_once, groups};
use analysis::published::{self, Source};
use analysis::survey::{self, System, cpu, kernel, loads, versions};
use analysis::verdict::Verdict;
use analysis::{Analysis, words};
use record::Outcome;

use super::{glance, runs, verdict};
use crate::answer::Answer;
use crate::comparison::{self as parts, ComparisonView};
use crate::document::{Document, Section, Tone};
use crate::view::View;
use crate::views;

pub(crate) fn comparison(analysis: &Analysis, comparison: &Comparison) -> Document {
    let Verdict { invalid, runs, .. } = analysis.verdict;
    let of_what = if comparison.varied.is_some() { "variant" } else { "system" };
    let answer = views::answer(analysis);
    let mut sections = verdict::alarms(&analysis.verdict);
    sections.push(glance::glance(analysis, &answer, ComparisonView.picture(analysis)));
    sections.extend(verdict::clock_meaning(&analysis.verdict, true));
    let by_cell = |runs: &[&Outcome]| by_cell(comparison, runs);
    sections.extend(runs::invalid(comparison.outcomes(), [invalid, runs], by_cell));
    sections.extend(ComparisonView.sections(analysis));
    sections.extend(verdict::sources(&sources(comparison)));
    Document {
        title: format!("{} side by side", words::counted(comparison.systems(), of_what)),
        subtitle: subtitle(&answer, comparison),
        sections,
        ..Document::default()
    }
    .with_first_chart_once()
}

/// Returns the comparison for a terminal: the answer and its evidence.
pub(crate) fn compared(analysis: &Analysis, comparison: &Comparison) -> Document {
    let mut sections = verdict::alarms(&analysis.verdict);
    sections.push(Section {
        title: "The answer".to_owned(),
        tone: Tone::Answer,
        blocks: parts::answer(comparison, parts::in_full(comparison)),
        ..Section::default()
    });
    match comparison.contrasts.is_overview() {
        true => sections.extend(parts::differences(comparison)),
        false => sections.extend(parts::contrasts(comparison)),
    }
    sections.extend(parts::published(comparison));
    sections.extend(verdict::clock_meaning(&analysis.verdict, false));
    sections.extend(comparison.apart.map(parts::apart));
    Document::untitled(sections)
}

fn subtitle(answer: &Answer, comparison: &Comparison) -> String {
    let names = comparison.systems.iter().map(|system| parts::breakable(&system.name));
    let started = comparison.outcomes().filter_map(|run| run.header.known_start_unix_ns());
    let machines = || comparison.systems.iter().map(|system| system.machine);
    let mut facts = vec![names.collect::<Vec<String>>().join(", ")];
    match &each_once(machines().map(cpu))[..] {
        [cpu] => facts.extend([cpu.to_string(), each_once(machines().map(kernel)).join(", ")]),
        _ => facts.extend(each_once(machines().map(|m| format!("{}, {}", cpu(m), kernel(m))))),
    }
    facts.push(answer.effort.clone());
    facts.extend(started.min().map(|first| format!("from {}", words::moment(first))));
    facts.push(format!("steadfast {}", versions(comparison.outcomes()).join(", ")));
    facts.join(" · ")
}

fn sources(comparison: &Comparison) -> Vec<Source> {
    let latencies = comparison.published_latencies();
    let sizes = comparison.published_sizes();
    let names = latencies.iter().map(|latency| latency.source);
    published::sources(&names.chain(sizes.iter().map(|size| size.source)).collect::<Vec<_>>())
}

/// Returns runs by system and load, with their measurements.
fn by_cell(comparison: &Comparison, runs: &[&Outcome]) -> Vec<String> {
    let cell = |run: &&Outcome| {
        let has_run =
            |system: &&System| system.outcomes.iter().any(|outcome| ptr::eq(*outcome, *run));
        let system = comparison.systems.iter().find(has_run);
        let name = system.map_or("", |system| system.name.as_str());
        format!("{name}, {}", loads(&run.header.spec.asked))
    };
    let placed = runs.iter().map(|run| (cell(run), *run));
    let in_words = |group: Vec<(String, &Outcome)>| {
        let runs: Vec<&Outcome> = group.iter().map(|(_, run)| *run).collect();
        format!("{}: {}", group[0].0, survey::measurements(&runs).join(", "))
    };
    groups(placed, |(a, _), (b, _)| a == b).into_iter().map(in_words).collect()
}
