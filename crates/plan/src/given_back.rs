//! What killed runs left behind on a machine, and what was done about it.

use serde::{Deserialize, Serialize};

/// What killed runs left behind and this start cleaned up.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GivenBack {
    /// Tasks that got their CPUs back.
    pub tasks: u64,
    /// Settings that were restored, and those that were not.
    pub knobs: KnobsBack,
    pub traces: usize,
    pub folders: usize,
}

/// What happened to the settings that a run had changed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct KnobsBack {
    pub back: Vec<Settled>,
    /// Settings that something else has changed in the meantime; they keep that value.
    pub changed: Vec<Settled>,
    /// Settings that could not be restored; the journal keeps them.
    pub refused: Vec<Settled>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    pub knob: String,
    /// The file or other place of the setting.
    pub place: String,
    pub before: String,
    /// The value now, or why it could not be restored.
    pub now: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum SettingsLeft {
    Nothing,
    /// A run in progress has changed some settings.
    UnderWay,
    Refused,
    /// The list of changed settings may have been written by another user, so it is not used.
    Distrusted {
        journal: String,
    },
    /// A run of another user, or of a container, has changed some settings; it may still be in
    /// progress.
    OfOthers,
}
