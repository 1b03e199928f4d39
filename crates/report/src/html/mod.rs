//! The report as one HTML file that needs nothing else.

mod claims;
mod comparison;
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

use analysis::comparison::Comparison;
use analysis::standards::Standards;
use analysis::survey::{self, System, systems};
use analysis::verdict::Verdict;
use analysis::{clock, published, verdict, words};

pub(crate) use comparison::html as comparison;

const PAGE: &str = include_str!("../../templates/page.html");
const REPORT: &str = include_str!("../../templates/report.html");
const COMPARISON: &str = include_str!("../../templates/comparison.html");
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
    clock_title: &'a str,
    invalid: Vec<runs::Invalid>,
    sections: Vec<sections::Shown>,
    fingerprints: Vec<fingerprint::Fingerprint>,
    runs: Vec<runs::Run>,
    runs_left_out: Option<String>,
    sources: &'a [published::Source],
    hardware: &'a str,
    frame_hardware: &'a str,
    style: &'a str,
    behaviour: &'a str,
    plotly: String,
}

/// The self-contained report: it works offline, names no outside address and
/// prints. Several kernels of the lab are laid
/// side by side.
///
/// # Panics
/// Never: the templates are constants that every test renders.
#[must_use]
pub fn html(outcomes: &[Outcome], standards: &Standards) -> String {
    if let Some(comparison) = Comparison::if_of_kernels(outcomes, standards) {
        return comparison::html(&comparison);
    }
    let systems = systems(outcomes);
    let page = Page {
        title: title(&systems),
        subtitle: subtitle(&systems, outcomes),
        verdict: verdict::of(&systems, &standards.limits),
        clock_title: clock::TITLE,
        invalid: runs::invalid(survey::without_self_tests(outcomes), survey::summarised),
        sections: sections::of(&systems, standards),
        fingerprints: fingerprint::of(&systems),
        runs: runs::of(outcomes),
        runs_left_out: runs::left_out(outcomes),
        sources: published::SOURCES,
        hardware: published::HARDWARE,
        frame_hardware: published::FRAME_HARDWARE,
        style: STYLE,
        behaviour: BEHAVIOUR,
        plotly: script::plotly(),
    };
    rendered("report.html", &page)
}

fn rendered(template: &str, page: &impl Serialize) -> String {
    environment()
        .get_template(template)
        .and_then(|template| template.render(Serde(page)))
        .expect("the templates are constants that every test renders")
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    for (name, source) in [
        ("page.html", PAGE),
        ("report.html", REPORT),
        ("comparison.html", COMPARISON),
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
        [only] => survey::known_as(only.machine).to_owned(),
        several => format!("{} compared", words::counted(several.len(), "machine")),
    }
}

fn subtitle(systems: &[System], outcomes: &[Outcome]) -> String {
    let Some(start) = outcomes.iter().map(|o| o.header.started_unix_ns).min() else {
        return "There is no run to report on.".to_owned();
    };
    let versions = survey::versions(outcomes.iter());
    let mut facts: Vec<String> = Vec::new();
    if let [only] = systems {
        facts.push(survey::kernel(only.machine));
        facts.extend(only.machine.hypervisor.clone());
    }
    facts.push(words::counted(outcomes.len(), "run"));
    facts.push(format!("from {}", words::moment(start)));
    facts.push(format!("steadfast {}", versions.join(", ")));
    facts.retain(|fact| !fact.is_empty());
    facts.join(" · ")
}
