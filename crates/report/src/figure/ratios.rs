//! How many times one system's figure is another's, test by test, with intervals.

use plotly::common::{DashType, HoverInfo, Line, Marker, Mode};
use plotly::layout::{AxisRange, AxisType};
use plotly::{Scatter, Trace};

use super::{ABOVE, BELOW_AXIS, COLOURS, Figure, INK, PUBLISHED, axis, layout, log_axis, plot};
use analysis::words;

/// One test.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ratio {
    /// What stands at the axis.
    pub name: String,
    /// Lower end of the interval, ratio, upper end.
    pub interval: [f64; 3],
    /// Whether a difference is shown.
    pub is_shown: bool,
}

const LINE_HEIGHT: usize = 20;
/// What lies farther from 1 is drawn here.
const FARTHEST: f64 = 100.0;

/// A line from end to end of each interval with a dot at the ratio; the first stands on
/// top. Broken lines mark the margin around 1. `None` without any.
pub(crate) fn ratios(
    name: &str,
    caption: &str,
    title: &str,
    margin: f64,
    ratios: &[Ratio],
) -> Option<Figure> {
    if ratios.is_empty() {
        return None;
    }
    let drawn: Vec<Ratio> = ratios.iter().rev().map(within).collect();
    let ends = || drawn.iter().flat_map(|ratio| ratio.interval);
    let farthest = ends()
        .map(|end| end.max(1.0 / end))
        .fold(1.0 + 2.0 * margin, f64::max)
        * 1.2;
    let height = ABOVE + BELOW_AXIS + ratios.len() * LINE_HEIGHT;
    let horizontal = log_axis(title, 1.0 / farthest, farthest, words::times)
        .range(AxisRange::new(-farthest.log10(), farthest.log10()));
    let layout = layout(height, "", 0)
        .x_axis(horizontal)
        .y_axis(axis("").type_(AxisType::Category).show_grid(false));
    let top = drawn.last()?.name.clone();
    let bottom = drawn.first()?.name.clone();
    let edges = [1.0 / (1.0 + margin), 1.0 + margin];
    let edges = edges.map(|at| edge(at, [&bottom, &top]));
    let intervals = drawn.iter().map(interval);
    let traces: Vec<Box<dyn Trace>> = intervals.chain([dots(&drawn)]).chain(edges).collect();
    Some(Figure::new(
        name,
        caption,
        height,
        &plot(name, layout, traces),
    ))
}

fn within(ratio: &Ratio) -> Ratio {
    Ratio {
        interval: ratio
            .interval
            .map(|end| end.clamp(1.0 / FARTHEST, FARTHEST)),
        ..ratio.clone()
    }
}

fn interval(ratio: &Ratio) -> Box<dyn Trace> {
    let [lower, _, upper] = ratio.interval;
    Scatter::new(vec![lower, upper], vec![ratio.name.clone(); 2])
        .mode(Mode::Lines)
        .hover_info(HoverInfo::Skip)
        .line(Line::new().color(shade(ratio)).width(2.0))
}

fn dots(ratios: &[Ratio]) -> Box<dyn Trace> {
    let told = |ratio: &Ratio| {
        let [lower, ratio_itself, upper] = ratio.interval.map(words::times);
        format!(
            "{}<br>{ratio_itself} times ({lower} to {upper})",
            ratio.name
        )
    };
    let names: Vec<String> = ratios.iter().map(|ratio| ratio.name.clone()).collect();
    let shades: Vec<&str> = ratios.iter().map(shade).collect();
    Scatter::new(
        ratios.iter().map(|ratio| ratio.interval[1]).collect(),
        names,
    )
    .mode(Mode::Markers)
    .text_array(ratios.iter().map(told).collect::<Vec<String>>())
    .hover_info(HoverInfo::Text)
    .marker(Marker::new().size(9).color_array(shades))
}

fn edge(at: f64, ends: [&String; 2]) -> Box<dyn Trace> {
    Scatter::new(vec![at; 2], ends.map(String::clone).into())
        .mode(Mode::Lines)
        .hover_info(HoverInfo::Skip)
        .line(Line::new().color(INK).width(1.0).dash(DashType::Dash))
}

/// Grey where no difference is shown; else a colour for worse, and one for better.
fn shade(ratio: &Ratio) -> &'static str {
    match (ratio.is_shown, ratio.interval[1] > 1.0) {
        (false, _) => PUBLISHED,
        (true, true) => COLOURS[1],
        (true, false) => COLOURS[2],
    }
}
