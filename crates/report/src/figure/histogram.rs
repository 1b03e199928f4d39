//! Overlaid distributions, with deadlines.

use analysis::bins::{Bin, log_bins};
use stats::Distribution;

use super::{Figure, span};
use crate::document::{Axis, Guide, Kind, Look, Mark, Panel, Series, Unit};
use analysis::words;

pub(crate) struct Line<'a> {
    /// The text in the legend.
    pub name: String,
    /// The index of its look: equal for the same series in every chart of a page.
    pub place: usize,
    pub distribution: &'a Distribution,
}

const HEIGHT: usize = 270;
const LOWEST_VISIBLE: f64 = 0.7;
/// A deadline beyond the longest time by more than this factor is left out: it would squeeze
/// everything else.
const FAR: f64 = 1e3;
/// Room between a deadline and the edge of its panel, as a ratio.
const ROOM: f64 = 1.1;

/// Draws histograms on logarithmic axes, one line per distribution. `None` if no distribution has a
/// sample of 1 ns or more.
pub(crate) fn histogram(name: &str, axis_title: &str, lines: &[Line]) -> Option<Figure> {
    let counts = lines.iter().flat_map(|line| log_bins(line.distribution));
    let most = counts.map(|bin| bin.count).max()? as f64;
    let counts = Axis::log("samples per bin", Unit::Count, [LOWEST_VISIBLE, most * 1.5]);
    let caption = "Samples in bins of equal width on a logarithmic axis, 20 bins a power of ten.";
    overlaid((name, caption), axis_title, counts, lines, steps)
}

/// Draws the share of samples above each value, one line per distribution. `None` if no
/// distribution has a sample of 1 ns or more.
pub(crate) fn survival(name: &str, axis_title: &str, lines: &[Line]) -> Option<Figure> {
    let rarest = lines.iter().map(|line| line.distribution.count()).max()? as f64;
    let shares = Axis::log("share of samples above", Unit::OneIn, [0.6 / rarest, 1.25]);
    let caption = "How often a value is exceeded. A line ends at its worst sample: \
                   further down nothing was measured.";
    overlaid((name, caption), axis_title, shares, lines, falling)
}

fn overlaid(
    (name, caption): (&str, &str),
    axis_title: &str,
    y: Axis,
    lines: &[Line],
    marks: fn(&Distribution) -> Vec<Mark>,
) -> Option<Figure> {
    let bins = lines.iter().flat_map(|line| log_bins(line.distribution));
    let [shortest, longest] = span(bins.flat_map(|bin| [bin.from_ns, bin.to_ns]))?;
    let series = lines.iter().map(|line| {
        Series::new(&line.name, Kind::Steps, Look::line(line.place), marks(line.distribution))
    });
    let x = Axis::log(axis_title, Unit::Time, [shortest / 1.1, longest * 1.1]);
    Some(Figure::new(name, caption, HEIGHT, Panel::new(x, y, series)))
}

/// Returns the outline of a histogram; empty bins are below the axis.
fn steps(distribution: &Distribution) -> Vec<Mark> {
    let bins = log_bins(distribution);
    let mark = |bin: &Bin| {
        let [from, to] = [bin.from_ns, bin.to_ns].map(words::time);
        let hover = format!("{from} to {to}: {}", words::grouped(bin.count));
        Mark::at(bin.from_ns, bin.count as f64).hover(hover)
    };
    let first = bins.first().map(|bin| Mark::at(bin.from_ns, 0.0));
    let last = bins.last().map(|bin| Mark::at(bin.to_ns, 0.0));
    first.into_iter().chain(bins.iter().map(mark)).chain(last).collect()
}

fn falling(distribution: &Distribution) -> Vec<Mark> {
    let total = distribution.count() as f64;
    let mut left = distribution.count() - distribution.early;
    let mut marks = Vec::new();
    for bin in log_bins(distribution) {
        let share = left as f64 / total;
        let hover = format!("{} above {}", words::percent(share), words::time(bin.from_ns));
        marks.push(Mark::at(bin.from_ns, share).hover(hover));
        left -= bin.count;
    }
    let worst = distribution.max.value_ns as f64;
    let hover = format!("worst: {}", words::time(worst));
    marks.push(Mark::at(worst, 1.0 / total).hover(hover));
    marks
}

/// Adds a vertical line at each deadline, in nanoseconds.
pub(crate) fn with_deadlines(
    mut chart: Figure,
    deadlines_ns: impl IntoIterator<Item = f64>,
) -> Figure {
    let longest = chart.panels.iter().map(|panel| panel.x.range[1]);
    let farthest = longest.fold(0.0, f64::max) * FAR;
    let mut deadlines: Vec<f64> = deadlines_ns.into_iter().collect();
    deadlines.retain(|ns| (f64::MIN_POSITIVE..=farthest).contains(ns));
    deadlines.sort_by(f64::total_cmp);
    deadlines.dedup();
    for panel in &mut chart.panels {
        for ns in &deadlines {
            let [least, most] = panel.x.range;
            panel.x.range = [least.min(ns / ROOM), most.max(ns * ROOM)];
            let upright = panel.y.range.map(|end| [*ns, end]);
            let label = format!("deadline {}", words::time(*ns));
            panel.guides.push(Guide::dashed(upright, label));
        }
    }
    if !deadlines.is_empty() {
        chart.caption += " Right of the upright line a deadline is missed.";
    }
    chart
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::distribution;

    #[test]
    fn deadlines_are_inside_the_axis_once_each_and_none_is_far_away() {
        let times = distribution(&[9_000, 60_000]).unwrap();
        let line = Line { name: String::new(), place: 0, distribution: &times };
        let chart = histogram("one", "time", &[line]).unwrap();
        let deadlines = [1e6, 1e5, 1e6, 3.6e12, 0.0];
        let panel = with_deadlines(chart, deadlines).panels.remove(0);
        let labels: Vec<&str> = panel.guides.iter().map(|guide| guide.label.as_str()).collect();
        assert_eq!(labels, ["deadline 100 µs", "deadline 1 ms"]);
        assert!(panel.guides.iter().all(|guide| guide.dashed));
        assert!(panel.x.range[1] > 1e6 && panel.x.range[1] < 2e6);
    }
}
