//! Charts as data: axes, series of marks, guides.

use serde::Serialize;

use super::axis::Axis;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Chart {
    pub name: String,
    pub caption: String,
    /// Height of the plotting area in CSS pixels.
    #[serde(skip)]
    pub height: usize,
    /// Plotting areas, side by side where there is room.
    #[serde(skip)]
    pub panels: Vec<Panel>,
    /// Whether panels are stacked instead, with all but the first one lower.
    #[serde(skip)]
    pub stacked: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Panel {
    pub x: Axis,
    /// The vertical axis; rows run from top to bottom.
    pub y: Axis,
    /// Series, the first one at the back.
    pub series: Vec<Series>,
    pub guides: Vec<Guide>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Series {
    /// The text in the legend; a series without a name is not in the legend.
    pub name: String,
    pub look: Look,
    pub kind: Kind,
    /// The marks; those of a line run from left to right.
    pub marks: Vec<Mark>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Points,
    /// Symbols joined by a line; only the line if the look has no symbol.
    Line,
    /// A line that stays level up to the next mark.
    Steps,
    /// Vertical lines from `y` to `to`.
    Needles,
    /// Bars from `x` to `to`; the value is their thickness in rows.
    Spans(f64),
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Mark {
    pub x: f64,
    pub y: f64,
    /// The end of a bar; for other marks, the upper end of an interval.
    pub to: Option<f64>,
    pub hover: String,
    pub label: String,
    pub side: Side,
    /// Diameter in CSS pixels, if it differs from the default.
    pub size: Option<f64>,
    pub colour: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    #[default]
    Right,
    Above,
}

/// A line that was not measured, such as a limit or a ceiling.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Guide {
    pub points: Vec<[f64; 2]>,
    pub label: String,
    /// The text in the legend; a guide without a name is not in the legend.
    pub name: String,
    pub dashed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Look {
    pub colour: &'static str,
    /// CSS pixels of alternating strokes and gaps; empty for a solid line.
    pub dash: &'static str,
    pub symbol: Option<Symbol>,
    pub open: bool,
    /// Line width in CSS pixels.
    pub width: f64,
    /// Opacity of symbols and bars, from 0 to 1.
    pub opacity: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Symbol {
    Circle,
    Square,
    Diamond,
    Triangle,
    Cross,
    /// Points right, to a value beyond the axis.
    Beyond,
}

/// Colours that colour-blind readers can distinguish (Okabe and Ito, 2008).
pub(crate) const COLOURS: [&str; 7] =
    ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#4D4D4D"];
/// The colour of published results and of rows without a shown difference.
pub(crate) const GREY: &str = "#8A949E";
const DASHES: [&str; 4] = ["", "7 4", "2 3", "9 3 2 3"];
const SYMBOLS: [Symbol; 5] =
    [Symbol::Circle, Symbol::Square, Symbol::Diamond, Symbol::Triangle, Symbol::Cross];

impl Look {
    /// Returns the look of the line at this index, different from the 27 before it.
    pub fn line(place: usize) -> Self {
        Self {
            colour: COLOURS[place % COLOURS.len()],
            dash: DASHES[place % DASHES.len()],
            symbol: None,
            open: false,
            width: 1.6,
            opacity: 1.0,
        }
    }

    /// Returns the look of the points at this index, different from the 34 before them; with a
    /// line, from the 139 before them.
    pub fn points(place: usize) -> Self {
        Self { symbol: Some(SYMBOLS[place % SYMBOLS.len()]), ..Self::line(place) }
    }

    /// Returns the look of the bars at this index, different from the 13 before them: every second
    /// one is pale, which distinguishes it without colour.
    pub fn bars(place: usize) -> Self {
        Self { opacity: [1.0, 0.5][place % 2], ..Self::plain(COLOURS[place % COLOURS.len()]) }
    }

    pub fn plain(colour: &'static str) -> Self {
        Self { colour, ..Self::line(0) }
    }

    /// Returns the look with the stroke of this index, different from the 7 before it.
    pub fn dashed(self, place: usize) -> Self {
        Self { dash: DASHES[place % DASHES.len()], open: place / DASHES.len() % 2 == 1, ..self }
    }

    pub fn with(self, symbol: Symbol) -> Self {
        Self { symbol: Some(symbol), ..self }
    }

    pub fn open(self, open: bool) -> Self {
        Self { open, ..self }
    }

    pub fn without_symbol(self) -> Self {
        Self { symbol: None, ..self }
    }
}

impl Panel {
    pub fn new(x: Axis, y: Axis, series: impl IntoIterator<Item = Series>) -> Self {
        Self { x, y, series: series.into_iter().collect(), guides: Vec::new() }
    }

    pub fn guides(self, guides: impl IntoIterator<Item = Guide>) -> Self {
        Self { guides: guides.into_iter().collect(), ..self }
    }
}

impl Series {
    pub fn new(name: impl Into<String>, kind: Kind, look: Look, marks: Vec<Mark>) -> Self {
        Self { name: name.into(), look, kind, marks }
    }
}

impl Mark {
    pub fn at(x: f64, y: f64) -> Self {
        Self { x, y, ..Self::default() }
    }

    pub fn sized(self, pixels: f64) -> Self {
        Self { size: Some(pixels), ..self }
    }

    pub fn span(from: f64, to: f64, row: f64) -> Self {
        Self { to: Some(to), ..Self::at(from, row) }
    }

    pub fn hover(self, hover: impl Into<String>) -> Self {
        Self { hover: hover.into(), ..self }
    }

    pub fn label(self, label: impl Into<String>, side: Side) -> Self {
        Self { label: label.into(), side, ..self }
    }
}

impl Guide {
    /// Returns a dashed line with a label at its last point.
    pub fn dashed(points: impl Into<Vec<[f64; 2]>>, label: impl Into<String>) -> Self {
        Self { dashed: true, ..Self::solid(points, label) }
    }

    pub fn solid(points: impl Into<Vec<[f64; 2]>>, label: impl Into<String>) -> Self {
        Self { points: points.into(), label: label.into(), name: String::new(), dashed: false }
    }

    pub fn named(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }
}

impl Chart {
    pub fn new(name: &str, caption: impl Into<String>, height: usize, panel: Panel) -> Self {
        Self::several(name, caption, height, vec![panel])
    }

    pub fn several(
        name: &str,
        caption: impl Into<String>,
        height: usize,
        panels: Vec<Panel>,
    ) -> Self {
        Self { name: name.to_owned(), caption: caption.into(), height, panels, stacked: false }
    }

    pub fn shows_the_same_as(&self, other: &Self) -> bool {
        let [a, b] = [self, other].map(|chart| {
            let series = chart.panels.iter().flat_map(|panel| &panel.series);
            series.map(|series| &series.marks)
        });
        a.eq(b)
    }

    /// Height of the panel at this index, in CSS pixels.
    pub fn height_of(&self, place: usize) -> usize {
        match (self.stacked, place) {
            (true, 1..) => self.height / 2,
            _ => self.height,
        }
    }

    /// Returns the legend: each name once, with its first series.
    pub fn legend(&self) -> Vec<&Series> {
        let mut named: Vec<&Series> = Vec::new();
        for series in self.panels.iter().flat_map(|panel| &panel.series) {
            if !series.name.is_empty() && !named.iter().any(|known| known.name == series.name) {
                named.push(series);
            }
        }
        named
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_looks_are_alike() {
        let lines: Vec<Look> = (0..28).map(Look::line).collect();
        let points: Vec<Look> = (0..140).map(Look::points).collect();
        let bars: Vec<Look> = (0..14).map(Look::bars).collect();
        for looks in [lines, points, bars] {
            for (place, look) in looks.iter().enumerate() {
                assert!(!looks[..place].contains(look), "{place}");
            }
        }
    }
}
