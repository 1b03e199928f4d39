//! The cost of neighbours for a run: a line per neighbour and place, each compared with quiet runs.

use analysis::Analysis;
use analysis::comparison::Margin;
use analysis::effect::Effect;
use analysis::finding::{Compared, Finding};
use analysis::interference::{Cell, Matrix, findings};
use analysis::words::{counted, percent, quantity, times};

use super::view::{View, evidence};
use crate::answer::Line;
use crate::document::{Cell as Shown, Section, Table, TableOf};
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

    fn picture(&self, analysis: &Analysis) -> Option<figure::Figure> {
        figures(1, analysis.interference.first()?).into_iter().next()
    }

    fn sections(&self, analysis: &Analysis) -> Vec<Section> {
        let section = |(number, matrix): (usize, &Matrix)| {
            let found = [vec![matrix.verdict()], matrix.details()].concat();
            let blocks = evidence(&found, figures(number, matrix), table(matrix));
            let title = format!("Neighbours of {}", matrix.of);
            Section::of(format!("interference-{number}"), title, INTRODUCTION, blocks)
        };
        (1..).zip(&analysis.interference).map(section).collect()
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

/// Draws the intervals of the tail and of the median, if there are any.
fn figures(number: usize, matrix: &Matrix) -> Vec<figure::Figure> {
    let figure = |id, what: Compared, of: fn(&Cell) -> Option<Effect>| {
        let name = what.name();
        let caption =
            format!("{name} of {} with each neighbour, divided by that of quiet runs", matrix.of);
        let title = format!("{name} divided by that of quiet runs");
        let cells = matrix.cells.iter();
        let ratios: Vec<_> = cells.filter_map(|cell| Some((cell.name(), of(cell)?))).collect();
        let id = format!("beside-{id}-{number}");
        figure::ratios(&id, &caption, &title, Margin::default().share(), &ratios)
    };
    let tail = figure("tail", matrix.tail(), |cell| cell.tail);
    let median = figure("median", Compared::Median, |cell| cell.median);
    tail.into_iter().chain(median).collect()
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
            Shown::or(cell.tail, "too few samples per run", Shown::ratio)
        })
        .number("Median, ratio", |cell| Shown::or(cell.median, "no valid run", Shown::ratio))
        .number("Odds of a miss, ratio", |cell| {
            Shown::or(cell.missed, "nothing was missed", Shown::ratio)
        })
        .detail()
        .number("Work per second", |cell| {
            Shown::or(cell.work_per_s, "no valid run", |work| {
                Shown::quantity(work).titled(&cell.unit)
            })
        })
        .text("Unit", |cell| &cell.unit)
        .detail()
        .number(&format!("{tail} rise per unit/s, µs"), |cell| {
            let shown =
                cell.harm_ns_per_work.filter(|_| cell.tail.is_some_and(|tail| tail.is_shown));
            Shown::or(shown, "no effect on the tail is shown", |ns| {
                let micros = ns / 1e3;
                let is_plain = micros == 0.0 || micros.abs() >= 1e-3;
                let shown = if is_plain { quantity(micros) } else { format!("{micros:.3e}") };
                Shown::number(shown, format!("{ns} ns")).of_value(ns, "ns")
            })
        })
        .detail()
        .text("Most frequent cause", |cell| cell.cause.as_deref().unwrap_or_default())
        .detail()
        .marked(|cell| cell.harms() && !matrix.sham_shows)
        .note(note)
        .table(format!("Every neighbour of {}", matrix.of))
}
