//! The page of systems side by side: the answer, what the clock means, then a section
//! for each part of the papers' comparisons.

mod apart;
mod capacity;
mod columns;
mod contrasts;
mod loads;
mod merit;
mod services;
mod setups;
mod tire;
mod wakeups;

pub(super) use capacity::of_publication;

use plan::Outcome;
use serde::Serialize;

use self::columns::breakable;
use super::sections::{Block, Shown};
use super::table::Table;
use super::{BEHAVIOUR, STYLE, rendered, runs, script};
use analysis::comparison::{Comparison, NOT_CARRIED, answer, answer_contrasts};
use analysis::survey::versions;
use analysis::survey::{self, System, loads};
use analysis::{clock, published, samples, words};

/// A part of the comparison.
struct Section {
    /// Anchor in the page.
    id: &'static str,
    title: &'static str,
    introduction: &'static str,
    blocks: fn(&Comparison) -> Vec<Block>,
}

const SECTIONS: &[Section] = &[
    wakeups::SECTION,
    services::MICRO,
    services::INTERRUPTS,
    services::MESSAGES,
    services::LOCKS,
    tire::SECTION,
    services::OTHERS,
];

/// Everything that the template shows.
#[derive(Serialize)]
struct Page<'a> {
    title: String,
    subtitle: String,
    errors: Vec<String>,
    clocks_differ: Option<String>,
    answer: Vec<String>,
    worst: Table,
    clock_title: &'a str,
    clock: Vec<String>,
    invalid: Vec<runs::Invalid>,
    /// INVALID runs, and all.
    counts: [usize; 2],
    sections: Vec<Shown>,
    sources: Vec<published::Source>,
    hardware: &'a str,
    style: &'a str,
    behaviour: &'a str,
    plotly: String,
}

/// The self-contained page of a comparison.
pub(crate) fn html(comparison: &Comparison) -> String {
    let systems = &comparison.systems;
    let all = comparison.outcomes().count();
    let valid = comparison.outcomes().filter(|run| run.is_valid()).count();
    let sections = sections(comparison);
    let of_what = match comparison.varied {
        Some(_) => "variant",
        None => "system",
    };
    let page = Page {
        title: format!("{} side by side", words::counted(systems.len(), of_what)),
        subtitle: subtitle(comparison),
        errors: samples::conflicts(comparison.outcomes()),
        clocks_differ: clock::differ(systems),
        answer: answered(comparison),
        worst: wakeups::worst(systems),
        clock_title: clock::TITLE,
        clock: clock::meaning(systems),
        invalid: runs::invalid(comparison.outcomes(), |runs| by_cell(comparison, runs)),
        counts: [all - valid, all],
        sources: sources(comparison),
        sections,
        hardware: published::HARDWARE,
        style: STYLE,
        behaviour: BEHAVIOUR,
        plotly: script::plotly(),
    };
    rendered("comparison.html", &page)
}

fn subtitle(comparison: &Comparison) -> String {
    let names = comparison
        .systems
        .iter()
        .map(|system| breakable(&system.name));
    let facts = [
        names.collect::<Vec<String>>().join(", "),
        words::counted(comparison.outcomes().count(), "run"),
        format!("steadfast {}", versions(comparison.outcomes()).join(", ")),
    ];
    facts.join(" · ")
}

/// The answer, and which loads are not in it; lines break between the words of a name only.
fn answered(comparison: &Comparison) -> Vec<String> {
    let mut sentences = match &comparison.contrasts {
        Some(contrasts) => answer_contrasts(contrasts, comparison),
        None => answer(&comparison.systems),
    };
    if comparison.is_of_lab() {
        let told = NOT_CARRIED
            .iter()
            .map(|(load, why)| format!("`{load}` ({why})"));
        let told: Vec<String> = told.collect();
        sentences.push(format!(
            "Loads that the lab cannot carry, and that are in none of these figures: {}.",
            words::listed(&told)
        ));
    }
    let mut names: Vec<&str> = comparison.systems.iter().map(|s| s.name.as_str()).collect();
    // One may begin like another.
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let whole = |sentence: String, name: &&str| sentence.replace(name, &breakable(name));
    let sentences = sentences.into_iter();
    sentences
        .map(|sentence| names.iter().fold(sentence, whole))
        .collect()
}

fn sections(comparison: &Comparison) -> Vec<Shown> {
    let shown = |section: &Section| Shown {
        id: section.id.to_owned(),
        title: section.title.to_owned(),
        introduction: section.introduction.to_owned(),
        blocks: (section.blocks)(comparison),
    };
    let own = SECTIONS.iter().map(shown);
    let own = own.filter(|section| !section.blocks.is_empty());
    contrasts::shown(comparison)
        .into_iter()
        .chain(own)
        .chain(capacity::shown(comparison))
        .chain(merit::shown(comparison))
        .chain(comparison.apart.map(apart::shown))
        .chain(setups::shown(comparison))
        .collect()
}

/// The publications whose figures are shown.
fn sources(comparison: &Comparison) -> Vec<published::Source> {
    let latencies = comparison.published_latencies().into_iter();
    let sizes = comparison.published_sizes().into_iter();
    let shown: Vec<&str> = latencies
        .map(|latency| latency.source)
        .chain(sizes.map(|size| size.source))
        .collect();
    let sources = published::SOURCES.iter().copied();
    sources
        .filter(|source| shown.contains(&source.short))
        .collect()
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
