//! The real-fast curve: how long a minute of simulation takes, against size.

use plotly::common::{DashType, HoverInfo, Line, Marker, Mode, Position};
use plotly::layout::{Axis, AxisRange, AxisType};
use plotly::{Scatter, Trace};

use super::{
    ABOVE, BELOW_AXIS, Figure, INK, LEGEND_LINE_HEIGHT, axis, colour, layout, plot, stroke,
    time_axis,
};
use analysis::capacity::SIMULATED_NS;
use analysis::words;

const PLOT_HEIGHT: usize = 280;

/// Real-fast runs of one solver on one number of threads.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Curve {
    /// What the legend says.
    pub name: String,
    /// Curves of one family have one colour.
    pub family: usize,
    /// Curves of one place in their families have one stroke.
    pub place: usize,
    /// Masses, and nanoseconds for a simulated minute.
    pub points: Vec<(u64, f64)>,
}

/// One line a curve, with the line where simulation is as fast as time. `None`
/// without a point.
pub(crate) fn real_fast(name: &str, curves: &[Curve]) -> Option<Figure> {
    let points = || curves.iter().flat_map(|curve| curve.points.iter().copied());
    let least = points().map(|(masses, _)| masses).min()? as f64 / 1.5;
    let most = points().map(|(masses, _)| masses).max()? as f64 * 1.5;
    let times = || points().map(|(_, ns)| ns).chain([SIMULATED_NS]);
    let shortest = times().fold(f64::INFINITY, f64::min) / 1.5;
    let longest = times().fold(0.0, f64::max) * 2.0;
    let height = PLOT_HEIGHT + ABOVE + BELOW_AXIS + curves.len() * LEGEND_LINE_HEIGHT;
    let layout = layout(height, "time for 60 s simulated", curves.len())
        .x_axis(mass_axis(points().map(|(masses, _)| masses), least, most))
        .y_axis(time_axis("", shortest, longest));
    let mut traces: Vec<Box<dyn Trace>> = vec![limit(least, most)];
    traces.extend(curves.iter().map(trace));
    let caption = "6000 steps of 10 ms as fast as the machine computes them. Below the dashed \
                   line the simulation runs faster than time.";
    Some(Figure::new(
        name,
        caption,
        height,
        &plot(name, layout, traces),
    ))
}

/// A logarithmic axis whose ticks are the sizes that were measured, as long as
/// they have room.
fn mass_axis(measured: impl Iterator<Item = u64>, least: f64, most: f64) -> Axis {
    const NEAREST: f64 = 1.25;
    let mut sizes: Vec<u64> = measured.collect();
    sizes.sort_unstable();
    let mut ticks: Vec<u64> = Vec::new();
    for size in sizes {
        if ticks
            .last()
            .is_none_or(|last| size as f64 >= *last as f64 * NEAREST)
        {
            ticks.push(size);
        }
    }
    axis("masses")
        .type_(AxisType::Log)
        .tick_values(ticks.iter().map(|masses| *masses as f64).collect())
        .tick_text(ticks.iter().map(|masses| words::grouped(*masses)).collect())
        .range(AxisRange::new(least.log10(), most.log10()))
}

fn limit(least: f64, most: f64) -> Box<dyn Trace> {
    Scatter::new(vec![least, most], vec![SIMULATED_NS; 2])
        .mode(Mode::LinesText)
        .text_array(vec![" as fast as time", ""])
        .text_position(Position::TopRight)
        .hover_info(HoverInfo::Skip)
        .show_legend(false)
        .line(Line::new().color(INK).width(1.2).dash(DashType::Dash))
}

fn trace(curve: &Curve) -> Box<dyn Trace> {
    let text = |(masses, ns): &(u64, f64)| {
        let (masses, time) = (words::grouped(*masses), words::time(*ns));
        format!("{}<br>{masses} masses: {time}", curve.name)
    };
    let (x, y): (Vec<f64>, Vec<f64>) = curve
        .points
        .iter()
        .map(|(masses, ns)| (*masses as f64, *ns))
        .unzip();
    Scatter::new(x, y)
        .name(&curve.name)
        .mode(Mode::LinesMarkers)
        .text_array(curve.points.iter().map(text).collect::<Vec<String>>())
        .hover_info(HoverInfo::Text)
        .marker(Marker::new().size(8).color(colour(curve.family)))
        .line(
            Line::new()
                .width(1.8)
                .color(colour(curve.family))
                .dash(stroke(curve.place)),
        )
}
