//! What a run tries of the machine's settings, and what it found.

use serde::{Deserialize, Serialize};

/// Name of the knob that does nothing: it writes the current value again.
pub const SHAM: &str = "sham";
/// Name of the knob whose effect is known: a disturbance of a stated size.
pub const KNOWN: &str = "known";

/// What one run of an experiment does with one of its knobs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Tried {
    /// Name in the table of knobs.
    pub knob: String,
    /// The value to try; `None` leaves the knob as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnobFound {
    pub knob: String,
    pub asked: String,
    /// The value before; if a knob has several places with different values, each as `PLACE=VALUE`.
    pub before: String,
    pub during: String,
    pub at_end: String,
    /// Whether reading back confirmed that the old value was restored.
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
