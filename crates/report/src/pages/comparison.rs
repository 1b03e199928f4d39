//! The page that compares systems: the answer, the meaning of the clock, then a section for each
//! part of the papers' comparisons.

use analysis::Analysis;
use analysis::comparison::Comparison;
use analysis::lists::{each_once, groups};
use analysis::published::{HARDWARE, SOURCES, Source};
use analysis::survey::{self, System, cpu, kernel, loads, versions};
use analysis::verdict::Verdict;
use analysis::words;
use plan::Outcome;

use crate::answer::Answer;
use crate::document::{Document, Section, Tone};
use crate::sections;
use crate::sections::comparison::{answer, apart, breakable, contrasts, differences, published};
use crate::views::{self, View};

pub(crate) fn comparison(analysis: &Analysis, comparison: &Comparison) -> Document {
    let Verdict { invalid, runs, .. } = analysis.verdict;
    let of_what = if comparison.varied.is_some() { "variant" } else { "system" };
    let mut sections = sections::alarms(&analysis.verdict);
    let answer_in_short = views::answer(analysis);
    let picture = views::Comparison.picture(analysis);
    sections.push(sections::glance(analysis, &answer_in_short, picture));
    sections.extend(sections::clock_meaning(&analysis.verdict, true));
    let by_cell = |runs: &[&Outcome]| by_cell(comparison, runs);
    sections.extend(sections::invalid(comparison.outcomes(), [invalid, runs], by_cell));
    sections.extend(views::Comparison.sections(analysis));
    let introduction = format!(
        "Shown as they were printed, of 2014 on {HARDWARE}. They show what systems of that time did on that \
         machine."
    );
    sections.extend(sections::sources(introduction, &sources(comparison)));
    Document {
        title: format!("{} side by side", words::counted(comparison.systems(), of_what)),
        subtitle: subtitle(&answer_in_short, comparison),
        sections,
        ..Document::default()
    }
    .with_first_chart_once()
}

/// Returns the comparison for a terminal: the answer and its evidence.
pub(crate) fn compared(analysis: &Analysis, comparison: &Comparison) -> Document {
    let mut sections = sections::alarms(&analysis.verdict);
    sections.push(Section {
        title: "The answer".to_owned(),
        tone: Tone::Answer,
        blocks: answer(comparison, views::in_full(comparison)),
        ..Section::default()
    });
    sections.extend(if comparison.contrasts.is_overview() {
        differences(comparison).into_iter().collect()
    } else {
        contrasts(comparison)
    });
    sections.extend(published(comparison));
    sections.extend(sections::clock_meaning(&analysis.verdict, false));
    sections.extend(comparison.apart.map(apart));
    Document::untitled(sections)
}

fn subtitle(answer: &Answer, comparison: &Comparison) -> String {
    let names = comparison.systems.iter().map(|system| breakable(&system.name));
    let started = comparison.outcomes().map(|run| run.header.started_unix_ns);
    let mut facts = vec![names.collect::<Vec<String>>().join(", ")];
    facts.extend(machines(comparison));
    facts.push(answer.effort.clone());
    facts.extend(started.min().map(|first| format!("from {}", words::moment(first))));
    facts.push(format!("steadfast {}", versions(comparison.outcomes()).join(", ")));
    facts.join(" · ")
}

fn machines(comparison: &Comparison) -> Vec<String> {
    let machines = comparison.systems.iter().map(|system| system.machine);
    each_once(machines.map(|machine| format!("{}, {}", cpu(machine), kernel(machine))))
}

fn sources(comparison: &Comparison) -> Vec<Source> {
    let latencies = comparison.published_latencies().into_iter();
    let sizes = comparison.published_sizes().into_iter();
    let shown: Vec<&str> =
        latencies.map(|latency| latency.source).chain(sizes.map(|size| size.source)).collect();
    let sources = SOURCES.iter().copied();
    sources.filter(|source| shown.contains(&source.short)).collect()
}

/// Returns runs by system and load, with their measurements.
fn by_cell(comparison: &Comparison, runs: &[&Outcome]) -> Vec<String> {
    let cell = |run: &&Outcome| {
        let is_its_own = |system: &&System| {
            let mut outcomes = system.outcomes.iter();
            outcomes.any(|own| std::ptr::eq(*own, *run))
        };
        let system = comparison.systems.iter().find(is_its_own);
        let name = system.map_or("", |system| system.name.as_str());
        format!("{name}, {}", loads(&run.header.spec.asked))
    };
    let placed = runs.iter().map(|run| (cell(run), *run));
    let told = |group: Vec<(String, &Outcome)>| {
        let runs: Vec<&Outcome> = group.iter().map(|(_, run)| *run).collect();
        format!("{}: {}", group[0].0, survey::measurements(&runs).join(", "))
    };
    groups(placed, |(one, _), (other, _)| one == other).into_iter().map(told).collect()
}
