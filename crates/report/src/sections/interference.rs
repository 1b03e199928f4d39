//! What neighbours do to a run: a line a neighbour and place, and how far each is from quiet.

use analysis::interference::{Cell as Neighbour, Matrix, sentences};
use analysis::ratio::Ratio;
use analysis::words;

use super::ratio::times;
use crate::document::{Block, Cell, Column, Line, Section, Table};
use crate::figure;

const INTRODUCTION: &str = "The same run beside one neighbour at a time, in turns with quiet runs, in an order \
                            drawn for each round. How many times a figure is that of quiet runs, with its \
                            interval; runs are the unit. The sham is a neighbour that sleeps: what it \
                            shows is the error of all others.";

/// A section for each matrix.
pub(crate) fn shown(matrices: &[Matrix]) -> Vec<Section> {
    let section = |(number, matrix): (usize, &Matrix)| {
        let notes = Block::notes("", sentences(matrix));
        let figures = figures(number, matrix).into_iter().map(Block::Figure);
        let blocks = [notes].into_iter().chain(figures);
        Section::of(
            format!("interference-{number}"),
            format!("Neighbours of {}", matrix.of),
            INTRODUCTION,
            blocks.chain([Block::Table(table(matrix))]).collect(),
        )
    };
    (1..).zip(matrices).map(section).collect()
}

/// Intervals of the tail and of the median, where there are some.
fn figures(number: usize, matrix: &Matrix) -> Vec<figure::Figure> {
    let tail = matrix.tail();
    let drawn = [
        ("tail", tail, ratios(matrix, |cell| cell.tail)),
        ("median", "median", ratios(matrix, |cell| cell.median)),
    ];
    let figure = |(id, name, ratios): (&str, &str, Vec<figure::Ratio>)| {
        let caption = format!("How many times the {name} of {} is with each neighbour", matrix.of);
        let title = format!("how many times the {name} is");
        figure::ratios(&format!("beside-{id}-{number}"), &caption, &title, MARGIN, &ratios)
    };
    drawn.into_iter().filter_map(figure).collect()
}

/// A ratio up to this from 1 counts as none.
const MARGIN: f64 = 0.05;

fn ratios(matrix: &Matrix, of: fn(&Neighbour) -> Option<Ratio>) -> Vec<figure::Ratio> {
    let ratio = |cell: &Neighbour| {
        let ratio = of(cell)?;
        Some(figure::Ratio {
            name: cell.name(),
            interval: [ratio.lower, ratio.ratio, ratio.upper],
            is_shown: ratio.shown,
        })
    };
    matrix.cells.iter().filter_map(ratio).collect()
}

fn table(matrix: &Matrix) -> Table {
    let tail = matrix.tail();
    Table {
        caption: format!("Every neighbour of {}", matrix.of),
        columns: vec![
            Column::words("Neighbour"),
            Column::words("Place"),
            Column::numbers("CPUs").in_detail(),
            Column::numbers("Runs"),
            Column::numbers(&format!("{tail}, times")),
            Column::numbers("Median, times"),
            Column::numbers("Odds of a miss, times").in_detail(),
            Column::numbers("Work a second"),
            Column::words("Counted in").in_detail(),
            Column::numbers(&format!("{tail} later a unit a second, µs")).in_detail(),
            Column::words("Late most often by").in_detail(),
        ],
        rows: matrix.cells.iter().map(|cell| line(matrix, cell)).collect(),
        note: format!(
            "Intervals at {} confidence, which is what is left for each of {}. Work is what the \
             neighbour got done: one whose CPU is taken from it harms less because it does less.",
            words::percent(matrix.confidence),
            words::counted(matrix.comparisons, "comparison"),
        ),
        ..Table::default()
    }
}

fn line(matrix: &Matrix, cell: &Neighbour) -> Line {
    let runs = match (cell.runs, cell.invalid) {
        (runs, 0) => Cell::number(runs.to_string(), ""),
        (runs, invalid) => Cell {
            title: cell.why_invalid.clone().unwrap_or_default(),
            ..Cell::number(format!("{runs}, {invalid} INVALID"), "").judged(false)
        },
    };
    let work = cell.work_per_s.map_or_else(
        || Cell::none("no valid run"),
        |work| Cell::number(words::quantity(work), &cell.unit),
    );
    let harm = cell.harm_ns_per_work.map_or_else(
        || Cell::none("no tail, or no work"),
        |ns| Cell::number(format!("{:.3e}", ns / 1e3), format!("{ns} ns")),
    );
    let class = if cell.harms() && !matrix.sham_shows { "ours" } else { "" };
    Line {
        class,
        cells: vec![
            Cell::text(&cell.aggressor),
            Cell::text(cell.place.to_string()),
            Cell::number(&cell.cpus, ""),
            runs,
            times(cell.tail, "too few samples a run"),
            times(cell.median, "no valid run"),
            times(cell.missed, "nothing was missed"),
            work,
            Cell::text(&cell.unit),
            harm,
            Cell::text(cell.cause.as_deref().unwrap_or_default()),
        ],
    }
}
