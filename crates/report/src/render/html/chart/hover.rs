//! Hover texts for lines without symbols: vertical strips, each with the values of all lines at
//! that position.

use std::collections::BTreeMap;

use super::frame::{Frame, percent, title};
use crate::document::{Kind, Series};

const FINE: f64 = 1e4;

pub(super) fn strips(frame: &Frame) -> String {
    let is_line = |series: &&Series| {
        series.look.symbol.is_none()
            && matches!(series.kind, Kind::Line | Kind::Steps | Kind::Needles)
    };
    let lines: Vec<&Series> = frame.panel.series.iter().filter(is_line).collect();
    let mut texts: BTreeMap<u32, String> = BTreeMap::new();
    for series in &lines {
        for mark in series.marks.iter().filter(|mark| !mark.hover.is_empty()) {
            let place = (frame.x(mark.x) * FINE) as u32;
            let text = texts.entry(place).or_default();
            if !text.is_empty() {
                text.push('\n');
            }
            if lines.len() > 1 {
                *text += &format!("{}: ", series.name);
            }
            *text += &mark.hover;
        }
    }
    let ends = texts.keys().skip(1).copied().chain([FINE as u32]);
    let strips = texts.iter().zip(ends).map(|((from, text), to)| {
        let [x, width] =
            [*from, to.saturating_sub(*from)].map(|place| percent(f64::from(place) / FINE));
        format!("<rect x=\"{x}\" width=\"{width}\">{}</rect>", title(text))
    });
    format!("<g class=\"strips\">{}</g>", strips.collect::<String>())
}
