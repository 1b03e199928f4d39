//! The cost of neighbours for a run: a line per neighbour and place, each compared with quiet runs.

use analysis::Analysis;
use analysis::effect::Effect;
use analysis::finding::{Compared, Finding};
use analysis::interference::{Cell, findings};
use analysis::words::times;

use super::figure::figures;
use super::section::section;
use crate::answer::Line;
use crate::document::Section;
use crate::figure::Figure;
use crate::view::View;

/// Maximum number of neighbours in an answer.
const MOST: usize = 6;

pub struct InterferenceView;

impl View for InterferenceView {
    fn weight(&self, analysis: &Analysis) -> Option<f64> {
        let all = &analysis.outcomes;
        let beside = all.iter().filter(|run| run.header.spec.vicinity.is_some()).count();
        (!analysis.interference.is_empty()).then(|| beside as f64 / all.len() as f64)
    }

    fn findings(&self, analysis: &Analysis) -> Vec<Finding> {
        findings(&analysis.interference)
    }

    fn figures(&self, analysis: &Analysis) -> Vec<Line> {
        let Some(matrix) = analysis.interference.first() else { return Vec::new() };
        let harmful = matrix.harmful().into_iter().take(MOST);
        harmful.map(|cell| line(matrix.tail(), cell)).collect()
    }

    fn picture(&self, analysis: &Analysis) -> Option<Figure> {
        figures(1, analysis.interference.first()?).into_iter().next()
    }

    fn sections(&self, analysis: &Analysis) -> Vec<Section> {
        let matrices = (1..).zip(&analysis.interference);
        matrices.map(|(number, matrix)| section(number, matrix)).collect()
    }
}

fn line(tail: Compared, cell: &Cell) -> Line {
    let figure = |figure: Compared, effect: Option<Effect>| {
        let ratio = effect.map_or_else(|| "–".to_owned(), |effect| times(effect.times[1]) + "x");
        format!("{} {ratio}", figure.name())
    };
    let figures = vec![figure(tail, cell.tail), figure(Compared::Median, cell.median)];
    Line { what: cell.name(), figures }
}
