//! Step times that a model predicts against those that were measured.

use plotly::common::{DashType, HoverInfo, Line, Marker, MarkerSymbol, Mode};
use plotly::{Scatter, Trace};

use super::{ABOVE, BELOW_AXIS, Figure, INK, LEGEND_LINE_HEIGHT, colour, layout, plot, time_axis};

const PLOT_HEIGHT: usize = 340;

/// The runs of one model.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Predicted {
    /// What the legend says.
    pub name: String,
    /// Measured and predicted nanoseconds, and what the pointer shows.
    pub runs: Vec<([f64; 2], String)>,
}

/// One colour a model, with the line on which prediction and measurement agree. `None`
/// without a run.
pub(crate) fn predicted(name: &str, caption: &str, models: &[Predicted]) -> Option<Figure> {
    let times = || {
        let runs = models.iter().flat_map(|model| &model.runs);
        runs.flat_map(|(times, _)| *times).filter(|ns| *ns > 0.0)
    };
    let shortest = times().reduce(f64::min)? / 1.5;
    let longest = times().fold(0.0, f64::max) * 1.5;
    let height = PLOT_HEIGHT + ABOVE + BELOW_AXIS + models.len() * LEGEND_LINE_HEIGHT;
    let layout = layout(height, "predicted mean step", models.len())
        .x_axis(time_axis("measured mean step", shortest, longest))
        .y_axis(time_axis("", shortest, longest));
    let mut traces = vec![agreement(shortest, longest)];
    traces.extend(models.iter().enumerate().map(points));
    let plot = plot(name, layout, traces);
    Some(Figure::new(name, caption, height, &plot))
}

fn agreement(shortest: f64, longest: f64) -> Box<dyn Trace> {
    Scatter::new(vec![shortest, longest], vec![shortest, longest])
        .mode(Mode::Lines)
        .hover_info(HoverInfo::Skip)
        .show_legend(false)
        .line(Line::new().color(INK).width(1.2).dash(DashType::Dash))
}

fn points((index, model): (usize, &Predicted)) -> Box<dyn Trace> {
    let all = |of: usize| model.runs.iter().map(|(times, _)| times[of]).collect();
    let hovers = model.runs.iter().map(|(_, hover)| hover.as_str());
    Scatter::new(all(0), all(1))
        .name(&model.name)
        .mode(Mode::Markers)
        .text_array(hovers.collect::<Vec<&str>>())
        .hover_info(HoverInfo::Text)
        .marker(
            Marker::new()
                .size(9)
                .opacity(0.75)
                .color(colour(index))
                .symbol(MarkerSymbol::Circle),
        )
}
