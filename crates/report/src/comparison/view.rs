//! Comparison of systems: which is faster, which is steadier, and the rows that show it.

use analysis::comparison::{
    Comparison, decides, details, findings, is_plain_wakeup, loads_of, worst_under,
};
use analysis::finding::{AboutEffects, Finding, Why, labelled};
use analysis::survey::System;
use analysis::{Analysis, words};

use crate::answer::Line;
use crate::comparison::{answer, breakable_names, foremost, parts};
use crate::document::{Block, Section};
use crate::figure::Figure;
use crate::view::View;

pub(crate) struct ComparisonView;

impl View for ComparisonView {
    /// A comparison always leads.
    fn weight(&self, analysis: &Analysis) -> Option<f64> {
        analysis.comparison.as_ref().map(|_| f64::INFINITY)
    }

    fn findings(&self, analysis: &Analysis) -> Vec<Finding> {
        let nothing =
            || vec![Finding::Effects(AboutEffects::Inconclusive { why: Why::NothingToCompare })];
        analysis.comparison.as_ref().map_or_else(nothing, findings)
    }

    fn figures(&self, analysis: &Analysis) -> Vec<Line> {
        let systems = analysis.comparison.as_ref().map(|comparison| &*comparison.systems);
        systems.map_or_else(Vec::new, worst_wakeups)
    }

    fn picture(&self, analysis: &Analysis) -> Option<Figure> {
        foremost(analysis.comparison.as_ref()?)
    }

    fn sections(&self, analysis: &Analysis) -> Vec<Section> {
        let Some(comparison) = &analysis.comparison else {
            return Vec::new();
        };
        let all = details(comparison).iter().map(Finding::named).collect();
        let blocks = answer(comparison, breakable_names(comparison, all));
        let folded = Block::folded("Every detail, and the worst wake-ups", blocks);
        let details = Section::of("in-full", "Details of the answer", "", vec![folded]);
        [details].into_iter().chain(parts(analysis, comparison)).collect()
    }
}

pub(crate) fn in_full(comparison: &Comparison) -> Vec<String> {
    let all = [findings(comparison), details(comparison)].concat();
    breakable_names(comparison, labelled(&all))
}

/// Returns the worst wake-up of each system under each load.
fn worst_wakeups(systems: &[System]) -> Vec<Line> {
    let loads = loads_of(systems);
    let line = |system: &System| {
        let worst = |load: &String| {
            // A system without a real-time wake-up is shown with its default policy.
            let (worst, policy) = match worst_under(system, load, decides) {
                Some(worst) => (worst, ""),
                None => (worst_under(system, load, is_plain_wakeup)?, ", other"),
            };
            Some(format!("{} ({load}{policy})", words::time_range(worst.range_ns())))
        };
        let figures: Vec<String> = loads.iter().filter_map(worst).collect();
        let what = format!("{}, worst wake-up", system.name);
        (!figures.is_empty()).then_some(Line { what, figures })
    };
    systems.iter().filter_map(line).collect()
}
