//! Positions of values in a plotting area, and texts formatted for SVG attributes and elements.

use crate::document::Panel;

/// Minimum width of a plotting area in CSS pixels.
pub(super) const MIN_WIDTH: f64 = 260.0;
/// Height of a line of text in CSS pixels.
pub(super) const LINE: f64 = 14.0;

/// Maps the values of a panel to positions from 0 to 1, from the left and from the top.
pub(super) struct Frame<'p> {
    pub panel: &'p Panel,
    pub height: f64,
}

impl Frame<'_> {
    /// Position from the left; values outside are at the edge.
    pub fn x(&self, value: f64) -> f64 {
        self.panel.x.place(value).clamp(0.0, 1.0)
    }

    /// Position from the top; values outside are at the edge.
    pub fn y(&self, value: f64) -> f64 {
        1.0 - self.panel.y.place(value).clamp(0.0, 1.0)
    }
}

/// Escapes text so that it cannot end an element.
pub(super) fn escaped(text: &str) -> String {
    minijinja::HtmlEscape(text).to_string()
}

/// Formats a position from 0 to 1 in percent.
pub(super) fn percent(place: f64) -> String {
    let percent = (place * 1e4).round() / 1e2;
    format!("{percent}%")
}

/// Returns an SVG label at a position from 0 to 1, with further attributes of its element.
pub(super) fn label([x, y]: [f64; 2], attributes: &str, text: &str) -> String {
    let ([x, y], text) = ([x, y].map(percent), escaped(text));
    format!("<text class=\"label\" x=\"{x}\" y=\"{y}\" {attributes}>{text}</text>")
}

/// Returns the SVG element whose text is shown while the pointer is on its parent; nothing without
/// text.
pub(super) fn title(hover: &str) -> String {
    match hover {
        "" => String::new(),
        hover => format!("<title>{}</title>", escaped(hover)),
    }
}
