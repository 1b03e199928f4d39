//! What each thread of a tire did around its worst step (MPE figure 4).

use std::collections::BTreeSet;

use plotly::common::{HoverInfo, Line, Mode};
use plotly::layout::AxisRange;
use plotly::{Scatter, Trace};
use serde_json::Value;

use super::{ABOVE, BELOW_AXIS, Figure, LEGEND_LINE_HEIGHT, axis, colour, layout, plot};
use analysis::words;

/// Phases in the order of the legend.
const PHASES: [&str; 5] = ["lock", "compute", "integrate", "wait", "idle"];
const BAR: usize = 18;
const BAR_SPACE: usize = 34;

/// Bars of each thread's phases; `None` where nothing was recorded.
pub(crate) fn timeline(name: &str, what: &str, blocks: &[Value]) -> Option<Figure> {
    let threads: BTreeSet<&str> = blocks.iter().filter_map(|b| b["thread"].as_str()).collect();
    let threads: Vec<&str> = threads.into_iter().collect();
    let used: Vec<(usize, &str)> = PHASES
        .into_iter()
        .enumerate()
        .filter(|(_, phase)| blocks.iter().any(|block| block["phase"] == *phase))
        .collect();
    if used.is_empty() {
        return None;
    }
    let height = ABOVE + BELOW_AXIS + threads.len() * BAR_SPACE + used.len() * LEGEND_LINE_HEIGHT;
    let layout = layout(height, "", used.len())
        .x_axis(axis("time after the worst step was due, ms"))
        .y_axis(
            axis("")
                .range(AxisRange::new(threads.len() as f64 - 0.5, -0.5))
                .tick_values((0..threads.len()).map(|place| place as f64).collect())
                .tick_text(threads.clone())
                .show_grid(false),
        );
    let traces = used
        .into_iter()
        .map(|(index, phase)| bars(index, phase, blocks, &threads))
        .collect();
    let caption =
        format!("{what}: what each thread did in its worst step, and in the steps around.");
    Some(Figure::new(
        name,
        caption,
        height,
        &plot(name, layout, traces),
    ))
}

/// A bar is a thick line from its start to its end; what is no number parts it from
/// the next one.
fn bars(index: usize, phase: &str, blocks: &[Value], threads: &[&str]) -> Box<dyn Trace> {
    let (mut x, mut y, mut text) = (Vec::new(), Vec::new(), Vec::new());
    for block in blocks.iter().filter(|block| block["phase"] == phase) {
        let stamp = |name: &str| block[name].as_f64().unwrap_or(0.0);
        let thread = threads.iter().position(|known| block["thread"] == *known);
        let (from, to) = (stamp("from_ns"), stamp("to_ns"));
        x.extend([from / 1e6, to / 1e6, f64::NAN]);
        y.extend([thread.unwrap_or(0) as f64; 3]);
        let told = format!("{phase}: {}", words::time(to - from));
        text.extend([told.clone(), told, String::new()]);
    }
    Scatter::new(x, y)
        .name(phase)
        .mode(Mode::Lines)
        .text_array(text)
        .hover_info(HoverInfo::Text)
        .line(Line::new().width(BAR as f64).color(match phase {
            "idle" => "#DDE2E7",
            _ => colour(index),
        }))
}
