//! Numbers at the ends of lines, for charts with too many lines to distinguish by colour and stroke
//! alone. The legend has the same numbers.

use super::frame::{Frame, MIN_WIDTH, label};
use crate::document::{Chart, Kind, Mark, Series};

/// Number of lines that have different colours; with more lines, numbers are drawn.
const MOST_WITHOUT: usize = 7;
/// Numbers that are closer than this (horizontally, vertically) would overlap, in CSS pixels.
const NEAR: [f64; 2] = [26.0, 12.0];
/// Beyond this position, numbers are drawn before the end of their line, because there is no room
/// after it.
const EDGE: f64 = 0.9;

/// Returns the number of a series in its chart's legend; `None` if there are few lines.
pub(super) fn number(chart: &Chart, series: &Series) -> Option<usize> {
    let legend = chart.legend();
    let is_line = |series: &&&Series| matches!(series.kind, Kind::Line | Kind::Steps);
    if legend.iter().filter(is_line).count() <= MOST_WITHOUT {
        return None;
    }
    let place = legend.iter().position(|named| named.name == series.name);
    place.map(|place| place + 1)
}

/// Draws the numbers of a plotting area; lines that end at the same position have their numbers
/// together.
pub(super) fn numbers(chart: &Chart, frame: &Frame) -> String {
    let mut ends: Vec<([f64; 2], String)> = Vec::new();
    for series in &frame.panel.series {
        let Some((number, mark)) = number(chart, series).zip(end(frame, series)) else {
            continue;
        };
        let at = [frame.x(mark.x), frame.y(mark.y)];
        let is_near = |known: &[f64; 2]| {
            let apart = [(known[0] - at[0]) * MIN_WIDTH, (known[1] - at[1]) * frame.height];
            apart.iter().zip(NEAR).all(|(apart, near)| apart.abs() < near)
        };
        match ends.iter_mut().find(|(known, _)| is_near(known)) {
            Some((_, numbers)) => *numbers += &format!(", {number}"),
            None => ends.push((at, number.to_string())),
        }
    }
    let text = |(at, numbers): &([f64; 2], String)| {
        let before = "dx=\"-5\" dy=\"-6\" text-anchor=\"end\"";
        label(*at, if at[0] > EDGE { before } else { "dx=\"7\" dy=\"4\"" }, numbers)
    };
    ends.iter().map(text).collect()
}

/// Returns the last mark of a line, or the highest mark of an outline that ends on the axis.
fn end<'s>(frame: &Frame, series: &'s Series) -> Option<&'s Mark> {
    let height = |mark: &Mark| frame.panel.y.place(mark.y);
    let last = series.marks.last()?;
    if height(last) > 0.0 {
        Some(last)
    } else {
        series.marks.iter().max_by(|a, b| height(a).total_cmp(&height(b)))
    }
}
