//! The strip chart: execution times of frames against their period (MUR).

use plotly::common::{DashType, HoverInfo, Line, Mode, Position};
use plotly::layout::AxisRange;
use plotly::{Scatter, Trace};
use serde_json::Value;

use super::{ABOVE, BELOW_AXIS, Figure, INK, LEGEND_LINE_HEIGHT, axis, colour, dash, layout, plot};
use analysis::words;

const PLOT_HEIGHT: usize = 220;

/// The frames of one process.
pub(crate) struct Strip<'a> {
    /// What the legend says.
    pub name: String,
    /// Bins in the order of time, each with `at_ns`, `min_ns` and `max_ns`.
    pub bins: &'a [Value],
}

/// Longest and shortest run time over time, two lines a process; `None` without a
/// frame.
pub(crate) fn strip(name: &str, what: &str, period_ns: f64, strips: &[Strip]) -> Option<Figure> {
    let bins = || strips.iter().flat_map(|strip| strip.bins);
    let until = bins()
        .filter_map(|bin| bin["at_ns"].as_f64())
        .reduce(f64::max)?
        / 1e9;
    let longest = bins().filter_map(|bin| bin["max_ns"].as_f64());
    let top = longest.fold(period_ns, f64::max) / 1e6 * 1.08;
    let height = PLOT_HEIGHT + ABOVE + BELOW_AXIS + strips.len() * LEGEND_LINE_HEIGHT;
    let layout = layout(height, "run time, ms", strips.len())
        .x_axis(axis("time, s"))
        .y_axis(axis("").range(AxisRange::new(0.0, top)));
    let mut traces: Vec<Box<dyn Trace>> = vec![period(period_ns, until)];
    for (index, strip) in strips.iter().enumerate() {
        traces.extend(["max_ns", "min_ns"].map(|end| line(index, strip, end)));
    }
    let caption = format!(
        "{what}: how long frames ran. Where they are more than can be drawn, the upper line is \
         the longest and the lower one the shortest of some consecutive frames. Dashed: the \
         period."
    );
    Some(Figure::new(
        name,
        caption,
        height,
        &plot(name, layout, traces),
    ))
}

fn period(period_ns: f64, until: f64) -> Box<dyn Trace> {
    Scatter::new(vec![0.0, until], vec![period_ns / 1e6; 2])
        .mode(Mode::LinesText)
        .text_array(vec!["", "period "])
        .text_position(Position::TopLeft)
        .hover_info(HoverInfo::Skip)
        .show_legend(false)
        .line(Line::new().color(INK).width(1.2).dash(DashType::Dash))
}

fn line(index: usize, strip: &Strip, end: &str) -> Box<dyn Trace> {
    let point = |bin: &Value| {
        let (at, run) = (bin["at_ns"].as_f64()?, bin[end].as_f64()?);
        let told = format!("{} at {}", words::time(run), words::time(at));
        Some(((at / 1e9, run / 1e6), told))
    };
    let (points, texts): (Vec<(f64, f64)>, Vec<String>) =
        strip.bins.iter().filter_map(point).unzip();
    let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
    let is_longest = end == "max_ns";
    Scatter::new(x, y)
        .name(&strip.name)
        .mode(Mode::Lines)
        .show_legend(is_longest)
        .text_array(texts)
        .hover_info(HoverInfo::Text)
        .line(
            Line::new()
                .width(if is_longest { 1.6 } else { 0.8 })
                .color(colour(index))
                .dash(dash(index)),
        )
}
