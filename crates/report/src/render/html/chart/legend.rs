//! What the colours, strokes and symbols of a chart mean.

use super::lines::stroke;
use super::marks::{class, painted, path};
use crate::document::{Chart, Kind, Series};
use crate::render::html::prose::html;

pub(super) fn legend(chart: &Chart) -> String {
    let entry = |name: &str, sample: &str| {
        let name = html(name);
        format!("<li><svg width=\"30\" height=\"12\">{sample}</svg>{name}</li>")
    };
    let series = chart.legend().into_iter();
    let series = series.map(|series| entry(&series.name, &sample(series)));
    let guides = chart.panels[..1].iter().flat_map(|panel| &panel.guides);
    let guides = guides.filter(|guide| !guide.name.is_empty());
    let guides = guides.map(|guide| entry(&guide.name, GUIDE));
    let entries: String = series.chain(guides).collect();
    match entries.as_str() {
        "" => entries,
        entries => format!("<ul class=\"legend\">{entries}</ul>"),
    }
}

const GUIDE: &str = "<path class=\"guide dashed\" d=\"M0 6H30\"/>";

/// A piece of a series.
fn sample(series: &Series) -> String {
    const RADIUS: f64 = 4.5;
    const BAR: &str = "<rect width=\"30\" height=\"12\"/>";
    let look = series.look;
    let line = match series.kind {
        Kind::Points => String::new(),
        Kind::Line | Kind::Steps | Kind::Needles => {
            format!("<path d=\"M0 6H30\" {}/>", stroke(look))
        }
        Kind::Spans(_) => painted(look, "spans", BAR),
    };
    let symbol = look.symbol.map_or_else(String::new, |shape| {
        let path = path(shape, RADIUS);
        let symbol = format!("<path transform=\"translate(15 6)\" d=\"{path}\"/>");
        painted(look, class(look), &symbol)
    });
    line + &symbol
}
