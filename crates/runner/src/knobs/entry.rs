//! A changed setting in the journal.

use knob::Place;
use serde::{Deserialize, Serialize};

use crate::journal;

/// A setting that is, or is about to be, changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Name of its knob, as it was typed.
    pub(super) knob: String,
    pub(super) place: Place,
    /// What stood there.
    pub(super) before: String,
    /// What was read back once it was changed; `None` as long as that is about to happen.
    pub(super) given: Option<String>,
    /// Whether it was given back, or left to whoever has changed it since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_settled: bool,
}

impl journal::Entry for Entry {
    const KIND: &'static str = "knobs";
    const BUSY: &'static str = "changed settings of this machine";

    fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    fn read(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }
}
