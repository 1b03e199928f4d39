//! Where values of a plotting area lie.

use crate::document::Panel;

/// CSS pixels that a plotting area is at least wide.
pub(super) const NARROW: f64 = 260.0;

/// Where values of a panel lie, from 0 to 1 from the left and from the top.
pub(super) struct Frame<'p> {
    pub panel: &'p Panel,
    pub height: f64,
}

impl Frame<'_> {
    /// From the left; what lies beyond is at the edge.
    pub fn x(&self, value: f64) -> f64 {
        self.panel.x.place(value).clamp(0.0, 1.0)
    }

    /// From the top; what lies beyond is at the edge.
    pub fn y(&self, value: f64) -> f64 {
        1.0 - self.panel.y.place(value).clamp(0.0, 1.0)
    }
}
