//! One interval of a soak, and what was before it.

use serde::Serialize;
use serde_json::Value;

use super::causes::Share;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Interval {
    pub began_at: String,
    pub began_unix_ns: u64,
    pub length_ns: u64,
    /// With the periods of the intervals right before it that had no step, as all counts below.
    pub due: u64,
    pub executed: u64,
    pub skipped: u64,
    /// Periods without a step, and steps that ended too late.
    pub missed: u64,
    pub max_ns: Option<i64>,
    pub max_at: Option<String>,
    /// Missed periods by cause, the largest first; together all missed periods.
    pub causes: Vec<Share>,
    pub histogram: Vec<u64>,
    /// The hottest sensor, in degrees Celsius, when it began.
    pub temperature_c: Option<f64>,
    /// The slowest measured CPU, when it began.
    pub frequency_khz: Option<u64>,
    /// `None` if the machine reports none.
    pub steal_ns: Option<u64>,
    pub changes: Vec<Change>,
    pub valid: bool,
    pub warnings: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The begin of the interval that first had the new value.
    pub before: String,
    pub what: String,
    pub from: Value,
    pub to: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The machine was started again: power, reboot or crash.
    Boot,
    /// The program ended, and was started again later.
    Stopped,
    /// The program began another watch: the last intervals of the one before were lost, or had no
    /// step.
    WatchBegan,
    Suspended,
    /// The samples were not taken over in time.
    Lost,
    /// No step was made: these periods count as skipped in the interval after it.
    Stalled,
    /// The wall clock was set; nothing is missing.
    ClockSet,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Gap {
    pub from: String,
    pub from_unix_ns: u64,
    pub to: String,
    /// Its length by the clock of the boot, or by the wall clock from one boot to the next; `None` if
    /// the wall clock was set back in between. Negative only where it was set back.
    pub length_ns: Option<i64>,
    pub reason: Reason,
}

#[derive(Debug)]
pub struct Added {
    pub interval: Interval,
    pub gaps: Vec<Gap>,
}
