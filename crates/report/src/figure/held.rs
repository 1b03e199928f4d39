//! The largest tire that met every deadline, against the number of threads.

use plotly::common::{HoverInfo, Line, Marker, MarkerSymbol, Mode};
use plotly::layout::{Axis, AxisRange};
use plotly::{Scatter, Trace};

use super::{
    ABOVE, BELOW_AXIS, Figure, LEGEND_LINE_HEIGHT, PUBLISHED, axis, colour, dash, layout, plot,
};
use crate::words;

/// What one system held, on each number of threads.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HeldSizes {
    /// What the legend says.
    pub name: String,
    /// Threads, and the largest number of masses that missed no deadline.
    pub points: Vec<(u64, u64)>,
    /// Whether it comes from a publication.
    pub published: bool,
}

const PLOT_HEIGHT: usize = 280;

/// A line a system. `None` without a point.
pub(crate) fn held_sizes(name: &str, caption: &str, all: &[HeldSizes]) -> Option<Figure> {
    let points = || all.iter().flat_map(|held| &held.points);
    let most = points().map(|(_, masses)| *masses).max()?;
    let height = PLOT_HEIGHT + ABOVE + BELOW_AXIS + all.len() * LEGEND_LINE_HEIGHT;
    let masses = axis("").range(AxisRange::new(0.0, most.max(1) as f64 * 1.15));
    let layout = layout(height, "masses held without a miss", all.len())
        .x_axis(threads_axis(points().map(|(threads, _)| *threads)))
        .y_axis(masses);
    let traces = all.iter().enumerate().map(trace).collect();
    Some(Figure::new(
        name,
        caption,
        height,
        &plot(name, layout, traces),
    ))
}

/// Ticks at the numbers that were measured.
fn threads_axis(measured: impl Iterator<Item = u64>) -> Axis {
    let mut threads: Vec<u64> = measured.collect();
    threads.sort_unstable();
    threads.dedup();
    let most = threads.last().copied().unwrap_or(1) as f64;
    axis("threads")
        .range(AxisRange::new(0.0, most * 1.1))
        .tick_text(threads.iter().map(ToString::to_string).collect())
        .tick_values(threads.into_iter().map(|threads| threads as f64).collect())
}

fn trace((index, held): (usize, &HeldSizes)) -> Box<dyn Trace> {
    let told = |(threads, masses): &(u64, u64)| {
        let threads = words::counted(*threads as usize, "thread");
        format!(
            "{}<br>{threads}: {} masses",
            held.name,
            words::grouped(*masses)
        )
    };
    let (x, y): (Vec<f64>, Vec<f64>) = held
        .points
        .iter()
        .map(|(threads, masses)| (*threads as f64, *masses as f64))
        .unzip();
    let (shade, symbol) = match held.published {
        true => (PUBLISHED, MarkerSymbol::Diamond),
        false => (colour(index), MarkerSymbol::Circle),
    };
    Scatter::new(x, y)
        .name(&held.name)
        .mode(Mode::LinesMarkers)
        .text_array(held.points.iter().map(told).collect::<Vec<String>>())
        .hover_info(HoverInfo::Text)
        .marker(Marker::new().size(9).color(shade).symbol(symbol))
        .line(Line::new().width(1.8).color(shade).dash(dash(index)))
}
