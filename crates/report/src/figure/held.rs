//! The largest tire that met every deadline, against the number of threads.

use plotly::common::{ErrorData, ErrorType, HoverInfo, Line, Marker, MarkerSymbol, Mode};
use plotly::layout::{Axis, AxisRange};
use plotly::{Scatter, Trace};

use super::{
    ABOVE, BELOW_AXIS, Figure, LEGEND_LINE_HEIGHT, PUBLISHED, axis, colour, dash, layout, plot,
};
use analysis::words;

/// What one system held, as far as it was tried, on each number of threads.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HeldSizes {
    /// What the legend says.
    pub name: String,
    /// Its sizes, one for each number of threads.
    pub points: Vec<HeldSize>,
    /// Whether it comes from a publication.
    pub published: bool,
}

/// The largest size on a number of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HeldSize {
    /// Number of threads.
    pub threads: u64,
    /// The largest number of masses that held.
    pub held: u64,
    /// The smallest that did not, where a bar shall reach up to it.
    pub missed: Option<u64>,
}

const PLOT_HEIGHT: usize = 280;

/// A line a system. `None` without a point.
pub(crate) fn held_sizes(name: &str, caption: &str, all: &[HeldSizes]) -> Option<Figure> {
    let points = || all.iter().flat_map(|held| &held.points);
    let most = points().map(|p| p.missed.unwrap_or(p.held)).max()?;
    let height = PLOT_HEIGHT + ABOVE + BELOW_AXIS + all.len() * LEGEND_LINE_HEIGHT;
    let masses = axis("").range(AxisRange::new(0.0, most.max(1) as f64 * 1.15));
    let layout = layout(height, "masses without too many misses", all.len())
        .x_axis(threads_axis(points().map(|point| point.threads)))
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
    let told = |point: &HeldSize| {
        let threads = words::counted(point.threads as usize, "thread");
        let missed = point.missed.map_or_else(String::new, |missed| {
            format!("; {} missed", words::grouped(missed))
        });
        let masses = words::grouped(point.held);
        format!("{}<br>{threads}: {masses} masses{missed}", held.name)
    };
    let each = |of: fn(&HeldSize) -> u64| -> Vec<f64> {
        held.points.iter().map(|point| of(point) as f64).collect()
    };
    let above = each(|point| point.missed.map_or(0, |missed| missed - point.held));
    let (shade, symbol) = match held.published {
        true => (PUBLISHED, MarkerSymbol::Diamond),
        false => (colour(index), MarkerSymbol::Circle),
    };
    Scatter::new(each(|point| point.threads), each(|point| point.held))
        .name(&held.name)
        .mode(Mode::LinesMarkers)
        .text_array(held.points.iter().map(told).collect::<Vec<String>>())
        .hover_info(HoverInfo::Text)
        .marker(Marker::new().size(9).color(shade).symbol(symbol))
        .line(Line::new().width(1.8).color(shade).dash(dash(index)))
        .error_y(
            ErrorData::new(ErrorType::Data)
                .symmetric(false)
                .array(above)
                .array_minus(vec![0.0; held.points.len()])
                .color(shade),
        )
}
