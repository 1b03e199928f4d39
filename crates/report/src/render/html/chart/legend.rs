//! The legend: the meaning of the colours, strokes and symbols of a chart.

use super::ends;
use super::lines::stroke;
use super::marks::{class, painted, path};
use crate::document::{Chart, Kind, Series};
use crate::render::html::prose::html;

pub(super) fn legend(chart: &Chart) -> String {
    let entry = |name: &str, sample: &str| {
        let name = html(name);
        format!("<li><svg width=\"{WIDTH}\" height=\"12\">{sample}</svg>{name}</li>")
    };
    let series = chart.legend().into_iter().map(|series| match ends::number(chart, series) {
        Some(number) => entry(&format!("{number}. {}", series.name), &sample(series)),
        None => entry(&series.name, &sample(series)),
    });
    let guides = chart.panels[..1].iter().flat_map(|panel| &panel.guides);
    let guides = guides.filter(|guide| !guide.name.is_empty());
    let guides = guides.map(|guide| entry(&guide.name, GUIDE));
    let entries: String = series.chain(guides).collect();
    match entries.as_str() {
        "" => entries,
        entries => format!("<ul class=\"legend\">{entries}</ul>"),
    }
}

/// Width of a sample in CSS pixels: every stroke pattern repeats on both sides of its symbol.
const WIDTH: usize = 46;
const GUIDE: &str = "<path class=\"guide dashed\" d=\"M0 6H46\"/>";

fn sample(series: &Series) -> String {
    const RADIUS: f64 = 4.5;
    const BAR: &str = "<rect width=\"46\" height=\"12\"/>";
    let look = series.look;
    let line = match series.kind {
        Kind::Points => String::new(),
        Kind::Line | Kind::Steps | Kind::Needles => {
            format!("<path d=\"M0 6H{WIDTH}\" {}/>", stroke(look))
        }
        Kind::Spans(_) => painted(look, "spans", BAR),
    };
    let symbol = look.symbol.map_or_else(String::new, |shape| {
        let path = path(shape, RADIUS);
        let symbol = format!("<path transform=\"translate(23 6)\" d=\"{path}\"/>");
        painted(look, class(look), &symbol)
    });
    line + &symbol
}
