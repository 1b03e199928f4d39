//! Throughput against determinism: what steadiness costs in speed.

use plotly::common::{DashType, HoverInfo, Line, Marker, MarkerSymbol, Mode};
use plotly::layout::AxisRange;
use plotly::{Scatter, Trace};

use super::{
    ABOVE, BELOW_AXIS, Figure, INK, LEGEND_LINE_HEIGHT, axis, colour, layout, plot, time_axis,
};
use analysis::words;

/// One system.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Traded {
    /// The system's name.
    pub name: String,
    /// Its worst wake-up in nanoseconds.
    pub worst_ns: f64,
    /// Mass updates a second.
    pub rate_per_s: f64,
}

const PLOT_HEIGHT: usize = 300;
const SYMBOLS: [MarkerSymbol; 4] = [
    MarkerSymbol::Circle,
    MarkerSymbol::Diamond,
    MarkerSymbol::Square,
    MarkerSymbol::TriangleUp,
];

/// One point a system, with the line of the limit; speed counts from 0. `None` without
/// any.
pub(crate) fn price(
    name: &str,
    caption: &str,
    limit_ns: f64,
    systems: &[Traded],
) -> Option<Figure> {
    let worst = || systems.iter().map(|system| system.worst_ns);
    let shortest = worst().reduce(f64::min)?.min(limit_ns) / 2.0;
    let longest = worst().fold(limit_ns, f64::max) * 2.0;
    let fastest = systems.iter().map(|system| system.rate_per_s);
    let top = fastest.fold(0.0, f64::max) * 1.25;
    let height = PLOT_HEIGHT + ABOVE + BELOW_AXIS + systems.len() * LEGEND_LINE_HEIGHT;
    let layout = layout(
        height,
        "the tire, real-fast: mass updates a second",
        systems.len(),
    )
    .x_axis(time_axis(
        "worst wake-up of a real-time thread over all loads",
        shortest,
        longest,
    ))
    .y_axis(axis("").range(AxisRange::new(0.0, top)));
    let points = systems.iter().enumerate().map(point);
    let traces = std::iter::once(limit(limit_ns, top)).chain(points);
    let plot = plot(name, layout, traces.collect());
    Some(Figure::new(name, caption, height, &plot))
}

fn point((index, system): (usize, &Traded)) -> Box<dyn Trace> {
    let told = format!(
        "{}: worst wake-up {}, {} mass updates a second",
        system.name,
        words::time(system.worst_ns),
        words::grouped(system.rate_per_s.round() as u64),
    );
    Scatter::new(vec![system.worst_ns], vec![system.rate_per_s])
        .mode(Mode::Markers)
        .name(&told)
        .text(told)
        .hover_info(HoverInfo::Text)
        .marker(
            Marker::new()
                .size(13)
                .opacity(0.8)
                .color(colour(index))
                .symbol(SYMBOLS[index % SYMBOLS.len()].clone()),
        )
}

fn limit(limit_ns: f64, top: f64) -> Box<dyn Trace> {
    Scatter::new(vec![limit_ns; 2], vec![0.0, top])
        .mode(Mode::Lines)
        .hover_info(HoverInfo::Skip)
        .show_legend(false)
        .line(Line::new().color(INK).width(1.2).dash(DashType::Dash))
}
