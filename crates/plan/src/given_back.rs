//! What killed runs have left behind on a machine, and what has become of it.

use serde::{Deserialize, Serialize};

/// What a killed run has left behind, and is now given back.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GivenBack {
    /// Tasks that have their CPUs again.
    pub tasks: u64,
    /// Settings that stand as before again, and those that do not.
    pub knobs: KnobsBack,
    /// Trace instances that were removed.
    pub traces: usize,
    /// Temporary folders that were removed.
    pub folders: usize,
}

/// What has become of settings that a run had changed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct KnobsBack {
    /// Those that stand as before again.
    pub back: Vec<Settled>,
    /// Those that somebody else has changed since, which stay.
    pub changed: Vec<Settled>,
    /// Those that were refused, which the journal keeps.
    pub refused: Vec<Settled>,
}

/// What has become of one of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    /// Name of the knob.
    pub knob: String,
    /// Where it is.
    pub place: String,
    /// What stood there before the run.
    pub before: String,
    /// What stands there now, or why it was refused.
    pub now: String,
}

/// What is left of settings that runs have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SettingsLeft {
    /// Every setting stands as before.
    Nothing,
    /// A run that lives has changed some.
    UnderWay,
    /// Some could not be given back.
    Refused,
    /// A run of another user, or of a container, has changed some; it may live.
    OfOthers,
}
