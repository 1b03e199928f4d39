//! The definition of a measurement section: its texts and the functions that make its blocks.

use analysis::Analysis;

use crate::document::Block;

pub(crate) struct Measured {
    pub id: &'static str,
    pub title: &'static str,
    /// The meaning of the figures, in a sentence or two.
    pub introduction: &'static str,
    pub measurements: &'static [&'static str],
    pub blocks: fn(&Analysis) -> Vec<Block>,
}
