//! The question that a comparison answers.

use super::matching::fields;
use crate::effect::{FIGURES, Figure};
use crate::lists::sorted;
pub use crate::share::Margin;
use crate::survey::System;
use crate::words;

/// What matched rows may differ in, and which differences count.
#[derive(Debug, Clone)]
pub struct Question {
    /// Fields in which matched rows may differ. Empty: the loads, if each side has one and they differ.
    pub across: Vec<String>,
    pub margin: Margin,
    /// Whether to split a single system by these fields, else by the first that varies in it.
    pub within: bool,
    pub figures: &'static [Figure],
}

impl Default for Question {
    fn default() -> Self {
        Self { across: Vec::new(), margin: Margin::default(), within: false, figures: FIGURES }
    }
}

/// A question that no runs answer: one line that says what they could answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unanswerable {
    /// It names what no run has.
    #[error("no run has a condition or parameter `{name}`; there are {known}")]
    Unknown { name: String, known: String },
    /// It names what does not vary, or only together with something else.
    #[error(
        "--across: no two runs differ in {names} and in nothing else; name what varies with it \
         too, or what varies alone: {known}"
    )]
    NotVaried {
        names: String,
        /// What varies independently.
        known: String,
    },
}

impl Question {
    pub(in crate::comparison) fn check(&self, systems: &[System]) -> Result<(), Unanswerable> {
        let series = systems.iter().flat_map(|system| &system.series);
        let known = sorted(series.flat_map(|series_asked| fields(series_asked.spec).into_keys()));
        let unknown = |name: &&String| !known.is_empty() && !known.contains(name);
        self.across.iter().find(unknown).map_or(Ok(()), |name| {
            Err(Unanswerable::Unknown { name: name.clone(), known: words::listed(&known) })
        })
    }
}
