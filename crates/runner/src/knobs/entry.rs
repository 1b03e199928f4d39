//! A changed setting in the journal.

use knob::Place;
use serde::{Deserialize, Serialize};

use crate::journal;

/// A setting that is changed, or is about to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Name of its knob, as typed.
    pub(super) knob: String,
    pub(super) place: Place,
    pub(super) before: String,
    /// The value that was read back after the change; `None` while the change is still to come.
    pub(super) given: Option<String>,
    /// The value after other knobs of the run were written, if it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) overridden: Option<String>,
    /// True if it was restored, or left because something else has changed it since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_settled: bool,
}

impl Entry {
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

    /// Returns true if the run has set this value, as far as is known.
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
