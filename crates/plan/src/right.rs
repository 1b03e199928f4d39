//! The rights that real-time work needs.

use serde::{Deserialize, Serialize};

units::named! {
    /// A right that a user may lack, and what it permits.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Right {
        RealTimePriority = "real-time priority",
        LockedMemory = "locked memory",
        IdleStates = "idle states held off",
    }
}
