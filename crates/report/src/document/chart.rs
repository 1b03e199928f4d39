//! Charts as data: axes, series of marks, guides.

use serde::Serialize;

use super::axis::Axis;

/// A chart is a drawing that knows no format.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Chart {
    /// The name, unique among the charts of a document.
    pub name: String,
    /// What to see in it.
    pub caption: String,
    /// Height of the plotting area in CSS pixels.
    #[serde(skip)]
    pub height: usize,
    /// Plotting areas, beside each other where there is room.
    #[serde(skip)]
    pub panels: Vec<Panel>,
    /// Whether they stand below each other instead, all but the first lower than it.
    #[serde(skip)]
    pub stacked: bool,
}

/// A panel is a plotting area with its axes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Panel {
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis; its rows stand from top to bottom.
    pub y: Axis,
    /// Series, the first one at the back.
    pub series: Vec<Series>,
    /// Lines to compare marks with.
    pub guides: Vec<Guide>,
}

/// A series is a set of marks that look alike.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Series {
    /// What the legend says; without a name it does not stand there.
    pub name: String,
    /// How its marks look.
    pub look: Look,
    /// What its marks are.
    pub kind: Kind,
    /// The marks, of a line from left to right.
    pub marks: Vec<Mark>,
}

/// A kind tells what the marks of a series are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// Symbols.
    Points,
    /// Symbols joined by a line; a line alone where there is no symbol.
    Line,
    /// A line that stays level up to the next mark.
    Steps,
    /// Upright lines from `y` to `to`.
    Needles,
    /// Bars from `x` to `to`, so many rows thick.
    Spans(f64),
}

/// A mark is one datum.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Mark {
    /// Where it stands on the horizontal axis.
    pub x: f64,
    /// Where it stands on the vertical axis.
    pub y: f64,
    /// Where a bar ends; of other marks, the height up to which an interval reaches.
    pub to: Option<f64>,
    /// What the pointer shows.
    pub hover: String,
    /// What stands beside it.
    pub label: String,
    /// Where its label stands.
    pub side: Side,
    /// CSS pixels across, where it differs from the others.
    pub size: Option<f64>,
    /// A colour of its own.
    pub colour: Option<String>,
}

/// A side of a mark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Side {
    /// Left of it.
    Left,
    /// Right of it.
    #[default]
    Right,
    /// Above it.
    Above,
}

/// A guide is a line through points that no measurement gave: a limit, a ceiling.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Guide {
    /// Horizontal and vertical places of its points.
    pub points: Vec<[f64; 2]>,
    /// What stands at its last point.
    pub label: String,
    /// What the legend says; without a name it does not stand there.
    pub name: String,
    /// Whether it is dashed.
    pub dashed: bool,
}

/// A look is what tells a series from others, with colour and without.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Look {
    /// Colour of lines and symbols.
    pub colour: &'static str,
    /// CSS pixels of strokes and gaps in turn; nothing of an unbroken line.
    pub dash: &'static str,
    /// Symbol of points, if any.
    pub symbol: Option<Symbol>,
    /// Whether symbols are outlines.
    pub open: bool,
    /// CSS pixels that lines are wide.
    pub width: f64,
    /// From 0 to 1: how little of what lies behind shows through symbols and bars.
    pub opacity: f64,
}

/// A symbol is the shape of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Symbol {
    Circle,
    Square,
    Diamond,
    Triangle,
    Cross,
    /// Points to what lies beyond, on the right.
    Beyond,
}

/// Colours that stay apart for colour-blind readers (Okabe and Ito, 2008).
pub(crate) const COLOURS: [&str; 7] =
    ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#4D4D4D"];
/// The colour of what was published, or shows no difference.
pub(crate) const GREY: &str = "#8A949E";
const DASHES: [&str; 4] = ["", "7 4", "2 3", "9 3 2 3"];
const SYMBOLS: [Symbol; 5] =
    [Symbol::Circle, Symbol::Square, Symbol::Diamond, Symbol::Triangle, Symbol::Cross];

impl Look {
    /// The look of a line of this place, different from the 27 before it.
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

    /// The look of points of this place, different from the 34 before it; with a line, from
    /// the 139 before it.
    pub fn points(place: usize) -> Self {
        Self { symbol: Some(SYMBOLS[place % SYMBOLS.len()]), ..Self::line(place) }
    }

    /// The look of bars of this place, different from the 13 before it: every second one is
    /// pale, and so stands apart without colour.
    pub fn bars(place: usize) -> Self {
        Self { opacity: [1.0, 0.5][place % 2], ..Self::plain(COLOURS[place % COLOURS.len()]) }
    }

    /// One colour, without a symbol.
    pub fn plain(colour: &'static str) -> Self {
        Self { colour, ..Self::line(0) }
    }

    /// The same with the stroke of this place, different from the 7 before it.
    pub fn dashed(self, place: usize) -> Self {
        Self { dash: DASHES[place % DASHES.len()], open: place / DASHES.len() % 2 == 1, ..self }
    }

    /// The same with a symbol.
    pub fn with(self, symbol: Symbol) -> Self {
        Self { symbol: Some(symbol), ..self }
    }
}

impl Series {
    /// Marks that look alike, under what the legend says.
    pub fn new(name: impl Into<String>, kind: Kind, look: Look, marks: Vec<Mark>) -> Self {
        Self { name: name.into(), look, kind, marks }
    }
}

impl Mark {
    /// A mark at a place.
    pub fn at(x: f64, y: f64) -> Self {
        Self { x, y, ..Self::default() }
    }

    /// A bar in a row.
    pub fn span(from: f64, to: f64, row: f64) -> Self {
        Self { to: Some(to), ..Self::at(from, row) }
    }

    /// The same with what the pointer shows.
    pub fn hover(self, hover: impl Into<String>) -> Self {
        Self { hover: hover.into(), ..self }
    }

    /// The same with what stands beside it.
    pub fn label(self, label: impl Into<String>, side: Side) -> Self {
        Self { label: label.into(), side, ..self }
    }
}

impl Guide {
    /// A broken line, with what stands at its last point.
    pub fn dashed(points: impl Into<Vec<[f64; 2]>>, label: impl Into<String>) -> Self {
        Self { points: points.into(), label: label.into(), name: String::new(), dashed: true }
    }

    /// The same, told in the legend instead.
    pub fn named(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }
}

impl Chart {
    /// A chart of one plotting area.
    pub fn new(name: &str, caption: impl Into<String>, height: usize, panel: Panel) -> Self {
        Self::several(name, caption, height, vec![panel])
    }

    /// A chart of several plotting areas.
    pub fn several(
        name: &str,
        caption: impl Into<String>,
        height: usize,
        panels: Vec<Panel>,
    ) -> Self {
        Self { name: name.to_owned(), caption: caption.into(), height, panels, stacked: false }
    }

    /// CSS pixels that the plotting area of this place is high.
    pub fn height_of(&self, place: usize) -> usize {
        match (self.stacked, place) {
            (true, 1..) => self.height / 2,
            _ => self.height,
        }
    }

    /// What the legend says, each name once with its series.
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
