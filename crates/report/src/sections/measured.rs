//! What a section of measurements is: its words, and how its pieces are made.

use analysis::Analysis;

use crate::document::Block;

/// A part of the report on some measurements.
pub(super) struct Measured {
    /// Anchor in the page.
    pub id: &'static str,
    pub title: &'static str,
    /// What the figures mean, in a sentence or two.
    pub introduction: &'static str,
    pub measurements: &'static [&'static str],
    pub blocks: fn(&Analysis) -> Vec<Block>,
}
