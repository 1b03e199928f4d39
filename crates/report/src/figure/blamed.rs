//! Who had the CPU when something was late: the worst cases, one bar each, against the
//! time that was allowed.

use blame::LateTold;
use plotly::common::{HoverInfo, Line, Mode};
use plotly::layout::AxisRange;
use plotly::{Scatter, Trace};

use super::{ABOVE, BELOW_AXIS, Figure, LEGEND_LINE_HEIGHT, axis, colour, layout, plot};
use crate::words;

const BAR: usize = 18;
const BAR_SPACE: usize = 34;
const OWN: &str = "#DDE2E7";

/// A bar for each of the worst; `None` where the trace tells of none.
pub(crate) fn blamed(
    name: &str,
    what: &str,
    threshold_ns: i64,
    worst: &[LateTold],
) -> Option<Figure> {
    let drawn: Vec<&LateTold> = worst.iter().filter(|l| !l.segments.is_empty()).collect();
    let mut kinds: Vec<&str> = Vec::new();
    for (.., kind, words) in drawn.iter().flat_map(|late| &late.segments) {
        let shown = legend(kind, words);
        if !kinds.contains(&shown) {
            kinds.push(shown);
        }
    }
    if drawn.is_empty() {
        return None;
    }
    let lines = kinds.len() + 1;
    let height = ABOVE + BELOW_AXIS + drawn.len() * BAR_SPACE + lines * LEGEND_LINE_HEIGHT;
    let bottom = drawn.len() as f64 - 0.5;
    let label =
        |late: &&LateTold| format!("{}, {}", late.thread, words::grouped(late.index as u64));
    let layout = layout(height, "", lines)
        .x_axis(axis("time after it was due, ms"))
        .y_axis(
            axis("")
                .range(AxisRange::new(bottom, -0.5))
                .tick_values((0..drawn.len()).map(|place| place as f64).collect())
                .tick_text(drawn.iter().map(label).collect())
                .show_grid(false),
        );
    let stretches = kinds.iter().enumerate();
    let stretches = stretches.map(|(index, shown)| bars(index, shown, &drawn));
    let allowed = threshold_ns as f64 / 1e6;
    let limit = Scatter::new(vec![allowed, allowed], vec![-0.5, bottom])
        .name(format!(
            "late from here on ({})",
            words::time(threshold_ns as f64)
        ))
        .mode(Mode::Lines)
        .hover_info(HoverInfo::Skip)
        .line(Line::new().width(2.0).color("#C62828"));
    let traces = stretches.chain([limit as Box<dyn Trace>]).collect();
    let caption = format!(
        "{what}: who had the CPU from the due time until it was done, in the worst cases, each \
         with its thread and the number of its period."
    );
    Some(Figure::new(
        name,
        caption,
        height,
        &plot(name, layout, traces),
    ))
}

/// What a stretch is called below the figure: tasks and interrupts by name.
fn legend<'a>(kind: &'a str, words: &'a str) -> &'a str {
    match kind {
        "unknown" => "unknown",
        _ => words,
    }
}

fn bars(index: usize, shown: &str, drawn: &[&LateTold]) -> Box<dyn Trace> {
    let (mut x, mut y, mut text) = (Vec::new(), Vec::new(), Vec::new());
    let mut of_kind = "";
    for (place, late) in drawn.iter().enumerate() {
        for (from, to, kind, words) in &late.segments {
            if legend(kind, words) != shown {
                continue;
            }
            of_kind = kind;
            x.extend([*from as f64 / 1e6, *to as f64 / 1e6, f64::NAN]);
            y.extend([place as f64; 3]);
            let told = format!("{words}: {}", words::time((to - from) as f64));
            text.extend([told.clone(), told, String::new()]);
        }
    }
    Scatter::new(x, y)
        .name(shown)
        .mode(Mode::Lines)
        .text_array(text)
        .hover_info(HoverInfo::Text)
        .line(Line::new().width(BAR as f64).color(match of_kind {
            "own_work" => OWN,
            _ => colour(index),
        }))
}
