//! The cost of neighbours for a run: a line per neighbour and place, each compared with quiet runs.

use crate::answer::Line;
use analysis::Analysis;
use analysis::comparison::Margin;
use analysis::effect::Effect;
use analysis::finding::{Compared, Finding};
use analysis::interference::{Cell, Matrix, findings};
use analysis::words::{counted, percent, times};

use super::view::{View, evidence};
use crate::document::{Cell as Shown, Section, Table, TableOf};
use crate::english::compared;
use crate::figure;

/// Maximum number of neighbours in an answer.
const MOST: usize = 6;

const INTRODUCTION: &str = "The run was measured with one neighbour at a time, alternating with quiet runs; \
                            the order was drawn for each round. Each figure is divided by that of the \
                            quiet runs and has an interval; the unit of analysis is the run. The sham is a \
                            neighbour that sleeps: its ratio shows the error of all others.";

pub struct Interference;

impl View for Interference {
    fn weight(&self, analysis: &Analysis) -> Option<f64> {
        let with_neighbour = |run: &&&plan::Outcome| run.header.spec.vicinity.is_some();
        let runs = analysis.outcomes.iter().filter(with_neighbour).count();
        let share = runs as f64 / analysis.outcomes.len() as f64;
        (!analysis.interference.is_empty()).then_some(share)
    }

    fn findings(&self, analysis: &Analysis) -> Vec<Finding> {
        findings(&analysis.interference)
    }

    fn figures(&self, analysis: &Analysis) -> Vec<Line> {
        let first = analysis.interference.iter().take(1);
        let harmful = first
            .flat_map(|matrix| matrix.harmful().into_iter().map(|cell| line(matrix.tail(), cell)));
        harmful.take(MOST).collect()
    }

    fn picture(&self, analysis: &Analysis) -> Option<figure::Figure> {
        figures(1, analysis.interference.first()?).into_iter().next()
    }

    fn sections(&self, analysis: &Analysis) -> Vec<Section> {
        (1..).zip(&analysis.interference).map(section).collect()
    }
}

fn line(tail: Compared, cell: &Cell) -> Line {
    let figure = |figure: Compared, effect: Option<Effect>| {
        let ratio = effect.map_or_else(|| "–".to_owned(), |effect| times(effect.times[1]) + "x");
        format!("{} {ratio}", compared(figure))
    };
    let figures = vec![figure(tail, cell.tail), figure(Compared::Median, cell.median)];
    Line { what: cell.name(), figures }
}

fn section((number, matrix): (usize, &Matrix)) -> Section {
    let found = [vec![matrix.verdict()], matrix.details()].concat();
    let blocks = evidence(&found, figures(number, matrix), table(matrix));
    let title = format!("Neighbours of {}", matrix.of);
    Section::of(format!("interference-{number}"), title, INTRODUCTION, blocks)
}

/// Draws the intervals of the tail and of the median, if there are any.
fn figures(number: usize, matrix: &Matrix) -> Vec<figure::Figure> {
    type Figure = fn(&Cell) -> Option<Effect>;
    let drawn: [(&str, Compared, Figure); 2] = [
        ("tail", matrix.tail(), |cell| cell.tail),
        ("median", Compared::Median, |cell| cell.median),
    ];
    let figure = |(id, name, of): (&str, Compared, Figure)| {
        let name = compared(name);
        let caption =
            format!("{name} of {} with each neighbour, divided by that of quiet runs", matrix.of);
        let title = format!("{name} divided by that of quiet runs");
        let ratios: Vec<figure::Ratio> =
            matrix.cells.iter().filter_map(|cell| Some((cell.name(), of(cell)?))).collect();
        let id = format!("beside-{id}-{number}");
        figure::ratios(&id, &caption, &title, Margin::default().share(), &ratios)
    };
    drawn.into_iter().filter_map(figure).collect()
}

fn table(matrix: &Matrix) -> Table {
    let tail = compared(matrix.tail());
    let work = |cell: &Cell| {
        let done = |work| Shown::quantity(work).titled(&cell.unit);
        Shown::or(cell.work_per_s, "no valid run", done)
    };
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
            Shown::or(cell.tail, "too few samples per run", Shown::ratio)
        })
        .number("Median, ratio", |cell| Shown::or(cell.median, "no valid run", Shown::ratio))
        .number("Odds of a miss, ratio", |cell| {
            Shown::or(cell.missed, "nothing was missed", Shown::ratio)
        })
        .detail()
        .number("Work per second", work)
        .text("Unit", |cell| &cell.unit)
        .detail()
        .number(&format!("{tail} rise per unit/s, µs"), |cell| {
            Shown::or(cell.harm_ns_per_work, "no tail, or no work", |ns| {
                let text = format!("{:.3e}", ns / 1e3);
                Shown::number(text, format!("{ns} ns")).of_value(ns, "ns")
            })
        })
        .detail()
        .text("Most frequent cause", |cell| cell.cause.as_deref().unwrap_or_default())
        .detail()
        .marked(|cell| cell.harms() && !matrix.sham_shows)
        .note(note)
        .table(format!("Every neighbour of {}", matrix.of))
}
