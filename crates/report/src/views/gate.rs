//! Gates: whether one side is worse than another by more than a margin.

use analysis::Analysis;
use analysis::finding::{Finding, GateAnswer, gate_times};
use analysis::gate::{Compared, Exact, Gate as Judged, GateRow};
use analysis::words::{counted, percent, time};

use super::view::{View, evidence, worded};
use crate::answer::{Answer, Line};
use crate::document::{Cell, Section, Table, TableOf};
use crate::figure::{self, Figure, Ratio};

/// Maximum number of rows in an answer.
const MOST: usize = 7;

const INTRODUCTION: &str = "A, A again and B alternate in rounds, in an order drawn for each round. The unit of \
                            analysis is the run, and each round is compared with itself. A row passes if its whole \
                            interval is within the margin, and fails if the whole interval is beyond it.";

pub struct Gate;

impl View for Gate {
    fn weight(&self, analysis: &Analysis) -> Option<f64> {
        let runs = &analysis.outcomes;
        let of_gates = runs.iter().filter(|run| run.header.spec.gate.is_some()).count();
        (!analysis.gates.is_empty()).then(|| of_gates as f64 / runs.len() as f64)
    }

    fn findings(&self, analysis: &Analysis) -> Vec<Finding> {
        analysis.gates.first().map_or_else(Vec::new, Judged::findings)
    }

    fn figures(&self, analysis: &Analysis) -> Vec<Line> {
        let rows = analysis.gates.first().map_or(&[][..], |gate| &gate.rows);
        rows.iter().take(MOST).map(line).collect()
    }

    fn picture(&self, analysis: &Analysis) -> Option<Figure> {
        forest(1, analysis.gates.first()?)
    }

    fn sections(&self, analysis: &Analysis) -> Vec<Section> {
        let section = |(number, gate): (usize, &Judged)| {
            let blocks = evidence(&gate.findings(), forest(number, gate), table(gate));
            let title = "Is B worse than A by more than the margin?";
            Section::of(format!("gate-{number}"), title, INTRODUCTION, blocks)
        };
        (1..).zip(&analysis.gates).map(section).collect()
    }
}

pub fn exact_gate(exact: &Exact) -> Answer {
    let subject = format!("Gate `{}`", exact.name);
    worded(subject, counted(exact.runs.len(), "run"), &exact.findings(), Vec::new())
}

fn line(row: &GateRow) -> Line {
    let mut figures = vec![row.answer.words()];
    if let Some(Compared { effect, .. }) = row.compared {
        let [a, b] = effect.values.map(time);
        figures.extend([format!("A {a}"), format!("B {b}"), gate_times(effect.times)]);
    }
    Line { what: row.label.clone(), figures }
}

fn forest(number: usize, gate: &Judged) -> Option<Figure> {
    let ratio = |row: &GateRow| Some((row.label.clone(), row.compared?.effect));
    let ratios: Vec<Ratio> = gate.rows.iter().filter_map(ratio).collect();
    let caption = format!(
        "{} of B, divided by that of A, with intervals. Filled: B is worse by more than the margin \
         of {}, which broken lines show.",
        gate.figure,
        percent(gate.margin)
    );
    let title = format!("{}, B divided by A", gate.figure);
    figure::ratios(&format!("gate-{number}"), &caption, &title, gate.margin, &ratios)
}

fn table(gate: &Judged) -> Table {
    let of = |figure: fn(Compared) -> Cell| {
        move |row: &GateRow| row.compared.map_or(Cell::none("not measured"), figure)
    };
    TableOf::of(&gate.rows)
        .text("Row", |row| &row.label)
        .text("Answer", |row| row.answer.words())
        .judged(|row| match row.answer.kind() {
            GateAnswer::Passes => Some(true),
            GateAnswer::Fails => Some(false),
            GateAnswer::Undecided | GateAnswer::NotMeasured => None,
        })
        .number("A", of(|compared| Cell::time(compared.effect.values[0])))
        .number("B", of(|compared| Cell::time(compared.effect.values[1])))
        .number("B divided by A", of(|compared| Cell::text(gate_times(compared.effect.times))))
        .number("A divided by A", of(|compared| Cell::text(gate_times(compared.a_vs_a))))
        .detail()
        .number(
            "Found in 80 % of such gates",
            of(|compared| Cell::text(format!("{:.3}x", compared.detectable))),
        )
        .detail()
        .table("")
}
