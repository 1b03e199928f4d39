//! What each thread of a model did around its worst step (MPE figure 4).

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Figure, span};
use crate::document::{Axis, Kind, Look, Mark, Panel, Series, Unit};
use analysis::words;

/// The phases in the order of the legend.
const PHASES: [&str; 8] =
    ["lock", "compute", "integrate", "wait", "inputs", "call", "outputs", IDLE];
const IDLE: &str = "idle";
/// Height of a thread's row in CSS pixels.
const ROW_HEIGHT: usize = 34;
/// Thickness of a bar, as a share of its row.
const THICKNESS: f64 = 0.55;

/// Returns the figure of the phases in `blocks`, with a row for each thread; `what` names the model
/// in the caption. `None` without a block of a known phase.
pub(crate) fn timeline(name: &str, what: &str, blocks: &[Value]) -> Option<Figure> {
    let threads: BTreeSet<&str> = blocks.iter().filter_map(|b| b["thread"].as_str()).collect();
    let threads: Vec<&str> = threads.into_iter().collect();
    let bar = |block: &Value| {
        let row = threads.iter().position(|known| block["thread"] == *known);
        let [from, to] = ["from_ns", "to_ns"].map(|name| block[name].as_f64().unwrap_or(0.0));
        let phase = block["phase"].as_str().unwrap_or_default();
        let hover = format!("{phase}: {}", words::time(to - from));
        Mark::span(from, to, row.unwrap_or(0) as f64).hover(hover)
    };
    let series = |(place, phase): (usize, &str)| {
        let look = if phase == IDLE { Look::plain("#DDE2E7") } else { Look::bars(place) };
        let phase_blocks = blocks.iter().filter(|block| block["phase"] == phase);
        Series::new(phase, Kind::Spans(THICKNESS), look, phase_blocks.map(bar).collect())
    };
    let series = PHASES.into_iter().enumerate().map(series);
    let series: Vec<Series> = series.filter(|series| !series.marks.is_empty()).collect();
    let ends = series.iter().flat_map(|series| &series.marks);
    let ends = ends.flat_map(|mark| [Some(mark.x), mark.to]).flatten();
    let x = Axis::linear("time after the worst step was due", Unit::Time, span(ends)?);
    let y = Axis::rows(threads.iter().map(ToString::to_string).collect());
    let panel = Panel::new(x, y, series);
    let caption =
        format!("{what}: what each thread did in its worst step, and in the steps around.");
    Some(Figure::new(name, caption, threads.len() * ROW_HEIGHT, panel))
}
