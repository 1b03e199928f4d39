//! How the system of a machine is installed, which decides what can be changed on it, and how.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Where kernel, command line and packages of a machine come from. What could not be seen is `None`
/// or empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Installation {
    /// Distribution, as `ID` in /etc/os-release; null if unknown.
    pub distribution: Option<String>,
    /// Command that installs packages; null if none was found.
    pub package_manager: Option<String>,
    /// What sets the kernel's command line; null if unknown.
    pub boot_loader: Option<String>,
    /// Where the running kernel comes from: `installed` in this system, or from the `host` of a
    /// virtual machine or container; null if unknown.
    pub kernel_from: Option<KernelOrigin>,
    /// Options of the kernel's build that decide about advice: `y`, a number, or `n` if not set;
    /// empty if they cannot be read.
    pub kernel_options: BTreeMap<String, String>,
}

/// Where the running kernel comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum KernelOrigin {
    /// It is installed in this system.
    Installed,
    /// The host of this virtual machine or container provides it.
    Host,
}
