//! The definition of a comparison section: its texts and the functions that make its blocks.

use analysis::comparison::Comparison;

use crate::document::Block;

/// A part of the comparison.
pub(super) struct Topic {
    /// Anchor in the page.
    pub id: &'static str,
    pub title: &'static str,
    pub introduction: &'static str,
    pub blocks: fn(&Comparison) -> Vec<Block>,
}
