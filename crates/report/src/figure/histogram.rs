//! Distributions laid over one another.

use analysis::bins::{Bin, log_bins};
use plotly::Trace;
use plotly::common::{HoverInfo, Line, LineShape, Mode};
use plotly::layout::AxisRange;
use plotly::{Layout, Scatter};
use stats::Distribution;

use super::{
    ABOVE, BELOW_AXIS, Figure, LEGEND_LINE_HEIGHT, colour, dash, layout, log_axis, plot, time_axis,
};
use analysis::words;

const PLOT_HEIGHT: usize = 270;
/// Where an empty bin is drawn: below the lowest visible count.
const BELOW_ONE: f64 = 0.4;
const LOWEST_VISIBLE: f64 = 0.7;

/// Histograms with logarithmic axes, one line a distribution. `None` where no
/// distribution has a sample from 1 ns up.
pub(crate) fn histogram(
    name: &str,
    axis_title: &str,
    lines: &[(String, &Distribution)],
) -> Option<Figure> {
    let most = lines
        .iter()
        .flat_map(|(_, distribution)| log_bins(distribution))
        .map(|bin| bin.count)
        .max()?;
    let height = height(lines.len());
    let counts = log_axis("", 1.0, most as f64, words::quantity).range(AxisRange::new(
        LOWEST_VISIBLE.log10(),
        (most as f64 * 1.5).log10(),
    ));
    let layout = frame(height, ["samples a bin", axis_title], lines)?.y_axis(counts);
    let traces = lines.iter().enumerate().map(steps).collect();
    let caption = "Samples in bins of equal width on a logarithmic axis, 20 bins a power of ten. \
                   Drag to zoom, double-click to zoom out, the camera saves an image.";
    Some(Figure::new(
        name,
        caption,
        height,
        &plot(name, layout, traces),
    ))
}

/// The share of samples above each value, one line a distribution. `None` where
/// no distribution has a sample from 1 ns up.
pub(crate) fn survival(
    name: &str,
    axis_title: &str,
    lines: &[(String, &Distribution)],
) -> Option<Figure> {
    let rarest = lines.iter().map(|(_, d)| d.count()).max()? as f64;
    let height = height(lines.len());
    let shares =
        log_axis("", 1.0 / rarest, 1.0, one_in).range(AxisRange::new(-(rarest.log10() + 0.2), 0.1));
    let layout = frame(height, ["share of samples above", axis_title], lines)?.y_axis(shares);
    let traces = lines.iter().enumerate().map(falling).collect();
    let caption = "How often a value is exceeded. A line ends at its worst sample: \
                   further down nothing was measured.";
    Some(Figure::new(
        name,
        caption,
        height,
        &plot(name, layout, traces),
    ))
}

fn height(lines: usize) -> usize {
    PLOT_HEIGHT + ABOVE + BELOW_AXIS + lines * LEGEND_LINE_HEIGHT
}

fn frame(
    height: usize,
    [vertical, horizontal]: [&str; 2],
    lines: &[(String, &Distribution)],
) -> Option<Layout> {
    let bins = || lines.iter().flat_map(|(_, d)| log_bins(d));
    let shortest = bins().map(|bin| bin.from_ns).reduce(f64::min)?;
    let longest = bins().map(|bin| bin.to_ns).reduce(f64::max)?;
    let axis = time_axis(horizontal, shortest, longest);
    Some(layout(height, vertical, lines.len()).x_axis(axis))
}

fn steps((index, (name, distribution)): (usize, &(String, &Distribution))) -> Box<dyn Trace> {
    let bins = log_bins(distribution);
    let first = bins.first().map(|bin| (bin.from_ns, BELOW_ONE));
    let last = bins.last().map(|bin| (bin.to_ns, BELOW_ONE));
    let middle = bins
        .iter()
        .map(|bin| (bin.from_ns, (bin.count as f64).max(BELOW_ONE)));
    let (x, y): (Vec<f64>, Vec<f64>) = first.into_iter().chain(middle).chain(last).unzip();
    let hover = |bin: &Bin| {
        let (from, to) = (words::time(bin.from_ns), words::time(bin.to_ns));
        format!("{from} to {to}: {}", words::grouped(bin.count))
    };
    let texts: Vec<String> = bins
        .first()
        .into_iter()
        .chain(&bins)
        .chain(bins.last())
        .map(hover)
        .collect();
    line(index, name, x, y, texts)
}

fn falling((index, (name, distribution)): (usize, &(String, &Distribution))) -> Box<dyn Trace> {
    let total = distribution.count() as f64;
    let mut left = distribution.count() - distribution.early;
    let (mut x, mut y, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    for bin in log_bins(distribution) {
        let share = left as f64 / total;
        let from = words::time(bin.from_ns);
        texts.push(format!("{} above {from}", words::percent(share)));
        x.push(bin.from_ns);
        y.push(share);
        left -= bin.count;
    }
    let worst = distribution.max.value_ns as f64;
    texts.push(format!("worst: {}", words::time(worst)));
    x.push(worst);
    y.push(1.0 / total);
    line(index, name, x, y, texts)
}

fn line(index: usize, name: &str, x: Vec<f64>, y: Vec<f64>, texts: Vec<String>) -> Box<dyn Trace> {
    Scatter::new(x, y)
        .name(name)
        .mode(Mode::Lines)
        .line(
            Line::new()
                .shape(LineShape::Hv)
                .width(1.6)
                .color(colour(index))
                .dash(dash(index)),
        )
        .text_array(texts)
        .hover_info(HoverInfo::Text)
}

fn one_in(share: f64) -> String {
    match share {
        1.0.. => "all".to_owned(),
        _ => format!("1 in {}", words::quantity(1.0 / share)),
    }
}
