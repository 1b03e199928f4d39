//! The page of systems side by side: the answer, what the clock means, then a section
//! for each part of the papers' comparisons.

use analysis::Analysis;
use analysis::comparison::Comparison;
use analysis::published::{HARDWARE, SOURCES, Source};
use analysis::survey::{self, System, loads, versions};
use analysis::verdict::Verdict;
use analysis::{clock, words};
use plan::Outcome;

use crate::document::Document;
use crate::sections;
use crate::sections::comparison::{
    answer, apart, breakable, contrasts, differences, in_full, parts, published,
};

/// The page of a comparison.
pub(crate) fn comparison(analysis: &Analysis, comparison: &Comparison) -> Document {
    let Verdict { invalid, runs, .. } = analysis.verdict;
    let of_what = match comparison.varied {
        Some(_) => "variant",
        None => "system",
    };
    let mut sections = sections::alarms(&analysis.verdict);
    sections.push(sections::glance(analysis));
    sections.push(in_full(comparison));
    sections.extend(sections::clock_meaning(analysis.verdict.clock.clone()));
    let by_cell = |runs: &[&Outcome]| by_cell(comparison, runs);
    sections.extend(sections::invalid(comparison.outcomes(), [invalid, runs], by_cell));
    sections.extend(parts(analysis, comparison));
    let introduction = format!(
        "Shown as they were printed, of 2014 on {HARDWARE}. They tell what systems of that time did on that \
         machine."
    );
    sections.extend(sections::sources(introduction, &sources(comparison)));
    Document {
        title: format!("{} side by side", words::counted(comparison.systems(), of_what)),
        subtitle: subtitle(analysis, comparison),
        sections,
        ..Document::default()
    }
}

/// The same for a terminal: the answer and what it rests on.
pub(crate) fn compared(analysis: &Analysis, comparison: &Comparison) -> Document {
    let mut sections = sections::alarms(&analysis.verdict);
    sections.push(answer(comparison));
    sections.extend(match comparison.contrasts.is_overview() {
        true => differences(comparison).into_iter().collect(),
        false => contrasts(comparison),
    });
    sections.extend(published(comparison));
    sections.extend(sections::clock_meaning(clock::in_short(&analysis.systems)));
    sections.extend(comparison.apart.map(apart));
    Document::untitled(sections)
}

fn subtitle(analysis: &Analysis, comparison: &Comparison) -> String {
    let names = comparison.systems.iter().map(|system| breakable(&system.name));
    let facts = [
        names.collect::<Vec<String>>().join(", "),
        analysis.answer.effort.clone(),
        format!("steadfast {}", versions(comparison.outcomes()).join(", ")),
    ];
    facts.join(" · ")
}

/// The publications whose figures are shown.
fn sources(comparison: &Comparison) -> Vec<Source> {
    let latencies = comparison.published_latencies().into_iter();
    let sizes = comparison.published_sizes().into_iter();
    let shown: Vec<&str> =
        latencies.map(|latency| latency.source).chain(sizes.map(|size| size.source)).collect();
    let sources = SOURCES.iter().copied();
    sources.filter(|source| shown.contains(&source.short)).collect()
}

/// Runs by system and load, with their measurements.
fn by_cell(comparison: &Comparison, runs: &[&Outcome]) -> Vec<String> {
    let mut cells: Vec<(String, Vec<&Outcome>)> = Vec::new();
    for run in runs {
        let is_its_own = |system: &&System| {
            let mut outcomes = system.outcomes.iter();
            outcomes.any(|own| std::ptr::eq(*own, *run))
        };
        let system = comparison.systems.iter().find(is_its_own);
        let name = system.map_or("", |system| system.name.as_str());
        let cell = format!("{name}, {}", loads(&run.header.spec.asked));
        match cells.iter_mut().find(|(known, _)| *known == cell) {
            Some((_, runs)) => runs.push(run),
            None => cells.push((cell, vec![run])),
        }
    }
    let told = |(cell, runs): &(String, Vec<&Outcome>)| {
        format!("{cell}: {}", survey::measurements(runs).join(", "))
    };
    cells.iter().map(told).collect()
}
