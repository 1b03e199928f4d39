//! The settings that matter: the results of an experiment with knobs.

use analysis::Analysis;
use analysis::effect::{decisive, foremost, in_words};
use analysis::experiment::{Experiment, KnobResult, Trust};
use analysis::finding::{Finding, Why};
use analysis::words::percent;

use crate::answer::Line;
use crate::document::{Section, Table, TableOf};
use crate::figure::{self, Figure, Ratio};
use crate::view::{View, evidence};

/// Maximum number of knobs in an answer.
const MOST: usize = 7;

const INTRODUCTION: &str = "Screening sets all knobs at once, each in half of the runs (a folded \
                            Plackett-Burman design, random order, in blocks). The knobs that it picks are \
                            tried again, alternating with none, and all that help together; only these \
                            runs show an effect. A sham and a disturbance of known size are tried like \
                            knobs.";

pub struct ExperimentView;

impl View for ExperimentView {
    /// Runs of an experiment do not count as runs of a machine's systems.
    fn weight(&self, analysis: &Analysis) -> Option<f64> {
        let is_alone = analysis.systems.iter().all(|system| system.outcomes.is_empty());
        (is_alone && analysis.experiment.is_some()).then_some(1.0)
    }

    fn findings(&self, analysis: &Analysis) -> Vec<Finding> {
        let nothing = || Finding::undecided(Why::Unfinished);
        analysis.experiment.as_ref().map_or_else(nothing, Experiment::findings)
    }

    /// Knobs with a shown effect come first.
    fn figures(&self, analysis: &Analysis) -> Vec<Line> {
        let believed = analysis.experiment.iter().filter(|tried| tried.trust == Trust::Believed);
        let mut knobs: Vec<&KnobResult> = believed.flat_map(|tried| &tried.knobs).collect();
        knobs.sort_by_key(|knob| (decisive(&knob.effects).is_none(), !knob.was_tried_alone));
        let knobs = knobs.into_iter().take(MOST);
        knobs
            .map(|knob| Line { what: name(knob), figures: vec![in_words(&knob.effects)] })
            .collect()
    }

    fn picture(&self, analysis: &Analysis) -> Option<Figure> {
        forest(analysis.experiment.as_ref()?)
    }

    fn sections(&self, analysis: &Analysis) -> Vec<Section> {
        let section = |tried: &Experiment| {
            let blocks = evidence(&tried.findings(), forest(tried), table(tried));
            let introduction = format!("For `{}`. {INTRODUCTION}", tried.of);
            Section::of("knobs", "Which setting matters?", introduction, blocks)
        };
        analysis.experiment.iter().map(section).collect()
    }
}

/// Draws one line for each knob, including the sham and the disturbance.
fn forest(tried: &Experiment) -> Option<Figure> {
    let mut all = vec![("together".to_owned(), &tried.together)];
    all.extend(tried.knobs.iter().map(|knob| (name(knob), &knob.effects)));
    let controls = [("sham", &tried.sham), ("known disturbance", &tried.known)];
    all.extend(controls.map(|(name, effects)| (name.to_owned(), effects)));
    let first = || all.iter().find_map(|(_, effects)| foremost(effects));
    let figure = foremost(&tried.sham).or_else(first)?.figure;
    let ratios = all.iter().filter_map(|(name, effects)| {
        Some((name.clone(), *effects.iter().find(|effect| effect.figure == figure)?))
    });
    let ratios: Vec<Ratio> = ratios.collect();
    let figure = figure.name;
    let caption = format!(
        "{figure} with the setting, divided by {figure} without it, with intervals. Filled: a \
         difference is shown. Broken lines: differences up to {} count as none.",
        percent(tried.margin)
    );
    figure::ratios("knobs", &caption, &format!("{figure}, times"), tried.margin, &ratios)
}

fn name(knob: &KnobResult) -> String {
    format!("{} {}", knob.name, knob.value)
}

fn table(tried: &Experiment) -> Table {
    let is_claimed = tried.trust == Trust::Believed;
    TableOf::of(&tried.knobs)
        .text("Knob", |knob| format!("`{}`", knob.name))
        .text("Tried", |knob| &knob.value)
        .text("Effect here", move |knob| {
            if is_claimed { in_words(&knob.effects) } else { "not claimed".to_owned() }
        })
        .text("Tried alone", |knob| {
            if knob.was_tried_alone { "yes" } else { "no: the screening did not pick it" }
        })
        .detail()
        .table("")
}
