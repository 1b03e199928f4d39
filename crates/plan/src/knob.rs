//! What a run tries of the machine's settings, and what it found of them.

use serde::{Deserialize, Serialize};

/// Name of the knob that does nothing: what stands is written again.
pub const SHAM: &str = "sham";
/// Name of the knob whose effect is known: a disturbance of stated size.
pub const KNOWN: &str = "known";

/// What one run of an experiment does with one of its knobs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Tried {
    /// Name in the table of knobs.
    pub knob: String,
    /// The value that is tried; `None`: the knob stays as it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// What a run found of a knob that it set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnobFound {
    /// Name in the table of knobs.
    pub knob: String,
    /// The value that was asked for.
    pub asked: String,
    /// What stood there before; where a knob has several places that differ, each as `PLACE=VALUE`.
    pub before: String,
    /// What was read back before the measurement.
    pub during: String,
    /// What was read back after it.
    pub at_end: String,
    /// Whether what stood there before was read back after it had been given back.
    pub given_back: bool,
}

/// What stands between a process and a knob.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KnobBarrier {
    /// The process has no right to it.
    Privilege,
    /// The file system that it is in is mounted so that nobody may write: a container's.
    ReadOnly,
    /// The kernel is locked down.
    Lockdown,
    /// Root may not either: a container's, or a security module's.
    Container,
    /// This kernel lets nobody write it.
    Fixed,
    /// Something of the knob itself.
    Other,
}

impl KnobBarrier {
    /// In words that follow the name of a knob and a colon.
    #[must_use]
    pub fn in_words(self) -> String {
        let words = match self {
            Self::Privilege => "needs root",
            Self::ReadOnly => "read-only here, as in a container",
            Self::Lockdown => "the kernel is locked down",
            Self::Container => "refused to root too, as in a container",
            Self::Fixed => "this kernel lets nobody write it",
            Self::Other => "refused",
        };
        words.to_owned()
    }

    /// What mends it: a command, a privilege or a setting.
    #[must_use]
    pub fn remedy(self) -> &'static str {
        match self {
            Self::Privilege => "run with `sudo`",
            Self::ReadOnly => {
                "run on the machine itself, or in a container that may write its settings (`docker run --privileged`)"
            }
            Self::Lockdown => {
                "leave this knob out, or boot without lockdown (Secure Boot turns it on; `cat /sys/kernel/security/lockdown`)"
            }
            Self::Container => {
                "run on the machine itself, or in a container with `--privileged`; else find the security module that refuses it"
            }
            Self::Fixed => "leave this knob out",
            Self::Other => {
                "mend what it names, or leave this knob out (`steadfast knobs` says what can be set here)"
            }
        }
    }
}
