//! Numbers at the ends of lines, where they are too many for the eye to tell apart by colour and
//! stroke alone. The legend has the same numbers.

use super::frame::{Frame, NARROW};
use super::text::{escaped, percent};
use crate::document::{Chart, Kind, Mark, Series};

/// So many lines have colours of their own.
const MOST_WITHOUT: usize = 7;
/// CSS pixels at which numbers would lie over each other.
const NEAR: [f64; 2] = [26.0, 12.0];
/// Farther right numbers stand before the end of their line: there is no room behind it.
const EDGE: f64 = 0.9;

/// Which number a series has in the legend of its chart; none where lines are few.
pub(super) fn number(chart: &Chart, series: &Series) -> Option<usize> {
    let legend = chart.legend();
    let is_line = |series: &&&Series| matches!(series.kind, Kind::Line | Kind::Steps);
    if legend.iter().filter(is_line).count() <= MOST_WITHOUT {
        return None;
    }
    let place = legend.iter().position(|named| named.name == series.name);
    place.map(|place| place + 1)
}

/// The numbers of a plotting area; those of lines that end at one place stand together.
pub(super) fn numbers(chart: &Chart, frame: &Frame) -> String {
    let mut ends: Vec<([f64; 2], String)> = Vec::new();
    for series in &frame.panel.series {
        let Some((number, mark)) = number(chart, series).zip(end(frame, series)) else {
            continue;
        };
        let at = [frame.x(mark.x), frame.y(mark.y)];
        let is_near = |known: &[f64; 2]| {
            let apart = [(known[0] - at[0]) * NARROW, (known[1] - at[1]) * frame.height];
            apart.iter().zip(NEAR).all(|(apart, near)| apart.abs() < near)
        };
        match ends.iter_mut().find(|(known, _)| is_near(known)) {
            Some((_, numbers)) => *numbers += &format!(", {number}"),
            None => ends.push((at, number.to_string())),
        }
    }
    let text = |([x, y], numbers): &([f64; 2], String)| {
        let beside = match *x > EDGE {
            true => "dx=\"-5\" dy=\"-6\" text-anchor=\"end\"",
            false => "dx=\"7\" dy=\"4\"",
        };
        let ([x, y], numbers) = ([*x, *y].map(percent), escaped(numbers));
        format!("<text class=\"label\" x=\"{x}\" y=\"{y}\" {beside}>{numbers}</text>")
    };
    ends.iter().map(text).collect()
}

/// The last mark of a line; of an outline that ends on the axis its highest.
fn end<'s>(frame: &Frame, series: &'s Series) -> Option<&'s Mark> {
    let height = |mark: &Mark| frame.panel.y.place(mark.y);
    let last = series.marks.last()?;
    match height(last) > 0.0 {
        true => Some(last),
        false => series.marks.iter().max_by(|a, b| height(a).total_cmp(&height(b))),
    }
}
