//! What a run tries of the machine's settings, and what it found.

use serde::{Deserialize, Serialize};

/// Name of the knob that does nothing: it writes the current value again.
pub const SHAM: &str = "sham";
/// Name of the knob whose effect is known: a disturbance of a stated size.
pub const KNOWN: &str = "known";

/// What one run of an experiment does with one of its knobs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tried {
    /// Name of the knob.
    pub knob: String,
    /// Value to try; absent if the knob keeps its current value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnobFound {
    /// Name of the knob.
    pub knob: String,
    /// Requested value.
    #[serde(rename = "requested", alias = "asked")]
    pub asked: String,
    /// Value before the knob was set.
    pub before: String,
    /// Value read back before the measurement.
    pub during: String,
    /// Value read back after the measurement.
    pub at_end: String,
    /// Whether reading back at the end confirmed that the previous value was restored.
    pub given_back: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KnobBarrier {
    Privilege,
    /// The knob's file system is mounted read-only, as in a container.
    ReadOnly,
    Lockdown,
    /// Even root is refused, in a container or by a security module.
    Container,
    /// This kernel has the value fixed.
    Fixed,
    Other,
}

impl KnobBarrier {
    fn words(self) -> [&'static str; 2] {
        match self {
            Self::Privilege => ["needs root", "run as root, such as with `sudo`"],
            Self::ReadOnly => [
                "read-only here, as in a container",
                "run on the machine itself, or in a container that may write the machine's settings (`docker run --privileged`)",
            ],
            Self::Lockdown => [
                "the kernel is locked down",
                "leave this knob out, or boot without lockdown (Secure Boot turns it on; `cat /sys/kernel/security/lockdown`)",
            ],
            Self::Container => [
                "refused to root too, as in a container",
                "run on the machine itself, or in a container with `--privileged`; else find the security module that refuses it",
            ],
            Self::Fixed => ["cannot be changed in this kernel", "leave this knob out"],
            Self::Other => [
                "refused",
                "fix the reported problem, or leave this knob out (`steadfast knobs` lists what can be set here)",
            ],
        }
    }

    /// The reason in words that follow the name of a knob and a colon.
    pub fn in_words(self) -> String {
        self.words()[0].to_owned()
    }

    /// Returns the remedy: a command, a privilege or a setting.
    pub fn remedy(self) -> &'static str {
        self.words()[1]
    }
}
