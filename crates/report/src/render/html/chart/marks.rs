//! Bars, symbols and their labels.

use super::frame::{self, Frame, percent, title};
use crate::document::{Kind, Look, Mark, Series, Side, Symbol};

/// Diameter of a symbol in CSS pixels.
const SIZE: f64 = 9.0;

pub(super) fn spans(frame: &Frame) -> String {
    let of_series = |series: &Series| {
        let Kind::Spans(rows) = series.kind else { return None };
        let bar = |mark: &Mark| {
            let [from, to] = [mark.x, mark.to.unwrap_or(mark.x)].map(|end| frame.x(end));
            let [a, b] = [-0.5, 0.5].map(|half| frame.y(mark.y + half * rows));
            let [x, width] = [from.min(to), (to - from).abs()].map(percent);
            let [y, height] = [a.min(b), (b - a).abs()].map(percent);
            let place = format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
            format!("<rect {place}>{}</rect>", title(&mark.hover))
        };
        let bars: String = series.marks.iter().map(bar).collect();
        Some(painted(series.look, "spans", &bars))
    };
    frame.panel.series.iter().filter_map(of_series).collect()
}

pub(super) fn points(frame: &Frame) -> String {
    let of_series = |series: &Series| {
        let shape = series.look.symbol?;
        let marks: String = series.marks.iter().map(|mark| point(frame, mark, shape)).collect();
        Some(painted(series.look, class(series.look), &marks))
    };
    frame.panel.series.iter().filter_map(of_series).collect()
}

pub(super) fn class(look: Look) -> &'static str {
    let is_outline = look.open || look.symbol == Some(Symbol::Cross);
    if is_outline { "outlines" } else { "symbols" }
}

pub(super) fn painted(look: Look, class: &str, marks: &str) -> String {
    let opacity = match look.opacity {
        1.0 => String::new(),
        opacity => format!(" fill-opacity=\"{opacity}\""),
    };
    let colour = look.colour;
    format!("<g class=\"{class}\" color=\"{colour}\"{opacity}>{marks}</g>")
}

/// Draws a symbol, or an arrow at the edge if the mark is outside.
fn point(frame: &Frame, mark: &Mark, shape: Symbol) -> String {
    let [x, y] = [frame.x(mark.x), frame.y(mark.y)].map(percent);
    let radius = mark.size.unwrap_or(SIZE) / 2.0;
    let colour = mark.colour.as_ref();
    let colour = colour.map_or_else(String::new, |colour| format!(" color=\"{colour}\""));
    let title = title(&mark.hover);
    let beyond = beyond(frame, mark);
    if beyond == 0.0 && shape == Symbol::Circle {
        return format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius:.1}\"{colour}>{title}</circle>");
    }
    let (shape, mirrored) = match beyond {
        0.0 => (shape, ""),
        ..0.0 => (Symbol::Beyond, " transform=\"scale(-1 1)\""),
        _ => (Symbol::Beyond, ""),
    };
    let path = path(shape, radius);
    format!("<svg x=\"{x}\" y=\"{y}\"{colour}><path d=\"{path}\"{mirrored}>{title}</path></svg>")
}

/// -1 if a mark is left of the plotting area, 1 if right of it, else 0.
fn beyond(frame: &Frame, mark: &Mark) -> f64 {
    const EDGE: f64 = 1e-9;
    match frame.panel.x.place(mark.x) {
        place if place < -EDGE => -1.0,
        place if place > 1.0 + EDGE => 1.0,
        _ => 0.0,
    }
}

pub(super) fn path(shape: Symbol, radius: f64) -> String {
    let r = |share: f64| (radius * share * 10.0).round() / 10.0;
    match shape {
        Symbol::Circle => {
            format!("M-{0} 0a{0} {0} 0 1 0 {1} 0a{0} {0} 0 1 0-{1} 0z", r(1.0), r(2.0))
        }
        Symbol::Square => format!("M-{0}-{0}H{0}V{0}H-{0}z", r(0.9)),
        Symbol::Diamond => format!("M0-{0}L{0} 0L0 {0}L-{0} 0z", r(1.25)),
        Symbol::Triangle => format!("M0-{0}L{0} {1}H-{0}z", r(1.15), r(0.85)),
        Symbol::Cross => format!("M-{0}-{0}L{0} {0}M-{0} {0}L{0}-{0}", r(0.85)),
        Symbol::Beyond => format!("M-{0}-{1}L{1} 0L-{0} {1}z", r(0.6), r(1.1)),
    }
}

pub(super) fn labels(frame: &Frame) -> String {
    let of_series = |series: &Series| -> String {
        let is_span = matches!(series.kind, Kind::Spans(_));
        series.marks.iter().map(|mark| label(frame, mark, is_span)).collect()
    };
    frame.panel.series.iter().map(of_series).collect()
}

fn label(frame: &Frame, mark: &Mark, is_span: bool) -> String {
    const BESIDE: f64 = 9.0;
    let beyond = if is_span { 0.0 } else { beyond(frame, mark) };
    let (text, side) = match beyond {
        0.0 => (mark.label.clone(), mark.side),
        ..0.0 => (frame.panel.x.unit.words(mark.x), Side::Right),
        _ => (frame.panel.x.unit.words(mark.x), Side::Left),
    };
    if text.is_empty() {
        return text;
    }
    let (anchor, dx, dy) = match side {
        Side::Left => ("end", -BESIDE, 4.0),
        Side::Right => ("start", BESIDE, 4.0),
        Side::Above => ("middle", 0.0, -9.0),
    };
    let x = match mark.to {
        Some(to) if is_span => to,
        _ => mark.x,
    };
    let beside = format!("dx=\"{dx}\" dy=\"{dy}\" text-anchor=\"{anchor}\"");
    frame::label([frame.x(x), frame.y(mark.y)], &beside, &text)
}
