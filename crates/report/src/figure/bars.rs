//! Bars of several tests, grouped by test, one colour a load.

use plotly::common::{Font, HoverInfo, Marker, Orientation, TextPosition, Title};
use plotly::layout::{Axis, AxisRange, BarMode};
use plotly::{Trace, traces};

use super::{ABOVE, BELOW_AXIS, Figure, LEGEND_LINE_HEIGHT, axis, colour, layout, plot, time_axis};
use analysis::words;

/// The bars of one test under one load, one a panel.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bar {
    /// The test, which groups bars; `<br>` breaks the line.
    pub test: String,
    /// The load, which colours them.
    pub load: String,
    /// What each panel shows.
    pub values: [Option<f64>; 2],
}

/// One half of the figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Panel {
    /// What its axis shows.
    pub title: &'static str,
    /// What its values are.
    pub scale: Scale,
}

/// What values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    /// Nanoseconds, on a logarithmic axis.
    Time,
    /// Shares from 0 to 1.
    Share,
}

const BAR: usize = 17;
const BETWEEN_TESTS: usize = 14;
/// Names of the axes of both panels, and their parts of the width.
const PLACES: [(&str, &str, [f64; 2]); 2] = [("x", "y", [0.0, 0.465]), ("x2", "y2", [0.535, 1.0])];

/// Both panels side by side; the first test stands on top. `None` without a bar.
pub(crate) fn bars(
    name: &str,
    caption: &str,
    panels: [Panel; 2],
    loads: &[String],
    bars: &[Bar],
) -> Option<Figure> {
    let mut tests: Vec<&str> = Vec::new();
    for bar in bars {
        if !tests.contains(&bar.test.as_str()) {
            tests.push(&bar.test);
        }
    }
    if tests.is_empty() {
        return None;
    }
    let group = loads.len() * BAR + BETWEEN_TESTS;
    let height =
        ABOVE + BELOW_AXIS + tests.len() * group.max(2 * BAR) + loads.len() * LEGEND_LINE_HEIGHT;
    let [left, right] = [0, 1].map(|half| {
        let values = bars.iter().filter_map(move |bar| bar.values[half]);
        panels[half]
            .axis(&values.collect::<Vec<f64>>())
            .domain(&PLACES[half].2)
            .anchor(PLACES[half].1)
    });
    let layout = layout(height, "", loads.len())
        .bar_mode(BarMode::Group)
        .bar_gap(BETWEEN_TESTS as f64 / group as f64)
        .x_axis(left)
        .x_axis2(right)
        .y_axis(tests_axis(&tests).anchor(PLACES[0].0))
        .y_axis2(
            tests_axis(&tests)
                .anchor(PLACES[1].0)
                .show_tick_labels(false),
        );
    let traces = (0..2).flat_map(|half| {
        let of_load = |(index, load): (usize, &String)| {
            let bars = bars.iter().filter(|bar| bar.load == *load);
            trace(half, panels[half].scale, (index, load), bars, &tests)
        };
        loads.iter().enumerate().map(of_load).collect::<Vec<_>>()
    });
    let plot = plot(name, layout, traces.collect());
    Some(Figure::new(name, caption, height, &plot))
}

fn tests_axis(tests: &[&str]) -> Axis {
    axis("")
        .range(AxisRange::new(tests.len() as f64 - 0.5, -0.5))
        .tick_values((0..tests.len()).map(|place| place as f64).collect())
        .tick_text(tests.to_vec())
        .show_grid(false)
}

impl Panel {
    fn axis(&self, values: &[f64]) -> Axis {
        /// Room for a bar's label beyond the longest.
        const FOR_LABELS: f64 = 8.0;
        /// A wider axis has ticks at powers of ten alone: half a figure has no room
        /// for more.
        const FOR_WHOLE_DECADES: f64 = 400.0;
        match self.scale {
            Scale::Time => {
                let shortest = values
                    .iter()
                    .copied()
                    .fold(f64::INFINITY, f64::min)
                    .max(1.0);
                let longest = values.iter().copied().fold(shortest, f64::max);
                let end = longest * FOR_LABELS;
                time_axis("", (shortest / 2.0).min(end / FOR_WHOLE_DECADES), end)
            }
            Scale::Share => axis("")
                .range(AxisRange::new(0.0, 1.25))
                .tick_values(vec![0.0, 0.25, 0.5, 0.75, 1.0])
                .tick_text(vec!["0 %", "25 %", "50 %", "75 %", "100 %"]),
        }
        .title(Title::with_text(self.title))
    }
}

impl Scale {
    fn in_words(self, value: f64) -> String {
        match self {
            Self::Time => words::time(value),
            Self::Share => words::percent(value),
        }
    }

    /// Where a bar ends: nothing below 1 ns stands on a logarithmic axis.
    fn place(self, value: f64) -> f64 {
        match self {
            Self::Time => value.max(1.0),
            Self::Share => value,
        }
    }
}

fn trace<'b>(
    half: usize,
    scale: Scale,
    (index, load): (usize, &String),
    bars: impl Iterator<Item = &'b Bar>,
    tests: &[&str],
) -> Box<dyn Trace> {
    let shown = bars.filter_map(|bar| {
        let place = tests.iter().position(|test| *test == bar.test)?;
        Some((place as f64, bar.values[half]?))
    });
    let (places, values): (Vec<f64>, Vec<f64>) = shown.unzip();
    let texts: Vec<String> = values.iter().map(|value| scale.in_words(*value)).collect();
    let ends = values.iter().map(|value| scale.place(*value)).collect();
    traces::Bar::new(ends, places)
        .name(load)
        .legend_group(load)
        .show_legend(half == 0)
        .orientation(Orientation::Horizontal)
        .text_array(texts)
        .text_position(TextPosition::Outside)
        .text_font(Font::new().size(11))
        .text_angle(0.0)
        .clip_on_axis(false)
        .hover_info(HoverInfo::Text)
        .marker(Marker::new().color(colour(index)))
        .x_axis(PLACES[half].0)
        .y_axis(PLACES[half].1)
}
