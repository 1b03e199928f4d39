//! The page of results: the verdict, a section for each kind of measurement, the machines and
//! every run.

use analysis::survey::{self, System};
use analysis::{Analysis, published, words};
use plan::Outcome;

use crate::document::Document;
use crate::sections;

/// The page of results.
pub(crate) fn results(analysis: &Analysis) -> Document {
    let Analysis {
        systems,
        verdict,
        outcomes,
        ..
    } = analysis;
    let mut all = sections::alarms(verdict);
    all.push(sections::verdict(verdict));
    all.extend(sections::clock_meaning(verdict.clock.clone()));
    let own = survey::without_self_tests(outcomes.iter().copied());
    let counts = [verdict.invalid, verdict.runs];
    all.extend(sections::invalid(own, counts, survey::summarised));
    all.extend(sections::measured(analysis));
    all.extend(sections::machines(analysis));
    all.extend(sections::runs(outcomes));
    if !verdict.notes.is_empty() {
        all.extend(sections::reach(verdict.notes.clone()));
        all.extend(sections::sources(sources(), published::SOURCES));
    }
    Document {
        title: title(systems),
        subtitle: subtitle(systems, outcomes),
        sections: all,
    }
}

fn sources() -> String {
    format!(
        "Shown as they were printed: of 2014 on {}; frames of 2003 on {}. They tell what systems of \
         that time did on those machines, not what they would do on this one.",
        published::HARDWARE,
        published::FRAME_HARDWARE
    )
}

fn title(systems: &[System]) -> String {
    match systems {
        [] => "No machine measured".to_owned(),
        [only] => survey::known_as(only.machine).to_owned(),
        several => format!("{} compared", words::counted(several.len(), "machine")),
    }
}

fn subtitle(systems: &[System], outcomes: &[&Outcome]) -> String {
    let Some(start) = outcomes.iter().map(|o| o.header.started_unix_ns).min() else {
        return "There is no run to report on.".to_owned();
    };
    let versions = survey::versions(outcomes.iter().copied());
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
