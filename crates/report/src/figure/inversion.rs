//! High's blocking time against medium's run time, one line a lock.

use plotly::common::{DashType, HoverInfo, Line, Marker, MarkerSymbol, Mode, Position};
use plotly::{Scatter, Trace};

use super::{
    ABOVE, BELOW_AXIS, Figure, INK, LEGEND_LINE_HEIGHT, colour, dash, layout, linear_time_axis,
    plot,
};
use analysis::words;

/// One lock.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Held {
    /// What the legend says.
    pub name: String,
    /// Where high waited, rising with medium's run time.
    pub points: Vec<Wait>,
}

/// What contests with one length of medium's run came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Wait {
    /// Medium's run time in nanoseconds.
    pub medium_ns: f64,
    /// High's blocking time in nanoseconds.
    pub blocked_ns: f64,
    /// Whether high gave up, so that it would have waited longer.
    pub gave_up: bool,
}

const PLOT_HEIGHT: usize = 320;
/// Open symbols, since lines of locks that work alike lie upon one another.
const SYMBOLS: [MarkerSymbol; 5] = [
    MarkerSymbol::CircleOpen,
    MarkerSymbol::SquareOpen,
    MarkerSymbol::DiamondOpen,
    MarkerSymbol::CrossThinOpen,
    MarkerSymbol::XThinOpen,
];

/// One line a lock, beside the line on which high waits for as long as medium
/// runs. `None` without a point.
pub(crate) fn inversion(name: &str, machine: &str, locks: &[Held]) -> Option<Figure> {
    let points = || locks.iter().flat_map(|lock| &lock.points);
    let medium = points().map(|wait| wait.medium_ns).reduce(f64::max)? * 1.05;
    let blocked = points().map(|wait| wait.blocked_ns).fold(medium, f64::max) * 1.08;
    let height = PLOT_HEIGHT + ABOVE + BELOW_AXIS + locks.len() * LEGEND_LINE_HEIGHT;
    let layout = layout(height, "the high thread waited", locks.len())
        .x_axis(linear_time_axis("the medium thread ran", medium))
        .y_axis(linear_time_axis("", blocked));
    let mut traces = vec![diagonal(medium)];
    traces.extend(locks.iter().enumerate().map(line));
    traces.extend(locks.iter().enumerate().map(bounds));
    let caption = format!(
        "{machine}. A lock whose line runs beside the dashed one holds the high thread back for as \
         long as the medium one runs; a level line does not depend on it, and shows how long low \
         held the lock. A triangle: the high thread gave up there, and would have waited longer."
    );
    let plot = plot(name, layout, traces);
    Some(Figure::new(name, caption, height, &plot))
}

fn diagonal(longest: f64) -> Box<dyn Trace> {
    let ends = vec![0.0, longest * 0.55, longest];
    Scatter::new(ends.clone(), ends)
        .mode(Mode::LinesText)
        .text_array(vec!["", "<br>held back for as long as medium runs", ""])
        .text_position(Position::BottomRight)
        .hover_info(HoverInfo::Skip)
        .show_legend(false)
        .line(Line::new().color(INK).width(1.2).dash(DashType::Dash))
}

fn line((index, lock): (usize, &Held)) -> Box<dyn Trace> {
    let text = |wait: &Wait| {
        let at_least = if wait.gave_up { "more than " } else { "" };
        format!(
            "{}: medium ran {}, high waited {at_least}{}",
            lock.name,
            words::time(wait.medium_ns),
            words::time(wait.blocked_ns)
        )
    };
    at(lock.points.iter())
        .name(&lock.name)
        .legend_group(&lock.name)
        .mode(Mode::LinesMarkers)
        .text_array(lock.points.iter().map(text).collect::<Vec<String>>())
        .hover_info(HoverInfo::Text)
        .marker(
            Marker::new()
                .size(9 + 3 * (index % 2))
                .symbol(SYMBOLS[index % SYMBOLS.len()].clone())
                .color(colour(index)),
        )
        .line(
            Line::new()
                .width(1.8)
                .color(colour(index))
                .dash(dash(index)),
        )
}

/// Marks times that are lower bounds.
fn bounds((index, lock): (usize, &Held)) -> Box<dyn Trace> {
    at(lock.points.iter().filter(|wait| wait.gave_up))
        .legend_group(&lock.name)
        .show_legend(false)
        .mode(Mode::Markers)
        .hover_info(HoverInfo::Skip)
        .marker(
            Marker::new()
                .size(11)
                .symbol(MarkerSymbol::TriangleUp)
                .color(colour(index)),
        )
}

fn at<'w>(waits: impl Iterator<Item = &'w Wait>) -> Box<Scatter<f64, f64>> {
    let (x, y) = waits.map(|wait| (wait.medium_ns, wait.blocked_ns)).unzip();
    Scatter::new(x, y)
}
