//! The section of a gate: its findings, and the answer of every row.

use analysis::finding::{GateAnswer, gate_times};
use analysis::gate::{Compared, Gate, GateRow};

use super::figure::forest;
use crate::document::{Cell, Section, Table, TableOf};
use crate::view::evidence;

const INTRODUCTION: &str = "A, A again and B alternate in rounds, in an order drawn for each round. The unit of \
                            analysis is the run, and each round is compared with itself. A row passes if its whole \
                            interval is within the margin, and fails if the whole interval is beyond it.";

pub(super) fn section(number: usize, gate: &Gate) -> Section {
    let blocks = evidence(&gate.findings(), forest(number, gate), table(gate));
    let title = "Is B worse than A by more than the margin?";
    Section::of(format!("gate-{number}"), title, INTRODUCTION, blocks)
}

fn table(gate: &Gate) -> Table {
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
