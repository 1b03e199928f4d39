//! The rights that real-time work needs.

use serde::{Deserialize, Serialize};

/// A right that a user may lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Right {
    RealTimePriority,
    LockedMemory,
    /// The right to hold off idle states.
    IdleStates,
}

impl Right {
    /// What the right permits, in words.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::RealTimePriority => "real-time priority",
            Self::LockedMemory => "locked memory",
            Self::IdleStates => "idle states held off",
        }
    }
}
