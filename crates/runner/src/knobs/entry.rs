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
    /// What it became once other knobs of the run were written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) overridden: Option<String>,
    /// Whether it was given back, or left to whoever has changed it since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_settled: bool,
}

impl Entry {
    /// A place that is about to be changed for a knob.
    pub(super) fn before(knob: &str, place: &Place, before: String) -> Self {
        Self {
            knob: knob.to_owned(),
            place: place.clone(),
            before,
            given: None,
            overridden: None,
            is_settled: false,
        }
    }

    /// Whether the run has put that there, as far as is known.
    pub(super) fn is_own(&self, now: &str) -> bool {
        let mut own = self.given.iter().chain(&self.overridden);
        self.given.is_none() || own.any(|own| own == now)
    }
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
