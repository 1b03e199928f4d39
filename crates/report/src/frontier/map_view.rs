//! A map: the sizes of a model that meet every deadline, by number of threads.

use analysis::Analysis;
use analysis::finding::{Finding, labelled};
use analysis::frontier::{EdgeSize, Edges, map_findings};
use analysis::general::of_missed_size;
use analysis::words::{bare, counted};
use record::Axis;

use super::map_section::{in_letters, section};
use crate::answer::Line;
use crate::document::{Block, Section};
use crate::view::View;

pub struct MapView {
    /// Whether maps are drawn in letters, for a terminal.
    pub in_letters: bool,
    /// Findings that only the search itself can make.
    pub search: Vec<Finding>,
}

impl MapView {
    /// A map read from results, without the search's own findings.
    pub const AMONG_RESULTS: Self = Self { in_letters: false, search: Vec::new() };
}

impl View for MapView {
    /// The frontier of the same runs leads instead, because it has the same first finding.
    fn weight(&self, _: &Analysis) -> Option<f64> {
        None
    }

    fn findings(&self, analysis: &Analysis) -> Vec<Finding> {
        let mut all = map_findings(&analysis.systems, &analysis.frontiers);
        let map = analysis.frontiers.first();
        let missed = map.and_then(|map| Some((map, map.first_miss()?)));
        all.extend(missed.into_iter().flat_map(|(map, at)| of_missed_size(analysis, map, at)));
        all.extend(self.search.iter().cloned());
        all
    }

    /// Where misses begin and where they become many, for each number of threads of the first map.
    fn figures(&self, analysis: &Analysis) -> Vec<Line> {
        let Some(map) = analysis.frontiers.first() else { return Vec::new() };
        map.edges().iter().map(|edges| line(&map.grid.axis, edges)).collect()
    }

    fn sections(&self, analysis: &Analysis) -> Vec<Section> {
        if !self.in_letters {
            return section(&analysis.frontiers, analysis.standards).into_iter().collect();
        }
        let mut sections = in_letters(&analysis.frontiers, analysis.standards);
        let notes = Block::notes("", labelled(&self.findings(analysis)));
        sections.push(Section { blocks: vec![notes], ..Section::default() });
        sections
    }
}

fn line(axis: &Axis, edges: &Edges) -> Line {
    let figure =
        |name: &str, size: EdgeSize| size.map(|(size, _)| format!("{name} {}", bare(axis, size)));
    let figures = [
        figure("no miss up to", edges.clean),
        figure("first miss", edges.first_miss),
        figure("many misses from", edges.first_many),
    ];
    let threads = |threads| counted(threads as usize, "thread");
    Line {
        what: edges.threads.map_or_else(|| "all".to_owned(), threads),
        figures: figures.into_iter().flatten().collect(),
    }
}
