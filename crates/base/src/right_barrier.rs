//! What keeps a process from a right.

use serde::{Deserialize, Serialize};

/// What keeps a process from a right that a capability of Linux grants, as far as it can be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RightBarrier {
    /// It lacks the capability, and the machine has `sudo`.
    NoCapability,
    /// It lacks the capability, and the machine has no `sudo`.
    NoSudo,
    /// No program that it starts can get the capability, as in a container.
    Bounds,
    /// It is in a user namespace, whose capabilities do not count.
    UserNamespace,
    /// It has the capability, and a filter of system calls.
    Filter,
    /// It has the capability and no filter: a rule of a security module, of its control group or of its
    /// container refuses.
    Rule,
}

impl RightBarrier {
    /// Whether the process has the capability, and something else refuses the right.
    #[must_use]
    pub fn is_held(self) -> bool {
        matches!(self, Self::Filter | Self::Rule)
    }
}
