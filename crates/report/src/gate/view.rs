//! Gates: whether one side is worse than another by more than a margin.

use analysis::Analysis;
use analysis::finding::{Finding, gate_times};
use analysis::gate::{Compared, Exact, Gate, GateRow};
use analysis::words::{draws_of_runs, time};

use super::figure::forest;
use super::section::section;
use crate::answer::{Answer, Line};
use crate::document::Section;
use crate::figure::Figure;
use crate::view::{View, worded};

/// Maximum number of rows in an answer.
const MOST: usize = 7;

pub struct GateView;

impl View for GateView {
    fn weight(&self, analysis: &Analysis) -> Option<f64> {
        let runs = &analysis.outcomes;
        let of_gates = runs.iter().filter(|run| run.header.spec.gate.is_some()).count();
        (!analysis.gates.is_empty()).then(|| of_gates as f64 / runs.len() as f64)
    }

    fn findings(&self, analysis: &Analysis) -> Vec<Finding> {
        analysis.gates.first().map_or_else(Vec::new, Gate::findings)
    }

    fn figures(&self, analysis: &Analysis) -> Vec<Line> {
        let rows = analysis.gates.first().map_or(&[][..], |gate| &gate.rows);
        rows.iter().take(MOST).map(line).collect()
    }

    fn picture(&self, analysis: &Analysis) -> Option<Figure> {
        forest(1, analysis.gates.first()?)
    }

    fn sections(&self, analysis: &Analysis) -> Vec<Section> {
        (1..).zip(&analysis.gates).map(|(number, gate)| section(number, gate)).collect()
    }
}

pub fn exact_gate(exact: &Exact) -> Answer {
    let subject = format!("Gate `{}`", exact.name);
    let effort = draws_of_runs(exact.draws, exact.runs.len());
    worded(subject, effort, &exact.findings(), Vec::new())
}

fn line(row: &GateRow) -> Line {
    let mut figures = vec![row.answer.words()];
    if let Some(Compared { effect, .. }) = row.compared {
        let [a, b] = effect.values.map(time);
        figures.extend([format!("A {a}"), format!("B {b}"), gate_times(effect.times)]);
    }
    Line { what: row.label.clone(), figures }
}
