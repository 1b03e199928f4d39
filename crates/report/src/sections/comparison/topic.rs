//! The definition of a comparison section: its texts and the functions that make its blocks.

use analysis::comparison::Comparison;

use crate::document::Block;

pub(super) struct Topic {
    pub id: &'static str,
    pub title: &'static str,
    pub introduction: &'static str,
    pub blocks: fn(&Comparison) -> Vec<Block>,
}
