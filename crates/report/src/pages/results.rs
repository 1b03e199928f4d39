//! The page of results: the answer, what stands behind it, a section for each kind of measurement, the machines and
//! every run.

use analysis::survey;
use analysis::{Analysis, published, words};

use crate::document::Document;
use crate::sections;

/// The page of results.
pub(crate) fn results(analysis: &Analysis) -> Document {
    let Analysis { verdict, outcomes, .. } = analysis;
    let mut all = sections::alarms(verdict);
    all.push(sections::glance(analysis));
    let is_nothing_else = verdict.runs == 0 && !outcomes.is_empty();
    if !is_nothing_else {
        all.extend(sections::verdict(verdict));
    }
    all.extend(sections::clock_meaning(verdict.clock.clone()));
    let own = survey::without_self_tests(outcomes.iter().copied());
    let counts = [verdict.invalid, verdict.runs];
    all.extend(sections::invalid(own, counts, survey::summarised));
    all.extend(sections::interference(&analysis.interference));
    all.extend(sections::best_effort(&analysis.best_effort));
    all.extend(sections::measured(analysis));
    all.extend(sections::machines(analysis));
    all.extend(sections::runs(outcomes));
    if !verdict.notes.is_empty() && !is_nothing_else {
        all.extend(sections::reach(verdict.notes.clone()));
        all.extend(sections::sources(sources(), published::SOURCES));
    }
    Document {
        title: title(analysis),
        subtitle: subtitle(analysis),
        sections: all,
        ..Document::default()
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

fn title(Analysis { answer, systems, .. }: &Analysis) -> String {
    match &**systems {
        [] => "No machine measured".to_owned(),
        [_] => answer.subject.clone(),
        several => format!("{} compared", words::counted(several.len(), "machine")),
    }
}

fn subtitle(analysis: &Analysis) -> String {
    let Analysis { answer, systems, outcomes, .. } = analysis;
    let Some(start) = outcomes.iter().map(|o| o.header.started_unix_ns).min() else {
        return "There is no run to report on.".to_owned();
    };
    let versions = survey::versions(outcomes.iter().copied());
    let several = (systems.len() > 1).then(|| answer.subject.clone());
    let facts = [
        answer.effort.clone(),
        format!("from {}", words::moment(start)),
        format!("steadfast {}", versions.join(", ")),
    ];
    several.into_iter().chain(facts).collect::<Vec<String>>().join(" · ")
}
