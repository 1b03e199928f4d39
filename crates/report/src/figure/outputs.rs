//! The outputs of a user's own model over its time, and the reference to which they are compared.

use analysis::words;
use serde_json::Value;

use super::{Figure, span};
use crate::document::{Axis, COLOURS, Kind, Look, Mark, Panel, Series, Unit};

const HEIGHT: usize = 150;
/// The hover text covers this many intervals, as each makes the page larger.
const TOLD_TOGETHER: usize = 10;
/// Share of the values' range that is left free above and below them.
const FREE: f64 = 0.06;

/// Draws each output in a panel; `None` if nothing was recorded.
pub(crate) fn outputs(name: &str, model: &str, outputs: &[Value]) -> Option<Figure> {
    let start = outputs.iter().filter_map(|output| output["intervals"][0][0].as_f64());
    let start = start.reduce(f64::min)?;
    let panels: Vec<Panel> = outputs.iter().filter_map(|output| panel(output, start)).collect();
    let has_reference = outputs.iter().any(|output| output["reference"].is_array());
    let reference = if has_reference { "; wide: the reference" } else { "" };
    let from = match start {
        0.0 => String::new(),
        start => format!(" after {start} s"),
    };
    let caption = format!(
        "{model}: recorded outputs over the model's time{from}{reference}. Where there are more \
         steps than can be drawn, a line is as high as the values of consecutive steps."
    );
    (!panels.is_empty()).then(|| Figure::several(name, caption, HEIGHT, panels))
}

fn panel(output: &Value, start: f64) -> Option<Panel> {
    let title = output["output"].as_str()?;
    let marks = |name: &str| marks(&output[name], start);
    let lines = [
        ("reference", marks("reference"), Look { width: 5.0, ..Look::plain(COLOURS[4]) }),
        ("", marks("intervals"), Look { width: 1.4, ..Look::plain(COLOURS[0]) }),
    ];
    let all = || lines.iter().flat_map(|(_, marks, _)| marks);
    let [from, to] = span(all().map(|mark| mark.x))?;
    let [least, most] = span(all().map(|mark| mark.y))?;
    let free = if most > least { (most - least) * FREE } else { 1.0 };
    let x = Axis::linear("model time", Unit::Time, [from, to]);
    let y = Axis::linear(title, Unit::Number, [least - free, most + free]);
    let series = lines.into_iter().filter(|(_, marks, _)| !marks.is_empty());
    Some(Panel::new(
        x,
        y,
        series.map(|(name, marks, look)| Series::new(name, Kind::Line, look, marks)),
    ))
}

/// Returns the least and the largest value of each interval, in nanoseconds after the start.
fn marks(intervals: &Value, start: f64) -> Vec<Mark> {
    let intervals = intervals.as_array().map_or(&[][..], Vec::as_slice);
    let mut marks = Vec::new();
    for (place, interval) in intervals.iter().enumerate() {
        let [Some(at), Some(least), Some(most)] = [0, 1, 2].map(|at| interval[at].as_f64()) else {
            continue;
        };
        let at = (at - start) * 1e9;
        let hover = match place % TOLD_TOGETHER {
            0 => format!("{most} at {}", words::time(at)),
            _ => String::new(),
        };
        marks.push(Mark::at(at, most).hover(hover));
        if least < most {
            marks.push(Mark::at(at, least));
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn outputs_lie_on_their_reference_with_all_extremes() {
        let all = [
            json!({"output": "h", "intervals": [[1.0, 2.0, 2.0], [1.5, 0.0, 4.0]], "reference": [[1.0, 2.0, 2.0]]}),
            json!({"output": "v", "intervals": [[1.0, 3.0, 3.0]], "reference": null}),
        ];
        let figure = outputs("outputs", "Ball", &all).unwrap();
        let [h, v] = &*figure.panels else { panic!("{figure:?}") };
        assert_eq!((h.x.range, h.y.title.as_str()), ([0.0, 5e8], "h"));
        let counts =
            |panel: &Panel| panel.series.iter().map(|line| line.marks.len()).collect::<Vec<_>>();
        assert_eq!((counts(h), counts(v)), (vec![1, 3], vec![1]));
        assert!(figure.caption.contains("after 1 s; wide: the reference"), "{}", figure.caption);
        assert_eq!(outputs("outputs", "Ball", &[]), None);
    }
}
