//! What a machine reports about itself before runs are made on it, and what killed runs left on it.

use base::{CpuSet, RightBarrier};
use serde::{Deserialize, Serialize};

use crate::Machine;

/// What Steadfast on a target reports about its machine, for a plan that is made elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    pub tool_version: String,
    pub machine: Machine,
    pub usable: CpuSet,
    /// What killed runs left behind, and what this start has restored of it.
    pub given_back: GivenBack,
    pub settings_left: SettingsLeft,
    #[serde(default)]
    pub without: Vec<Right>,
    /// What keeps the user from these rights; `None` if it cannot be seen.
    #[serde(default)]
    pub barrier: Option<RightBarrier>,
    /// Why the first specification that is impossible there is refused; `None` if none is.
    pub refused: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GivenBack {
    pub tasks: u64,
    pub knobs: KnobsBack,
    pub traces: usize,
    pub folders: usize,
}

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
    /// A run of another user or container, perhaps still in progress, has changed some settings.
    OfOthers,
}

base::named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Right {
        RealTimePriority = "real-time priority",
        LockedMemory = "locked memory",
        IdleStates = "idle states held off",
    }
}
