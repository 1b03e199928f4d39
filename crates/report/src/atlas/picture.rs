//! The atlas as a page with one picture: a panel for each row, a line for each kernel.

use analysis::atlas::{Atlas, AtlasCell, AtlasRow, Figure as Quantity, Line};
use analysis::words;

use super::cells::{by_load, median_and_worst, range};
use crate::document::{
    Axis, Block, COLOURS, Document, Kind, Look, Mark, Panel, Section, Series, Symbol, Unit,
};
use crate::figure::{Figure, span};
use crate::render::html;

/// Height of a kernel's line, in CSS pixels.
const ROW: usize = 11;
/// Thickness of the bar over draws, as a share of the line.
const BAR: f64 = 0.5;
const ROOM: f64 = 1.3;

/// Panels in a row of the page; the first one of each names the kernels.
const ABREAST: usize = 3;

/// Returns the page; it is complete in itself.
#[must_use]
pub fn page(atlas: &Atlas) -> String {
    let (free, loaded) = by_load(atlas);
    let rows: Vec<&AtlasRow> = loaded.into_iter().flatten().chain(free).collect();
    let figures = rows.chunks(ABREAST).enumerate().filter_map(|(place, rows)| {
        let panels: Vec<Panel> =
            rows.iter().filter_map(|row| panel(atlas, row, place == 0)).collect();
        let name = format!("atlas-{}", place + 1);
        let caption = if place == 0 { caption(atlas) } else { String::new() };
        let height = atlas.kernels.len() * ROW;
        (!panels.is_empty()).then(|| Block::Figure(Figure::several(&name, caption, height, panels)))
    });
    let title = "Wake-ups under each load, and every service";
    let section = Section::of("atlas", title, "", figures.collect());
    html::page(&Document {
        title: "The atlas of kernels".to_owned(),
        subtitle: format!("steadfast {} · QEMU {}", atlas.tool_version, atlas.qemu_version),
        sections: vec![section],
        ..Document::default()
    })
}

fn caption(atlas: &Atlas) -> String {
    format!(
        "The dot is the median, the bar goes from the shortest to the longest worst case of a draw: {}.",
        words::counted_range(atlas.draws(), "draw")
    )
}

fn panel(atlas: &Atlas, row: &AtlasRow, has_legend: bool) -> Option<Panel> {
    let cells = row.cells.iter().flatten();
    let all = cells.flat_map(|cell| Quantity::ALL.map(|figure| cell.draws(figure))).flatten();
    let [shortest, longest] = span(all)?;
    let load = if row.load == "none" { String::new() } else { format!(", load {}", row.load) };
    let title = format!("{}{load}", row.title());
    let x = Axis::log(&title, Unit::Time, [shortest / ROOM, longest * ROOM]);
    let names = atlas.kernels.iter().map(|kernel| plain(&kernel.name_in_words()));
    let y = Axis::rows(names.collect());
    let series = Line::ALL.into_iter().enumerate().flat_map(|(place, line)| {
        let look = Look::plain(COLOURS[place]);
        let name = if has_legend { plain(line.in_words()) } else { String::new() };
        let kernels = atlas.kernels.iter().zip(&row.cells).enumerate();
        let of_line = kernels.filter(|(_, (kernel, _))| kernel.line == line);
        let cells: Vec<(usize, &AtlasCell)> =
            of_line.filter_map(|(at, (_, cell))| Some((at, cell.as_ref()?))).collect();
        let marks = |mark: fn(usize, &AtlasCell) -> Mark| -> Vec<Mark> {
            cells.iter().map(|(at, cell)| mark(*at, cell)).collect()
        };
        [
            Series::new("", Kind::Spans(BAR), look, marks(worst)),
            Series::new(name, Kind::Points, look.with(Symbol::Circle), marks(median)),
        ]
    });
    Some(Panel::new(x, y, series))
}

/// Removes the marks of code.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

fn worst(at: usize, cell: &AtlasCell) -> Mark {
    let [from, to] = span(cell.draws(Quantity::Worst).into_iter()).unwrap_or_default();
    Mark::span(from, to.max(from * 1.01), at as f64).hover(median_and_worst(cell))
}

fn median(at: usize, cell: &AtlasCell) -> Mark {
    let draws = cell.draws(Quantity::Median);
    let middle = analysis::survey::median(draws.iter().copied()).unwrap_or_default();
    Mark::at(middle, at as f64).hover(format!("median {} µs", range(&draws))).sized(5.0)
}
