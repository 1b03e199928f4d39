//! The missed-deadline map: masses against threads, binary and by count.

use std::collections::BTreeMap;

use plotly::color::Rgb;
use plotly::common::{HoverInfo, Line, Marker, MarkerSymbol, Mode, Position, Title};
use plotly::layout::{Axis, AxisRange};
use plotly::{Scatter, Trace};
use stats::frontier::Demand;

use super::{ABOVE, BELOW_AXIS, Figure, INK, axis, layout, log_axis, plot};
use analysis::capacity::{Cell, Grid};
use analysis::map::{Edges, ManyMisses};
use analysis::standards::Standards;
use analysis::words;

type Colour = [u8; 3];

/// Shown to miss none.
const SHOWN: Colour = [0x9C, 0xCF, 0xAA];
/// No miss, in too few deadlines to show that there is none.
const CLEAN: Colour = [0xD9, 0xDE, 0xE3];
const MISSED: Colour = [0xB3, 0x26, 0x1E];
/// From one missed deadline to many.
const FEW: [Colour; 2] = [[0xF7, 0xDC, 0x7A], [0xE8, 0x83, 0x2E]];

const LINE_HEIGHT: usize = 44;
/// More sizes than this have no room for numbers above their dots.
const ROOM_FOR_NUMBERS: usize = 7;
/// Pixels that a half of the map is wide, and that a dot is across.
const WIDTH: f64 = 440.0;
const DOT: [f64; 2] = [4.0, 15.0];

/// One half of the map: which axes, which part of the width, what it colours.
struct Half {
    axes: (&'static str, &'static str),
    domain: [f64; 2],
    title: &'static str,
    colour: fn(&Cell, &Judge) -> Colour,
    text: fn(&Cell) -> String,
}

/// By what a row of the map is coloured.
struct Judge {
    demand: Demand,
    /// Sizes of the row.
    among: usize,
    many: ManyMisses,
}

impl Judge {
    /// The colour of a size without a miss.
    fn clean(&self, cell: &Cell) -> Option<Colour> {
        let is_shown = self.demand.is_shown(*cell, self.among);
        let colour = if is_shown { SHOWN } else { CLEAN };
        (cell.missed == 0).then_some(colour)
    }
}

const HALVES: [Half; 2] = [
    Half {
        axes: ("x", "y"),
        domain: [0.0, 0.47],
        title: "any deadline missed",
        colour: |cell, judge| judge.clean(cell).unwrap_or(MISSED),
        text: |_| String::new(),
    },
    Half {
        axes: ("x2", "y2"),
        domain: [0.53, 1.0],
        title: "deadlines missed",
        colour: by_count,
        text: |cell| words::grouped(cell.missed),
    },
];

/// Green where none is shown to be missed, red with many; between them by the logarithm of
/// their number.
fn by_count(cell: &Cell, judge: &Judge) -> Colour {
    match (judge.clean(cell), judge.many) {
        (Some(colour), _) => colour,
        (None, many) if many.is_in(cell) => MISSED,
        (None, many) => {
            let most = (many.share() * cell.due as f64).max(1.0);
            let place = (cell.missed as f64).ln() / most.ln().max(f64::MIN_POSITIVE);
            mixed(FEW, place.clamp(0.0, 1.0))
        }
    }
}

/// The colour at a place from 0 to 1 between two.
fn mixed([from, to]: [Colour; 2], place: f64) -> Colour {
    let channel = |c: usize| {
        let (from, to) = (f64::from(from[c]), f64::from(to[c]));
        (from + (to - from) * place).round() as u8
    };
    [0, 1, 2].map(channel)
}

/// Both halves of the map of one grid, with the end of its use.
pub(crate) fn missed_deadlines(
    name: &str,
    machine: &str,
    grid: &Grid,
    edges: &[Edges],
    standards: &Standards,
) -> Figure {
    let many = standards.many;
    let height = ABOVE + BELOW_AXIS + grid.cells.len().max(2) * LINE_HEIGHT;
    let [left, right] = &HALVES;
    let layout = layout(height, "threads", 0)
        .x_axis(left.masses_axis(grid))
        .x_axis2(right.masses_axis(grid))
        .y_axis(left.threads_axis(grid))
        .y_axis2(right.threads_axis(grid));
    let traces = HALVES
        .iter()
        .flat_map(|half| [half.dots(grid, standards), half.end_of_use(grid, edges)])
        .collect();
    let caption = format!(
        "{machine}, {}, {}. Green is shown to miss no deadline (over {}), grey missed none so \
         far. Left: red missed at least one. Right: \
         yellow to orange by how many were missed, red where {many} were. The bar is the last \
         size that is soft real time.",
        grid.rate(),
        grid.conditions(),
        standards.limits.shown_in_words(),
    );
    Figure::new(name, caption, height, &plot(name, layout, traces))
}

impl Half {
    fn masses_axis(&self, grid: &Grid) -> Axis {
        const MARGIN: f64 = 1.25;
        let masses = grid.masses();
        let ends = [masses.first(), masses.last()].map(|end| end.copied().unwrap_or(1) as f64);
        let (least, most) = (ends[0] / MARGIN, ends[1] * MARGIN);
        log_axis("", least, most, words::quantity)
            .title(Title::with_text(format!("masses ({})", self.title)))
            .domain(&self.domain)
            .anchor(self.axes.1)
            .range(AxisRange::new(least.log10(), most.log10()))
    }

    /// A line a number of threads, evenly apart.
    fn threads_axis(&self, grid: &Grid) -> Axis {
        let lines = grid.cells.len();
        axis("")
            .anchor(self.axes.0)
            .show_grid(false)
            .range(AxisRange::new(-0.6, lines as f64 - 0.4))
            .tick_values((0..lines).map(|line| line as f64).collect())
            .tick_text(grid.cells.keys().map(ToString::to_string).collect())
    }

    fn dots(&self, grid: &Grid, standards: &Standards) -> Box<dyn Trace> {
        let all = || {
            let lines = grid.cells.values().enumerate();
            lines.flat_map(|(line, row)| row.iter().map(move |(m, cell)| (line, *m, cell)))
        };
        let hover = |(_, masses, cell): (usize, u64, &Cell)| {
            let [masses, missed, due] = [masses, cell.missed, cell.due].map(words::grouped);
            format!("{masses} masses: {missed} of {due} deadlines missed")
        };
        let among: Vec<usize> = grid.cells.values().map(BTreeMap::len).collect();
        let colour = |(line, _, cell): (usize, u64, &Cell)| {
            let judge = Judge {
                demand: grid.hard(&standards.limits),
                among: among[line],
                many: standards.many,
            };
            let [red, green, blue] = (self.colour)(cell, &judge);
            Rgb::new(red, green, blue)
        };
        let sizes = grid.masses().len();
        let (mode, size) = match sizes {
            ..=ROOM_FOR_NUMBERS => (Mode::MarkersText, DOT[1]),
            _ => (Mode::Markers, (WIDTH / sizes as f64).clamp(DOT[0], DOT[1])),
        };
        Scatter::new(
            all().map(|(_, masses, _)| masses as f64).collect(),
            all().map(|(line, _, _)| line as f64).collect(),
        )
        .mode(mode)
        .x_axis(self.axes.0)
        .y_axis(self.axes.1)
        .text_array(
            all()
                .map(|(_, _, cell)| (self.text)(cell))
                .collect::<Vec<_>>(),
        )
        .text_position(Position::TopCenter)
        .hover_text_array(all().map(hover).collect::<Vec<_>>())
        .hover_info(HoverInfo::Text)
        .marker(
            Marker::new()
                .symbol(MarkerSymbol::Square)
                .size(size as usize)
                .line(Line::new().color("#FFFFFF").width(1.0))
                .color_array(all().map(colour).collect::<Vec<Rgb>>()),
        )
    }

    fn end_of_use(&self, grid: &Grid, edges: &[Edges]) -> Box<dyn Trace> {
        const REACH: f64 = 0.36;
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for (line, threads) in grid.cells.keys().enumerate() {
            let own = edges.iter().find(|edges| edges.threads == Some(*threads));
            if let Some((masses, _)) = own.and_then(|edges| edges.usable) {
                let line = line as f64;
                x.extend([masses as f64, masses as f64, f64::NAN]);
                y.extend([line - REACH, line + REACH, f64::NAN]);
            }
        }
        Scatter::new(x, y)
            .mode(Mode::Lines)
            .x_axis(self.axes.0)
            .y_axis(self.axes.1)
            .hover_info(HoverInfo::Skip)
            .line(Line::new().color(INK).width(2.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_tell_none_few_and_many() {
        let judge = Judge {
            demand: Demand {
                most: 0.0,
                least: 1000,
                // Five clean runs show that fewer than half are bad.
                bad_runs: 0.5,
            },
            among: 1,
            many: ManyMisses::default(),
        };
        let in_runs = |runs: u64, missed| {
            let mut cell = Cell::default();
            (0..runs - 1).for_each(|_| cell.add(Cell::one(1000 / runs, 0)));
            cell.add(Cell::one(1000 / runs, missed));
            by_count(&cell, &judge)
        };
        let of = |missed| in_runs(5, missed);
        assert_eq!((of(0), in_runs(4, 0)), (SHOWN, CLEAN));
        assert_eq!(of(1), FEW[0]);
        assert_eq!(of(100), FEW[1]);
        assert_eq!(of(101), MISSED);
        let between = of(10);
        assert!(between != FEW[0] && between != FEW[1]);
    }
}
