//! The lines in a plotting area: grid, series, guides. The drawing is stretched to the area, but
//! strokes keep their width.

use super::frame::Frame;
use super::ticks::Tick;
use crate::document::{Kind, Look, Mark, Series};

/// Width and height of the plotting area in its own units.
const SIDE: f64 = 10_000.0;

pub(super) fn lines(frame: &Frame, across: &[Tick], upright: &[Tick]) -> String {
    let place = |place: f64| (place * SIDE).round();
    let vertical = across.iter().map(|tick| format!("M{} 0V{SIDE}", place(tick.place)));
    let level = upright.iter().map(|tick| format!("M0 {}H{SIDE}", place(1.0 - tick.place)));
    let grid: String = vertical.chain(level).collect();
    let series: String = frame.panel.series.iter().map(|series| line(frame, series)).collect();
    stretched(&format!(
        "<path class=\"grid\" d=\"{grid}\"/>{series}<path class=\"frame\" d=\"M0 0V{SIDE}H{SIDE}\"/>"
    ))
}

pub(super) fn guides(frame: &Frame) -> String {
    let guides = frame.panel.guides.iter().map(|guide| {
        let class = if guide.dashed { "guide dashed" } else { "guide" };
        let path = joined(guide.points.iter().map(|[x, y]| at(frame, *x, *y)));
        format!("<path class=\"{class}\" d=\"{path}\"/>")
    });
    stretched(&guides.collect::<String>())
}

fn stretched(paths: &str) -> String {
    format!(
        "<svg class=\"lines\" viewBox=\"0 0 {SIDE} {SIDE}\" preserveAspectRatio=\"none\">{paths}</svg>"
    )
}

pub(super) fn stroke(look: Look) -> String {
    let dashes = match look.dash {
        "" => String::new(),
        pixels => format!(" stroke-dasharray=\"{pixels}\""),
    };
    format!("stroke=\"{}\" stroke-width=\"{}\"{dashes}", look.colour, look.width)
}

/// Returns the position of a point; a point far outside is moved to just outside, where it is still
/// invisible.
fn at(frame: &Frame, x: f64, y: f64) -> [f64; 2] {
    let near = |place: f64| (place.clamp(-0.5, 1.5) * SIDE).round();
    [near(frame.panel.x.place(x)), near(1.0 - frame.panel.y.place(y))]
}

fn joined(points: impl Iterator<Item = [f64; 2]>) -> String {
    let path = points.map(|[x, y]| format!("L{x} {y}")).collect::<String>();
    path.replacen('L', "M", 1)
}

fn line(frame: &Frame, series: &Series) -> String {
    let points = || series.marks.iter().map(|mark| at(frame, mark.x, mark.y));
    let path = match series.kind {
        Kind::Points | Kind::Spans(_) | Kind::Needles => String::new(),
        Kind::Line => joined(points()),
        Kind::Steps => {
            let steps = points().skip(1).map(|[x, y]| format!("H{x}V{y}"));
            joined(points().take(1)) + &steps.collect::<String>()
        }
    };
    let solid = Look { dash: "", ..series.look };
    let paths = [(path, series.look), (intervals(frame, series), solid)];
    let paths = paths.iter().filter(|(path, _)| !path.is_empty());
    paths.map(|(path, look)| format!("<path {} d=\"{path}\"/>", stroke(*look))).collect()
}

fn intervals(frame: &Frame, series: &Series) -> String {
    const CAP: &str = "m-40 0h80";
    let cap = if series.kind == Kind::Needles { "" } else { CAP };
    let interval = |mark: &Mark| {
        let [x, y] = at(frame, mark.x, mark.y);
        let [_, end] = at(frame, mark.x, mark.to?);
        Some(format!("M{x} {y}V{end}{cap}"))
    };
    match series.kind {
        Kind::Spans(_) => String::new(),
        _ => series.marks.iter().filter_map(interval).collect(),
    }
}
