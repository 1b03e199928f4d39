//! Positions of values in a plotting area.

use crate::document::Panel;

/// Minimum width of a plotting area in CSS pixels.
pub(super) const NARROW: f64 = 260.0;

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
