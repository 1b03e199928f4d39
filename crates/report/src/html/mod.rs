//! The report as one HTML file that needs nothing else.

mod claims;
mod conditions;
mod fingerprint;
mod metrics;
mod prose;
mod runs;
mod script;
mod sections;
mod table;

use minijinja::Environment;
use minijinja::value::Serde;
use plan::Outcome;
use serde::Serialize;

use crate::standards::Standards;
use crate::survey::{self, System, systems};
use crate::verdict::Verdict;
use crate::{published, verdict, words};

const PAGE: &str = include_str!("../../templates/report.html");
const BLOCKS: &str = include_str!("../../templates/blocks.html");
const RUN: &str = include_str!("../../templates/run.html");
const STYLE: &str = include_str!("../../templates/report.css");
const BEHAVIOUR: &str = include_str!("../../templates/report.js");

/// Everything that the template shows.
#[derive(Serialize)]
struct Page<'a> {
    title: String,
    subtitle: String,
    verdict: Verdict,
    invalid: Vec<runs::Invalid>,
    sections: Vec<sections::Shown>,
    fingerprints: Vec<fingerprint::Fingerprint>,
    runs: Vec<runs::Run>,
    sources: &'a [published::Source],
    hardware: &'a str,
    frame_hardware: &'a str,
    style: &'a str,
    behaviour: &'a str,
    plotly: String,
}

/// The self-contained report: it works offline, names no outside address and
/// prints.
///
/// # Panics
/// Never: the templates are constants that every test renders.
#[must_use]
pub fn html(outcomes: &[Outcome], standards: &Standards) -> String {
    let systems = systems(outcomes);
    let page = Page {
        title: title(&systems),
        subtitle: subtitle(&systems),
        verdict: verdict::of(&systems),
        invalid: runs::invalid(outcomes),
        sections: sections::of(&systems, standards),
        fingerprints: fingerprint::of(&systems),
        runs: runs::of(outcomes),
        sources: published::SOURCES,
        hardware: published::HARDWARE,
        frame_hardware: published::FRAME_HARDWARE,
        style: STYLE,
        behaviour: BEHAVIOUR,
        plotly: script::plotly(),
    };
    environment()
        .get_template("report.html")
        .and_then(|template| template.render(Serde(&page)))
        .expect("the templates are constants that every test renders")
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    for (name, source) in [
        ("report.html", PAGE),
        ("blocks.html", BLOCKS),
        ("run.html", RUN),
    ] {
        environment
            .add_template(name, source)
            .expect("the templates are constants that every test renders");
    }
    environment.add_filter("prose", prose::prose);
    environment
}

fn title(systems: &[System]) -> String {
    match systems {
        [] => "No machine measured".to_owned(),
        [only] => survey::cpu(only.machine).to_owned(),
        several => format!("{} compared", words::counted(several.len(), "machine")),
    }
}

fn subtitle(systems: &[System]) -> String {
    let outcomes = || systems.iter().flat_map(|system| &system.outcomes);
    let Some(start) = outcomes().map(|o| o.header.started_unix_ns).min() else {
        return "There is no run to report on.".to_owned();
    };
    let mut versions: Vec<&str> = outcomes().map(|o| o.header.tool_version.as_str()).collect();
    versions.sort_unstable();
    versions.dedup();
    let mut facts: Vec<String> = Vec::new();
    if let [only] = systems {
        facts.push(survey::kernel(only.machine));
        facts.extend(only.machine.hypervisor.clone());
    }
    facts.push(words::counted(outcomes().count(), "run"));
    facts.push(format!("from {}", words::moment(start)));
    facts.push(format!("steadfast {}", versions.join(", ")));
    facts.retain(|fact| !fact.is_empty());
    facts.join(" · ")
}
