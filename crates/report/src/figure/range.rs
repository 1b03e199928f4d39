//! Average and worst case of several systems beside one another.

use plotly::common::{Font, HoverInfo, Line, Marker, MarkerSymbol, Mode, Position};
use plotly::layout::AxisType;
use plotly::{Scatter, Trace};

use super::{ABOVE, BELOW_AXIS, Figure, PUBLISHED, axis, colour, layout, plot, time_axis};
use analysis::words;

/// One system in one test.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Range {
    /// What stands at the axis.
    pub name: String,
    /// Average in nanoseconds, where it is known.
    pub average_ns: Option<f64>,
    /// Worst case in nanoseconds.
    pub worst_ns: f64,
    /// Whether the worst case is only known to be longer.
    pub worst_is_lower_bound: bool,
    /// Whether it comes from a publication.
    pub published: bool,
}

const LINE_HEIGHT: usize = 23;

/// A line from average to worst case for each test of each system; the first stands
/// on top. `None` without any.
pub(crate) fn ranges(name: &str, caption: &str, ranges: &[Range]) -> Option<Figure> {
    let ends = || {
        let both = ranges.iter().flat_map(|r| [r.average_ns, Some(r.worst_ns)]);
        both.flatten().map(|ns| ns.max(1.0))
    };
    let shortest = ends().reduce(f64::min)? / 2.0;
    let longest = ends().reduce(f64::max)? * 2.0;
    let height = ABOVE + BELOW_AXIS + ranges.len() * LINE_HEIGHT;
    let layout = layout(height, "", 0)
        .x_axis(time_axis(
            "average (dot) to worst case (diamond)",
            shortest,
            longest,
        ))
        .y_axis(axis("").type_(AxisType::Category).show_grid(false));
    let mut traces: Vec<Box<dyn Trace>> = ranges.iter().rev().map(bar).collect();
    traces.extend(POINTS.iter().map(|points| points.trace(ranges)));
    Some(Figure::new(
        name,
        caption,
        height,
        &plot(name, layout, traces),
    ))
}

fn bar(range: &Range) -> Box<dyn Trace> {
    let from = range.average_ns.unwrap_or(range.worst_ns);
    let ends = vec![from.max(1.0), range.worst_ns.max(1.0)];
    Scatter::new(ends, vec![range.name.clone(); 2])
        .mode(Mode::Lines)
        .hover_info(HoverInfo::Skip)
        .line(Line::new().color(shade(range.published)).width(2.0))
}

/// Ends of lines that are drawn alike.
struct Points {
    of: fn(&Range) -> Option<f64>,
    symbol: MarkerSymbol,
    label: Position,
    published: bool,
}

const POINTS: &[Points] = &[
    points(average, MarkerSymbol::Circle, Position::MiddleLeft, false),
    points(average, MarkerSymbol::Circle, Position::MiddleLeft, true),
    points(worst, MarkerSymbol::Diamond, Position::MiddleRight, false),
    points(worst, MarkerSymbol::Diamond, Position::MiddleRight, true),
    points(
        bound,
        MarkerSymbol::TriangleRight,
        Position::MiddleRight,
        true,
    ),
];

const fn points(
    of: fn(&Range) -> Option<f64>,
    symbol: MarkerSymbol,
    label: Position,
    published: bool,
) -> Points {
    Points {
        of,
        symbol,
        label,
        published,
    }
}

fn average(range: &Range) -> Option<f64> {
    range.average_ns
}

fn worst(range: &Range) -> Option<f64> {
    (!range.worst_is_lower_bound).then_some(range.worst_ns)
}

fn bound(range: &Range) -> Option<f64> {
    range.worst_is_lower_bound.then_some(range.worst_ns)
}

impl Points {
    fn trace(&self, ranges: &[Range]) -> Box<dyn Trace> {
        let of = |range: &Range| Some((range.name.clone(), (self.of)(range)?));
        let (names, values): (Vec<String>, Vec<f64>) = ranges
            .iter()
            .filter(|range| range.published == self.published)
            .filter_map(of)
            .unzip();
        let texts: Vec<String> = values.iter().map(|ns| words::time(*ns)).collect();
        Scatter::new(values.iter().map(|ns| ns.max(1.0)).collect(), names)
            .mode(Mode::MarkersText)
            .text_array(texts)
            .text_position(self.label.clone())
            .text_font(Font::new().size(11))
            .hover_info(HoverInfo::Text)
            .marker(
                Marker::new()
                    .color(shade(self.published))
                    .symbol(self.symbol.clone())
                    .size(9),
            )
    }
}

fn shade(published: bool) -> &'static str {
    if published { PUBLISHED } else { colour(0) }
}
