//! The roofline (Williams, Waterman and Patterson, 2009): what solvers reach under the
//! ceilings of memory and arithmetic.

use plotly::common::{DashType, Font, HoverInfo, Line, Marker, MarkerSymbol, Mode, Position};
use plotly::layout::AxisRange;
use plotly::{Scatter, Trace};

use super::{ABOVE, BELOW_AXIS, Figure, INK, LEGEND_LINE_HEIGHT, colour, layout, log_axis, plot};
use analysis::words;

const PLOT_HEIGHT: usize = 420;

/// Ceilings of one precision on one number of threads.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Roof {
    /// What stands beside it.
    pub name: String,
    /// Operations a second that the arithmetic units do.
    pub operations_per_s: f64,
    /// Bytes a second that the memory moves.
    pub bytes_per_s: f64,
    /// Whether they are those of one thread.
    pub is_alone: bool,
}

/// What one solver reached on one size.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Point {
    /// The solver; one colour each.
    pub solver: String,
    /// Operations for each byte that a pass over memory moves.
    pub operations_a_byte: f64,
    /// Operations a second.
    pub operations_per_s: f64,
    /// Masses, which make the point large.
    pub masses: u64,
    /// Whether it is in half precision of the other.
    pub is_single: bool,
    /// Whether one thread did it.
    pub is_alone: bool,
    /// What the pointer shows.
    pub hover: String,
}

/// Roofs and points on logarithmic axes; `None` without one of either.
pub(crate) fn roofline(
    name: &str,
    machine: &str,
    roofs: &[Roof],
    points: &[Point],
) -> Option<Figure> {
    let across = || {
        let ridges = roofs.iter().map(Roof::ridge);
        points
            .iter()
            .map(|point| point.operations_a_byte)
            .chain(ridges)
    };
    let upwards = || {
        let tops = roofs.iter().map(|roof| roof.operations_per_s);
        points
            .iter()
            .map(|point| point.operations_per_s)
            .chain(tops)
    };
    let (left, right) = (least(across())? / 1.8, most(across())? * 3.0);
    let (low, high) = (least(upwards())? / 1.8, most(upwards())? * 1.8);
    let mut named: Vec<&str> = Vec::new();
    for point in points {
        if !named.contains(&point.solver.as_str()) {
            named.push(&point.solver);
        }
    }
    let height = PLOT_HEIGHT + ABOVE + BELOW_AXIS + named.len() * LEGEND_LINE_HEIGHT;
    let ends = |from: f64, to: f64| AxisRange::new(from.log10(), to.log10());
    let layout = layout(
        height,
        "operations a second: multiplications and fused multiply-adds",
        named.len(),
    )
    .x_axis(
        log_axis(
            "operations for each byte of state that a pass reads or writes",
            left,
            right,
            words::quantity,
        )
        .range(ends(left, right)),
    )
    .y_axis(log_axis("", low, high, words::quantity).range(ends(low, high)));
    let mut traces: Vec<Box<dyn Trace>> = roofs.iter().map(|roof| roof.trace(low, right)).collect();
    for (index, solver) in named.iter().enumerate() {
        let own = points.iter().filter(|point| point.solver == *solver);
        traces.extend(markers(index, own.collect()));
    }
    let caption = format!(
        "{machine}. The slopes are what memory allows, the level lines what the arithmetic units \
         allow; dashed for one thread. A point above its slope has its state in caches. Circles: \
         `f64`, diamonds: `f32`; open: one thread, filled: several; the larger the more masses."
    );
    Some(Figure::new(
        name,
        caption,
        height,
        &plot(name, layout, traces),
    ))
}

fn least(values: impl Iterator<Item = f64>) -> Option<f64> {
    values.filter(|value| *value > 0.0).reduce(f64::min)
}

fn most(values: impl Iterator<Item = f64>) -> Option<f64> {
    values.filter(|value| value.is_finite()).reduce(f64::max)
}

impl Roof {
    /// Where both ceilings meet, in operations a byte.
    fn ridge(&self) -> f64 {
        self.operations_per_s / self.bytes_per_s
    }

    /// From where the slope comes up over the ridge to the right.
    fn trace(&self, low: f64, right: f64) -> Box<dyn Trace> {
        let (dash, place) = match self.is_alone {
            true => (DashType::Dash, Position::BottomLeft),
            false => (DashType::Solid, Position::TopLeft),
        };
        let x = vec![low / self.bytes_per_s, self.ridge(), right];
        let y = vec![low, self.operations_per_s, self.operations_per_s];
        Scatter::new(x, y)
            .mode(Mode::LinesText)
            .text_array(vec!["", "", self.name.as_str()])
            .text_position(place)
            .text_font(Font::new().size(11))
            .hover_info(HoverInfo::Skip)
            .show_legend(false)
            .line(Line::new().color(INK).width(1.2).dash(dash))
    }
}

/// The points of one solver, a trace for each symbol; the first stands in the legend.
fn markers(index: usize, mut points: Vec<&Point>) -> Vec<Box<dyn Trace>> {
    points.sort_by_key(|point| point.kind());
    let of_kind = |(place, alike): (usize, &[&Point])| {
        let all = |of: fn(&Point) -> f64| alike.iter().map(|point| of(point)).collect();
        let hovers: Vec<&str> = alike.iter().map(|point| point.hover.as_str()).collect();
        let trace: Box<dyn Trace> =
            Scatter::new(all(|p| p.operations_a_byte), all(|p| p.operations_per_s))
                .name(&alike[0].solver)
                .legend_group(&alike[0].solver)
                .show_legend(place == 0)
                .mode(Mode::Markers)
                .text_array(hovers)
                .hover_info(HoverInfo::Text)
                .marker(
                    Marker::new()
                        .color(colour(index))
                        .size_array(alike.iter().map(|point| point.size()).collect())
                        .symbol(alike[0].symbol()),
                );
        trace
    };
    let kinds = points.chunk_by(|one, other| one.kind() == other.kind());
    kinds.enumerate().map(of_kind).collect()
}

impl Point {
    fn kind(&self) -> (bool, bool) {
        (self.is_single, self.is_alone)
    }

    fn symbol(&self) -> MarkerSymbol {
        match self.kind() {
            (false, false) => MarkerSymbol::Circle,
            (false, true) => MarkerSymbol::CircleOpen,
            (true, false) => MarkerSymbol::Diamond,
            (true, true) => MarkerSymbol::DiamondOpen,
        }
    }

    /// Pixels across: three more for each tenfold.
    fn size(&self) -> usize {
        let tenfolds = (self.masses.max(1) as f64).log10();
        (3.0 * tenfolds - 4.0).max(4.0) as usize
    }
}
