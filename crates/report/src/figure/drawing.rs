//! What all figures share: colours, axes and the way into the page.

use plotly::common::{Anchor, DashType, Font, Orientation, Pad, Title};
use plotly::configuration::{Configuration, ImageButtonFormats, ToImageButtonOptions};
use plotly::layout::{Axis, AxisRange, AxisType, HoverMode, Legend, Margin};
use plotly::{Layout, Plot, Trace};
use serde::Serialize;

use analysis::words;

/// A figure ready for the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Figure {
    /// What to see in it.
    pub caption: String,
    /// Height in CSS pixels.
    pub height: usize,
    /// The element and the script that draws it.
    pub html: String,
}

/// Colours that stay apart for colour-blind readers (Okabe and Ito, 2008).
pub(super) const COLOURS: [&str; 7] = [
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#4D4D4D",
];
/// Strokes that stay apart without colour.
pub(super) const DASHES: [DashType; 4] = [
    DashType::Solid,
    DashType::Dash,
    DashType::Dot,
    DashType::DashDot,
];
pub(super) const GRID: &str = "#E3E7EB";
pub(super) const INK: &str = "#28313B";
pub(super) const PUBLISHED: &str = "#8A949E";
pub(super) const FONT: &str =
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif";
pub(super) const LEGEND_LINE_HEIGHT: usize = 20;
/// Room for the tools above a figure.
pub(super) const ABOVE: usize = 28;
/// Room for ticks and title below it.
pub(super) const BELOW_AXIS: usize = 62;

impl Figure {
    /// The name is unique among the page's figures; an exported image bears it.
    pub(super) fn new(name: &str, caption: impl Into<String>, height: usize, plot: &Plot) -> Self {
        Self {
            caption: caption.into(),
            height,
            html: within_script(&plot.to_inline_html(Some(&format!("figure-{name}")))),
        }
    }
}

/// The drawing's element and script, with no text in the script that would end it.
pub(super) fn within_script(html: &str) -> String {
    let parts = || {
        let (element, rest) = html.split_once("<script")?;
        let (script, after) = rest.rsplit_once("</script>")?;
        Some((
            element,
            script.replace("</", "<\\/").replace("<!", "<\\!"),
            after,
        ))
    };
    match parts() {
        Some((element, script, after)) => format!("{element}<script{script}</script>{after}"),
        None => html.to_owned(),
    }
}

pub(super) fn plot(name: &str, layout: Layout, traces: Vec<Box<dyn Trace>>) -> Plot {
    let image = ToImageButtonOptions::new()
        .format(ImageButtonFormats::Png)
        .filename(name)
        .scale(2);
    let mut plot = Plot::new();
    plot.set_layout(layout);
    plot.set_configuration(
        Configuration::new()
            .responsive(true)
            .display_logo(false)
            .to_image_button_options(image),
    );
    plot.add_traces(traces);
    plot
}

/// The common layout, with what the vertical axis shows above the figure and a
/// legend of so many lines below it.
pub(super) fn layout(height: usize, vertical: &str, legend_lines: usize) -> Layout {
    let legend_height = legend_lines * LEGEND_LINE_HEIGHT;
    Layout::new()
        .height(height)
        .auto_size(true)
        .title(
            Title::with_text(vertical)
                .font(Font::new().size(12))
                .x(0.0)
                .x_anchor(Anchor::Left)
                .y(1.0)
                .y_anchor(Anchor::Top)
                .pad(Pad::new(8, 0, 0)),
        )
        .font(Font::new().family(FONT).size(12).color(INK))
        .margin(
            Margin::new()
                .left(64)
                .right(16)
                .top(ABOVE)
                .bottom(BELOW_AXIS + legend_height),
        )
        .paper_background_color("#FFFFFF")
        .plot_background_color("#FFFFFF")
        .hover_mode(HoverMode::Closest)
        .show_legend(legend_lines > 0)
        .legend(
            Legend::new()
                .orientation(Orientation::Vertical)
                .x(0.0)
                .x_anchor(Anchor::Left)
                .y(-(BELOW_AXIS as f64) / (height - ABOVE - BELOW_AXIS - legend_height) as f64)
                .y_anchor(Anchor::Top),
        )
}

pub(super) fn axis(title: &str) -> Axis {
    Axis::new()
        .title(Title::with_text(title))
        .grid_color(GRID)
        .zero_line(false)
        .show_line(true)
        .line_color(PUBLISHED)
        .auto_margin(true)
}

/// A logarithmic axis of time with ticks that carry their unit.
pub(super) fn time_axis(title: &str, shortest_ns: f64, longest_ns: f64) -> Axis {
    let in_words = |ns: f64| match ns {
        60e9.. => format!("{} s", words::quantity(ns / 1e9)),
        _ => words::time(ns),
    };
    log_axis(title, shortest_ns, longest_ns, in_words).range(AxisRange::new(
        shortest_ns.log10() - 0.05,
        longest_ns.log10() + 0.05,
    ))
}

/// A linear axis of time from 0, with a few round ticks that carry their unit.
pub(super) fn linear_time_axis(title: &str, longest_ns: f64) -> Axis {
    const MOST_TICKS: f64 = 8.0;
    let decade = 10f64.powf((longest_ns / MOST_TICKS).max(1.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * decade);
    let enough = |step: &&f64| longest_ns / **step <= MOST_TICKS;
    let in_words = |tick: f64| match tick {
        0.0 => "0".to_owned(),
        _ => words::time(tick),
    };
    let step = steps.iter().find(enough).unwrap_or(&steps[3]);
    let ticks = (0..=MOST_TICKS as u32).map(|tick| f64::from(tick) * step);
    let ticks: Vec<f64> = ticks.filter(|tick| *tick <= longest_ns).collect();
    axis(title)
        .range(AxisRange::new(0.0, longest_ns.max(1.0)))
        .tick_text(ticks.iter().map(|tick| in_words(*tick)).collect())
        .tick_values(ticks)
}

/// A logarithmic axis with ticks in words: powers of ten, and their double and
/// fivefold where there are few.
pub(super) fn log_axis(
    title: &str,
    least: f64,
    most: f64,
    in_words: impl Fn(f64) -> String,
) -> Axis {
    const FEW_DECADES: f64 = 2.5;
    let steps: &[f64] = match (most / least).log10() {
        decades if decades < FEW_DECADES => &[1.0, 2.0, 5.0],
        _ => &[1.0],
    };
    let decades = least.log10().floor() as i32..=most.log10().ceil() as i32;
    let ticks: Vec<f64> = decades
        .flat_map(|decade| steps.iter().map(move |step| step * 10f64.powi(decade)))
        .collect();
    axis(title)
        .type_(AxisType::Log)
        .tick_text(ticks.iter().map(|tick| in_words(*tick)).collect())
        .tick_values(ticks)
}

pub(super) fn colour(index: usize) -> &'static str {
    COLOURS[index % COLOURS.len()]
}

/// A stroke for lines of one colour.
pub(super) fn stroke(index: usize) -> DashType {
    DASHES[index % DASHES.len()].clone()
}

/// The stroke of a line whose colour comes round again.
pub(super) fn dash(index: usize) -> DashType {
    stroke(index / COLOURS.len())
}
