//! The search for the largest model, or the highest rate, that holds: its answer is the edge.

use analysis::Analysis;
use analysis::finding::{Finding, edge_figures};
use analysis::frontier::{self, findings, foremost};
use analysis::general::of_missed_size;
use analysis::words::{capital, counted};
use stats::frontier::Criterion;

use super::section::{probes, section};
use crate::answer::Line;
use crate::document::{Block, Section};
use crate::figure::Figure;
use crate::view::View;

pub struct FrontierView {
    /// The size whose headroom is requested.
    pub size: Option<u64>,
    /// Findings that only the search itself can make.
    pub search: Vec<Finding>,
}

impl FrontierView {
    /// A search read from results, without its own findings.
    pub const AMONG_RESULTS: Self = Self { size: None, search: Vec::new() };
}

/// Returns the frontiers with several sizes; all frontiers if none has several.
fn searched<'f, 'a>(analysis: &'f Analysis<'a>) -> Vec<&'f frontier::Frontier<'a>> {
    let all = analysis.frontiers.iter();
    let searched: Vec<_> = all.clone().filter(|frontier| frontier.is_searched()).collect();
    if searched.is_empty() { all.collect() } else { searched }
}

impl View for FrontierView {
    fn weight(&self, analysis: &Analysis) -> Option<f64> {
        let searched = analysis.frontiers.iter().filter(|frontier| frontier.is_searched());
        let lines = searched.flat_map(|frontier| &frontier.grid.lines);
        let sizes = lines.flat_map(|line| line.sizes.values());
        let runs: u64 = sizes.map(|size| size.deadlines.runs).sum();
        (runs > 0).then(|| runs as f64 / analysis.outcomes.len() as f64)
    }

    fn findings(&self, analysis: &Analysis) -> Vec<Finding> {
        let searched = searched(analysis);
        let mut all = findings(&analysis.systems, &searched, self.size);
        let edge = foremost(&searched).and_then(|frontier| Some((frontier, frontier.missed()?)));
        all.extend(edge.into_iter().flat_map(|(of, at)| of_missed_size(analysis, of, at)));
        all.extend(self.search.iter().cloned());
        all
    }

    /// For each number of threads: the edge, and the size at which a step usually fits.
    fn figures(&self, analysis: &Analysis) -> Vec<Line> {
        let mut lines = Vec::new();
        for frontier in searched(analysis) {
            let axis = &frontier.grid.axis;
            lines.extend(frontier.grid.lines.iter().map(|line| {
                let deadlines = frontier.ends(line, Criterion::InDeadlines);
                let steps = frontier.ends(line, Criterion::InSteps);
                let figures = edge_figures(axis, deadlines.held(), deadlines.missed(), &steps);
                Line { what: counted(line.threads as usize, "thread"), figures }
            }));
        }
        lines
    }

    fn picture(&self, analysis: &Analysis) -> Option<Figure> {
        let several = searched(analysis).into_iter().filter(|frontier| frontier.is_searched());
        probes(&several.collect::<Vec<_>>())
    }

    fn sections(&self, analysis: &Analysis) -> Vec<Section> {
        let is_command = self.size.is_some() || !self.search.is_empty();
        let shown = searched(analysis).into_iter();
        let shown: Vec<_> = shown.filter(|frontier| is_command || frontier.is_searched()).collect();
        let mut section = section(&shown, analysis, self.size);
        if let Some(section) = section.as_mut().filter(|_| !self.search.is_empty()) {
            let search = self.search.iter().map(|found| capital(&found.sentence()));
            section.blocks.push(Block::notes("The search", search.collect()));
        }
        section.into_iter().collect()
    }
}
