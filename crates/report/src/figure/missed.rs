//! The missed-deadline map: masses against threads, binary and by count.

use plotly::common::{ColorScale, ColorScaleElement, Font, HoverInfo, Title};
use plotly::layout::{Annotation, Axis, AxisType};
use plotly::{HeatMap, Trace};

use super::{ABOVE, BELOW_AXIS, Figure, INK, axis, layout, plot};
use crate::capacity::{Cell, Grid};
use crate::words;

const HELD: &str = "#CFE8D5";
const MISSED: &str = "#B3261E";
/// From few missed deadlines to all.
const BY_SHARE: [(f64, &str); 5] = [
    (0.0, HELD),
    (0.01, "#FDE9A9"),
    (0.35, "#F5A94C"),
    (0.7, "#DD5A36"),
    (1.0, MISSED),
];
/// More sizes than this have no room for numbers in their cells.
const ROOM_FOR_NUMBERS: usize = 12;
const LINE_HEIGHT: usize = 44;

/// One half of the map: which axes, which part of the width, what it colours.
struct Half {
    axes: (&'static str, &'static str),
    domain: [f64; 2],
    title: &'static str,
    value: fn(&Cell) -> f64,
    text: fn(&Cell) -> String,
    scale: &'static [(f64, &'static str)],
}

const HALVES: [Half; 2] = [
    Half {
        axes: ("x", "y"),
        domain: [0.0, 0.47],
        title: "any deadline missed",
        value: |cell| f64::from(u8::from(cell.missed > 0)),
        text: |cell| if cell.missed > 0 { "missed" } else { "held" }.to_owned(),
        scale: &[(0.0, HELD), (1.0, MISSED)],
    },
    Half {
        axes: ("x2", "y2"),
        domain: [0.53, 1.0],
        title: "deadlines missed",
        value: share,
        text: |cell| words::grouped(cell.missed),
        scale: &BY_SHARE,
    },
];

/// The share of missed deadlines on a logarithmic scale from 0 (none) to 1 (all).
fn share(cell: &Cell) -> f64 {
    (1.0 + cell.missed as f64).ln() / (1.0 + cell.due as f64).ln()
}

/// Both halves of the map of one grid.
pub(crate) fn missed_deadlines(name: &str, machine: &str, grid: &Grid) -> Figure {
    let height = ABOVE + BELOW_AXIS + grid.cells.len().max(2) * LINE_HEIGHT;
    let masses: Vec<String> = grid.masses().iter().map(|m| words::grouped(*m)).collect();
    let threads: Vec<String> = grid.cells.keys().map(ToString::to_string).collect();
    let [left, right] = &HALVES;
    let mut numbers = Vec::new();
    if masses.len() <= ROOM_FOR_NUMBERS {
        HALVES
            .iter()
            .for_each(|half| numbers.extend(half.numbers(grid)));
    }
    let layout = layout(height, "threads", 0)
        .x_axis(left.masses_axis())
        .x_axis2(right.masses_axis())
        .y_axis(left.threads_axis())
        .y_axis2(right.threads_axis())
        .annotations(numbers);
    let traces = HALVES
        .iter()
        .map(|half| half.trace(grid, &masses, &threads))
        .collect();
    let caption = format!(
        "{machine}, {}, {}. Left: green held every deadline, red missed at least one. \
         Right: how many were missed.",
        grid.rate(),
        grid.conditions()
    );
    Figure::new(name, caption, height, &plot(name, layout, traces))
}

impl Half {
    fn masses_axis(&self) -> Axis {
        axis("")
            .title(Title::with_text(format!("masses ({})", self.title)))
            .type_(AxisType::Category)
            .domain(&self.domain)
            .anchor(self.axes.1)
            .show_grid(false)
    }

    fn threads_axis(&self) -> Axis {
        axis("")
            .type_(AxisType::Category)
            .anchor(self.axes.0)
            .show_grid(false)
    }

    fn trace(&self, grid: &Grid, masses: &[String], threads: &[String]) -> Box<dyn Trace> {
        let z: Vec<Vec<Option<f64>>> = each(grid, |cell| cell.as_ref().map(self.value));
        let hover = each(grid, |cell| {
            cell.map_or_else(String::new, |cell| {
                let (missed, due) = (words::grouped(cell.missed), words::grouped(cell.due));
                format!("{missed} of {due} deadlines missed")
            })
        });
        let scale = self
            .scale
            .iter()
            .map(|(place, colour)| ColorScaleElement(*place, (*colour).to_owned()))
            .collect();
        HeatMap::new(masses.to_vec(), threads.to_vec(), z)
            .zmin(0.0)
            .zmax(1.0)
            .color_scale(ColorScale::Vector(scale))
            .show_scale(false)
            .x_gap(2)
            .y_gap(2)
            .x_axis(self.axes.0)
            .y_axis(self.axes.1)
            .hover_text_matrix(hover)
            .hover_info(HoverInfo::Text)
    }

    /// The cells' numbers, written over their colours.
    fn numbers(&self, grid: &Grid) -> Vec<Annotation> {
        let number = |column: usize, line: usize, cell: &Cell| {
            let ink = if (self.value)(cell) > 0.6 {
                "#FFFFFF"
            } else {
                INK
            };
            Annotation::new()
                .x(column)
                .y(line)
                .x_ref(self.axes.0)
                .y_ref(self.axes.1)
                .text((self.text)(cell))
                .show_arrow(false)
                .font(Font::new().size(12).color(ink))
        };
        let cells = each(grid, |cell| cell);
        let mut numbers = Vec::new();
        for (line, row) in cells.iter().enumerate() {
            for (column, cell) in row.iter().enumerate() {
                numbers.extend(cell.iter().map(|cell| number(column, line, cell)));
            }
        }
        numbers
    }
}

/// A value for each number of threads (outer) and size (inner).
fn each<T>(grid: &Grid, value: impl Fn(Option<Cell>) -> T) -> Vec<Vec<T>> {
    let masses = grid.masses();
    grid.cells
        .values()
        .map(|row| masses.iter().map(|m| value(row.get(m).copied())).collect())
        .collect()
}
