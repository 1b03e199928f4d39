//! Labels of guides, placed so that they do not overlap.

use super::frame::{self, Frame, LINE, MIN_WIDTH};
use super::ticks::width;
use crate::document::Guide;

/// CSS pixels from a guide to the bottom of a label above or below it.
const ABOVE: f64 = 5.0;
const BELOW: f64 = 12.0;
/// Labels move away from their guide by at most this many half lines.
const MOST_AWAY: u32 = 40;

#[derive(Debug, Clone, PartialEq)]
struct Label<'g> {
    text: &'g str,
    x: f64,
    is_end: bool,
    top: f64,
}

pub(super) fn labels(frame: &Frame) -> String {
    let text = |label: &Label| {
        let (anchor, dx) = if label.is_end { ("end", -4) } else { ("start", 5) };
        let attributes = format!("dx=\"{dx}\" text-anchor=\"{anchor}\"");
        frame::label([label.x, label.top / frame.height], &attributes, label.text)
    };
    placed(frame).iter().map(text).collect()
}

/// Places every label above or below its guide's last point, and farther away if other labels or
/// the ends of other guides leave no room.
fn placed<'g>(frame: &'g Frame) -> Vec<Label<'g>> {
    let guides = &frame.panel.guides;
    let end = |guide: &Guide| {
        let [x, y] = *guide.points.last()?;
        Some([frame.x(x), frame.y(y) * frame.height])
    };
    let ends: Vec<[f64; 2]> = guides.iter().filter_map(end).collect();
    let mut placed: Vec<Label> = Vec::new();
    for guide in guides.iter().filter(|guide| !guide.label.is_empty()) {
        let Some([x, y]) = end(guide) else { continue };
        let label = |top: f64| Label { text: &guide.label, x, is_end: x > 0.6, top };
        let is_free = |label: &Label| {
            let near =
                |other: f64, above: f64| (-LINE + above..LINE).contains(&(label.top - other));
            let crossed = |end: &&[f64; 2]| end[0] == x && end[1] != y && near(end[1], 10.0);
            label.top >= LINE
                && label.top < frame.height
                && !placed.iter().any(|other| overlap(other, label) && near(other.top, 0.0))
                && !ends.iter().any(|end| crossed(&end))
        };
        let away = (0..MOST_AWAY).flat_map(|lines| {
            let away = f64::from(lines) * LINE / 2.0;
            [y - ABOVE - away, y + BELOW + away]
        });
        let free = away.map(label).find(is_free);
        placed.push(free.unwrap_or_else(|| label(y - ABOVE)));
    }
    placed
}

/// Whether two labels overlap horizontally at the minimum width of the chart.
fn overlap(a: &Label, b: &Label) -> bool {
    let ends = |label: &Label| {
        let (at, width) = (label.x * MIN_WIDTH, width(label.text));
        if label.is_end { [at - width, at] } else { [at, at + width] }
    };
    let ([from, to], [other_from, other_to]) = (ends(a), ends(b));
    from < other_to && other_from < to
}
