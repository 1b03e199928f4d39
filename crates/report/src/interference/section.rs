//! The section of a matrix: a line per neighbour and place.

use analysis::interference::Matrix;
use analysis::words::{counted, percent, quantity};

use super::figure::figures;
use crate::document::{Cell, Section, Table, TableOf};
use crate::view::evidence;

const INTRODUCTION: &str = "The run was measured with one neighbour at a time, alternating with quiet runs; \
                            the order was drawn for each round. Each figure is divided by that of the \
                            quiet runs and has an interval; the unit of analysis is the run. The sham is a \
                            neighbour that sleeps: its ratio shows the error of all others.";

pub(super) fn section(number: usize, matrix: &Matrix) -> Section {
    let found = [vec![matrix.verdict()], matrix.details()].concat();
    let blocks = evidence(&found, figures(number, matrix), table(matrix));
    let title = format!("Neighbours of {}", matrix.of);
    Section::of(format!("interference-{number}"), title, INTRODUCTION, blocks)
}

fn table(matrix: &Matrix) -> Table {
    let tail = matrix.tail().name();
    let note = format!(
        "Intervals at {} confidence each, for {} together. Work is what the neighbour got done: one that \
         gets less CPU time does less, and harms less.",
        percent(matrix.confidence),
        counted(matrix.comparisons, "comparison"),
    );
    TableOf::of(&matrix.cells)
        .text("Neighbour", |cell| &cell.aggressor)
        .text("Place", |cell| cell.place.to_string())
        .text("CPUs", |cell| &cell.cpus)
        .detail()
        .runs(|cell| (cell.runs, cell.invalid, cell.why_invalid.as_ref()))
        .number(&format!("{tail}, ratio"), |cell| {
            Cell::or(cell.tail, "too few samples per run", Cell::ratio)
        })
        .number("Median, ratio", |cell| Cell::or(cell.median, "no valid run", Cell::ratio))
        .number("Odds of a miss, ratio", |cell| {
            Cell::or(cell.missed, "nothing was missed", Cell::ratio)
        })
        .detail()
        .number("Work per second", |cell| {
            Cell::or(cell.work_per_s, "no valid run", |work| {
                Cell::quantity(work).titled(&cell.unit)
            })
        })
        .text("Unit", |cell| &cell.unit)
        .detail()
        .number(&format!("{tail} rise per unit/s, µs"), |cell| {
            let shown =
                cell.harm_ns_per_work.filter(|_| cell.tail.is_some_and(|tail| tail.is_shown));
            Cell::or(shown, "no effect on the tail is shown", |ns| {
                let micros = ns / 1e3;
                let is_plain = micros == 0.0 || micros.abs() >= 1e-3;
                let shown = if is_plain { quantity(micros) } else { format!("{micros:.3e}") };
                Cell::number(shown, format!("{ns} ns")).of_value(ns, "ns")
            })
        })
        .detail()
        .text("Most frequent cause", |cell| cell.cause.as_deref().unwrap_or_default())
        .detail()
        .marked(|cell| cell.harms() && !matrix.sham_shows)
        .note(note)
        .table(format!("Every neighbour of {}", matrix.of))
}
